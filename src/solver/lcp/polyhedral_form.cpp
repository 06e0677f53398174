#include "uzawa/solver/lcp/polyhedral_form.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

constexpr double kRedundant = 1e-10;  // share of an equality's own mobility that the others leave
constexpr double kPresent = 1e-9;     // share of the normal impulse: a side carries
constexpr double kAtBound = 1e-6;     // friction is as large as it may be

}  // namespace

bool PolyhedralForm::build(PreparedProblem& prepared, const LcpSettings& settings, std::span<const double> sliding) {
  const Problem& problem = prepared.problem();
  rows_ = problem.rows;
  // W, and K and its inverse with at most a slip variable for each three rows.
  const double rows = rows_, megabytes = 8e-6 * (rows * rows + 2 * (4 * rows / 3) * (4 * rows / 3));
  if (megabytes > settings.memory) return false;
  fill_delassus(prepared);
  scale(problem);
  matrix_.reset(delassus_, rows_);
  base_.assign(at(rows_), 0.0);
  q_.clear();
  roles_.clear();
  friction_.clear();
  guess_.clear();
  first_variable_.assign(problem.constraints.size(), -1);
  free_.resize(at(rows_));
  for (std::size_t r = 0; r < at(rows_); ++r) free_[r] = prepared.free_constraint_velocity()[r] * mass_[r];
  for (std::size_t c = 0; c < problem.constraints.size(); ++c) {
    const ConstraintRef& ref = problem.constraints[c];
    first_variable_[c] = matrix_.size();
    if (ref.kind == ConstraintKind::Contact) {
      add_contact(problem, ref.index, settings, sliding);
    } else {
      add_scalar(problem, ref, settings);
    }
  }
  guess_.reserve(2 * q_.size());
  at_bound_.reserve(problem.constraints.size());
  finish_q();
  leave_out_redundant();
  return true;
}

/// W, column by column from the operator that Gauss-Seidel has.
void PolyhedralForm::fill_delassus(PreparedProblem& prepared) {
  const Problem& problem = prepared.problem();
  const CompactRows& rows = prepared.compact_rows();
  const DelassusOperator& w = prepared.delassus(DelassusForm::Explicit);
  delassus_.resize(at(rows_) * at(rows_));
  velocities_.v.assign(at(problem.n()), 0.0);
  for (int c = 0; c < rows.constraints(); ++c) {
    for (int d = 0; d < rows.dims(c); ++d) {
      velocities_.u.assign(at(rows_), 0.0);
      double unit[3] = {};
      unit[d] = 1;
      w.apply(rows, c, unit, velocities_);
      std::copy(velocities_.u.begin(), velocities_.u.end(),
                delassus_.begin() + static_cast<std::ptrdiff_t>(at(rows.first_row(c) + d) * at(rows_)));
    }
  }
}

void PolyhedralForm::scale(const Problem& problem) {
  mass_.assign(at(rows_), 1.0);
  for (std::size_t c = 0; c < problem.constraints.size(); ++c) {
    const int row = problem.constraints[c].row, dims = problem.dims(static_cast<int>(c));
    double mean = 0;
    for (int d = 0; d < dims; ++d) mean += delassus_[at(row + d) * (at(rows_) + 1)] / dims;
    for (int d = 0; d < dims; ++d) mass_[at(row + d)] = mean > 0 ? 1 / std::sqrt(mean) : 1.0;
  }
  for (std::size_t i = 0; i < at(rows_); ++i) {
    for (std::size_t j = 0; j < at(rows_); ++j) delassus_[i * at(rows_) + j] *= mass_[i] * mass_[j];
  }
}

int PolyhedralForm::add(int row, double sign, double q, LcpRole role, double compliance) {
  q_.push_back(q);
  roles_.push_back(role);
  friction_.push_back(0);
  return matrix_.add_variable({.row = row, .dims = 1, .impulse = {sign, 0, 0}, .compliance = compliance});
}

/// [LCP] eq. 17-24. Elliptic friction: c_k on the ellipse, scaled so that the longer half axis is 1.
void PolyhedralForm::add_contact(const Problem& problem, int index, const LcpSettings& settings,
                                 std::span<const double> sliding) {
  const int row = problem.contacts.row[at(index)];
  const FrictionCone& cone = problem.contacts.cone[at(index)];
  const Vec3& e = problem.contacts.e[at(index)];
  for (int d = 0; d < 3; ++d) free_[at(row + d)] += mass_[at(row)] * e[d];
  const auto note = [&](bool is_friction) {
    q_.push_back(0);  // in finish_q
    roles_.push_back(LcpRole::Complementary);
    friction_.push_back(is_friction ? 1 : 0);
  };
  note(false);
  const int normal = matrix_.add_variable({.row = row, .dims = 3, .impulse = {0, 0, 1}});
  const double mu = std::max(cone.mu1, cone.mu2);
  if (!(mu > 0)) return;
  note(true);
  matrix_.add_slip(normal, mu);
  const double step = 2 * std::numbers::pi / settings.sides;
  double first = 0;
  if (!sliding.empty()) {
    const double u1 = sliding[at(row)], u2 = sliding[at(row + 1)];
    if (u1 != 0 || u2 != 0) first = std::atan2(-cone.mu2 * u2, -cone.mu1 * u1);
  }
  double reach = 1;
  if (settings.polygon == PolygonKind::Outer) {
    reach = 1 / std::cos(step / 2);
    first += step / 2;
  }
  for (int k = 0; k < settings.sides; ++k) {
    const double angle = first + k * step;
    note(true);
    matrix_.add_side(
        {.row = row,
         .dims = 3,
         .impulse = {reach * cone.mu1 / mu * std::cos(angle), reach * cone.mu2 / mu * std::sin(angle), 0}});
  }
}

void PolyhedralForm::add_scalar(const Problem& problem, const ConstraintRef& ref, const LcpSettings& settings) {
  const int row = ref.row;
  const std::size_t i = at(ref.index);
  const double m = mass_[at(row)];
  const auto equality = [&](double target) {
    if (settings.equalities == LcpEqualities::Eliminated) {
      add(row, 1, target, LcpRole::Free);
    } else {
      add(row, 1, target, LcpRole::Complementary);
      add(row, -1, -target, LcpRole::Complementary);
    }
  };
  switch (ref.kind) {
    case ConstraintKind::Hard: add(row, 1, m * problem.hard.e[i], LcpRole::Complementary); break;
    case ConstraintKind::Equality: equality(m * problem.equality.e[i]); break;
    case ConstraintKind::Soft: {
      const double k = problem.soft.k[i], b = problem.soft.b[i], e = problem.soft.e[i];
      if (b > 0) {
        add(row, 1, m * k * e / b, LcpRole::Free, m * m / b);
      } else {
        base_[at(row)] = -k * e / m;
      }
      break;
    }
    case ConstraintKind::Limit: {
      const double lower = problem.limits.lower[i], upper = problem.limits.upper[i];
      if (lower == upper) {
        equality(-m * lower);
        break;
      }
      if (std::isfinite(lower)) add(row, 1, -m * lower, LcpRole::Complementary);
      if (std::isfinite(upper)) add(row, -1, m * upper, LcpRole::Complementary);
      break;
    }
    case ConstraintKind::Friction: {
      const double bound = problem.friction.bound[i] / m;
      if (!(bound > 0)) break;
      base_[at(row)] = -bound;
      q_.push_back(2 * bound);
      q_.push_back(0);
      roles_.insert(roles_.end(), 2, LcpRole::Complementary);
      friction_.insert(friction_.end(), 2, char{0});
      matrix_.add_slip(-1, 0);
      matrix_.add_side({.row = row, .dims = 1, .impulse = {1, 0, 0}});
      break;
    }
    case ConstraintKind::Contact:
    case ConstraintKind::Moment: break;
  }
}

/// q has the constraints' own part so far; here comes the velocity without the variables.
void PolyhedralForm::finish_q() {
  column_.resize(at(rows_));
  matrix_.apply_delassus(base_, column_);
  for (std::size_t r = 0; r < at(rows_); ++r) free_[r] += column_[r];
  unit_ = 0;
  for (std::size_t j = 0; j < q_.size(); ++j) {
    const ContactLcpMatrix::Generator& g = matrix_.generators()[j];
    for (int d = 0; d < g.dims; ++d) q_[j] += g.impulse[d] * free_[at(g.row + d)];
    unit_ = std::max(unit_, std::abs(q_[j]));
  }
  if (!(unit_ > 0)) unit_ = 1;
  for (double& q : q_) q /= unit_;
}

/// Free rows that the other free ones imply: Cholesky with diagonal pivoting of M restricted to them.
void PolyhedralForm::leave_out_redundant() {
  std::vector<int>& order = guess_;
  order.clear();
  for (int i = 0; i < matrix_.size(); ++i) {
    if (roles_[at(i)] == LcpRole::Free) order.push_back(i);
  }
  const std::size_t k = order.size();
  factor_.assign(k * k, 0.0);
  column_.resize(std::max(column_.size(), k));
  for (std::size_t i = 0; i < k; ++i) column_[i] = matrix_.entry(order[i], order[i]);
  for (std::size_t p = 0; p < k; ++p) {
    std::size_t best = p;
    for (std::size_t i = p + 1; i < k; ++i) {
      if (column_[i] > column_[best]) best = i;
    }
    std::swap(order[p], order[best]);
    std::swap(column_[p], column_[best]);
    for (std::size_t c = 0; c < p; ++c) std::swap(factor_[p * k + c], factor_[best * k + c]);
    if (!(column_[p] > kRedundant)) {
      for (std::size_t i = p; i < k; ++i) roles_[at(order[i])] = LcpRole::Locked;
      break;
    }
    const double root = std::sqrt(column_[p]);
    for (std::size_t i = p + 1; i < k; ++i) {
      double sum = matrix_.entry(order[i], order[p]);
      for (std::size_t c = 0; c < p; ++c) sum -= factor_[i * k + c] * factor_[p * k + c];
      factor_[i * k + p] = sum / root;
      column_[i] -= factor_[i * k + p] * factor_[i * k + p];
    }
  }
  guess_.clear();
}

void PolyhedralForm::impulses(std::span<const double> z, std::span<double> lambda) const {
  matrix_.impulses(z, lambda);
  for (std::size_t r = 0; r < at(rows_); ++r) lambda[r] = mass_[r] * (unit_ * lambda[r] + base_[r]);
}

int PolyhedralForm::sides_of(int slip) const {
  int sides = 0;
  while (slip + 1 + sides < matrix_.size() && matrix_.generators()[at(slip + 1 + sides)].slip == slip) ++sides;
  return sides;
}

/// The two neighbouring sides between which an impulse lies, and its parts along them; `nothing`: what counts as zero.
PolyhedralForm::SidePair PolyhedralForm::sides_around(int slip, const double* impulse, double nothing) const {
  const int sides = sides_of(slip);
  for (int k = 0; k < sides; ++k) {
    const int first = slip + 1 + k, second = slip + 1 + (k + 1) % sides;
    const double* c = matrix_.generators()[at(first)].impulse;
    const double* d = matrix_.generators()[at(second)].impulse;
    const double det = c[0] * d[1] - c[1] * d[0];
    const double x = (impulse[0] * d[1] - impulse[1] * d[0]) / det;
    const double y = (c[0] * impulse[1] - c[1] * impulse[0]) / det;
    if (x >= -nothing && y >= -nothing) return {first, second, x, y};
  }
  return {};
}

/// A contact that carries within its friction polygon.
bool PolyhedralForm::sticks(const Problem& problem, int index, std::span<const double> lambda) const {
  const double* impulse = &lambda[at(problem.contacts.row[at(index)])];
  const FrictionCone& cone = problem.contacts.cone[at(index)];
  const int slip = first_variable_[at(problem.contacts.constraint[at(index)])] + 1;
  const SidePair around = sides_around(slip, impulse, kPresent * impulse[2]);
  return impulse[2] > 0 && around.x + around.y < std::max(cone.mu1, cone.mu2) * impulse[2] * (1 - kAtBound);
}

/// Impulses that are not those of this problem move contacts that stick, so only a contact whose friction is at its
/// bound, or that has none, may slide. There its slip variable is basic (eq. 23), and so is the side that opposes the
/// motion most.
void PolyhedralForm::guess_sliding(const Problem& problem, int index, std::span<const double> lambda) {
  const int row = problem.contacts.row[at(index)];
  const int slip = first_variable_[at(problem.contacts.constraint[at(index)])] + 1;
  const double *u = &column_[at(row)], speed = std::hypot(u[0], u[1]);
  const int sides = sides_of(slip);
  if (!(speed > kPresent * unit_) || sides == 0) return;
  if (sticks(problem, index, lambda)) return;
  int best = -1;
  double least = 0;
  for (int k = 0; k < sides; ++k) {
    const double* c = matrix_.generators()[at(slip + 1 + k)].impulse;
    const double along = c[0] * u[0] + c[1] * u[1];
    if (best < 0 || along < least) {
      best = slip + 1 + k;
      least = along;
    }
  }
  guess_.push_back(best);
  guess_.push_back(slip);
}

/// Normal and sides that carry.
void PolyhedralForm::guess_carrying(const Problem& problem, int index, std::span<const double> lambda) {
  const int row = problem.contacts.row[at(index)];
  const int normal = first_variable_[at(problem.contacts.constraint[at(index)])];
  const double n = lambda[at(row + 2)];
  if (!(n > 0)) return;
  guess_.push_back(normal);
  const SidePair around = sides_around(normal + 1, &lambda[at(row)], kPresent * n);
  if (around.x > kPresent * n) guess_.push_back(around.first);
  if (around.y > kPresent * n) guess_.push_back(around.second);
  // At its bound it may stick all the same; its slip variable is then zero and basic where impulses are redundant.
  if (around.first >= 0 && !sticks(problem, index, lambda)) at_bound_.push_back(normal + 1);
}

void PolyhedralForm::guess_scalar(const Problem& problem, int constraint, double lambda) {
  const ConstraintRef& ref = problem.constraints[at(constraint)];
  const int first = first_variable_[at(constraint)];
  if (first == matrix_.size() || (ref.kind != ConstraintKind::Friction && lambda == 0)) return;
  if (ref.kind == ConstraintKind::Friction) {
    const double bound = problem.friction.bound[at(ref.index)];
    if (!(bound > 0)) return;
    if (lambda > -bound) guess_.push_back(first + 1);
    if (lambda >= bound) guess_.push_back(first);
    return;
  }
  // The variable of this row whose impulse has that sign.
  for (int i = first; i < matrix_.size() && matrix_.generators()[at(i)].row == ref.row; ++i) {
    const bool fits = matrix_.generators()[at(i)].impulse[0] * lambda > 0;
    if (fits && roles_[at(i)] == LcpRole::Complementary) guess_.push_back(i);
  }
}

void PolyhedralForm::set_guess(const Problem& problem, std::span<const double> lambda) {
  guess_.clear();
  // Scaled velocities of these impulses.
  factor_.resize(std::max(factor_.size(), at(rows_)));
  column_.resize(std::max(column_.size(), at(rows_)));
  for (std::size_t r = 0; r < at(rows_); ++r) factor_[r] = lambda[r] / mass_[r] - base_[r];
  matrix_.apply_delassus({factor_.data(), at(rows_)}, {column_.data(), at(rows_)});
  for (std::size_t r = 0; r < at(rows_); ++r) column_[r] += free_[r];
  at_bound_.clear();
  for (int i = 0; i < problem.contacts.size(); ++i) guess_sliding(problem, i, lambda);
  for (int c = 0; c < static_cast<int>(problem.constraints.size()); ++c) {
    const ConstraintRef& ref = problem.constraints[at(c)];
    if (ref.kind == ConstraintKind::Contact) {
      guess_carrying(problem, ref.index, lambda);
    } else {
      guess_scalar(problem, c, lambda[at(ref.row)]);
    }
  }
  guess_.insert(guess_.end(), at_bound_.begin(), at_bound_.end());
}

}  // namespace uzawa
