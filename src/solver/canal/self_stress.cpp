#include "uzawa/solver/canal/self_stress.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "uzawa/base/at.hpp"
#include "uzawa/solver/laws/slope_root.hpp"
#include "uzawa/solver/linear/effective_mass.hpp"
#include "uzawa/solver/linear/vector_math.hpp"

namespace uzawa {

namespace {

constexpr double kWeight = 1e8;  // w
/// Friction's share of rho is the square of this. It helps out where normal impulses can't hold a load, and nowhere
/// else: walls on both sides of a ball that the floor carries need not press it.
constexpr double kFriction = 1e-3;
constexpr double kBalanced = 1e-12;  // of the load
constexpr double kFloor = 1e-9;      // of the load, below which what is left may be rounding errors
constexpr int kMostSteps = 20;       // 5 to 8 are usual, 1 to 3 of them with factors of their own

/// Friction in units that make it dear: the cone and the metric are those of a steeper cone.
FrictionCone scaled(const FrictionCone& cone) { return {cone.mu1 / kFriction, cone.mu2 / kFriction}; }
Vec3 scaled(const Vec3& x) { return {kFriction * x.x(), kFriction * x.y(), x.z()}; }
Mat3 scaled(const Mat3& m) { return {{scaled(m.col[0]) * kFriction, scaled(m.col[1]) * kFriction, scaled(m.col[2])}}; }

/// Writes `value`; true where that is another one.
bool change(Mat3& place, const Mat3& value) {
  double square = 0;
  for (int k = 0; k < 3; ++k) square += dot(place.col[k] - value.col[k], place.col[k] - value.col[k]);
  place = value;
  return square != 0;
}
bool change(double& place, double value) { return std::exchange(place, value) != value; }

/// |S^-1 x| with S = sqrt(diag A): momenta of translation and rotation have no common unit.
double scaled_norm(std::span<const double> x, std::span<const double> inverse_mass) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * x[i] * inverse_mass[i];
  return std::sqrt(sum);
}

}  // namespace

void SelfStress::find_state(const Problem& problem, int contact, std::span<const double> lambda,
                            std::span<const double> u, const Rest& rest) {
  const std::size_t i = at(contact), row = at(problem.contacts.row[i]);
  const FrictionCone& cone = problem.contacts.cone[i];
  const Vec3 rate = Vec3::from(&u[row]) + problem.contacts.e[i];
  const double power = sliding_power(cone, rate);
  if (!(lambda[row + 2] > 0) && rate.z() > rest.opening) {
    state_[i] = ContactState::Open;
  } else if (power <= std::max(cone.mu1, cone.mu2) * rest.slip) {
    state_[i] = ContactState::Sticks;
  } else {  // most friction that it can have against its velocity
    state_[i] = ContactState::Slides;
    ray_[i] = {-cone.mu1 * cone.mu1 * rate.x() / power, -cone.mu2 * cone.mu2 * rate.y() / power, 1};
  }
}

SelfStress::Interval SelfStress::allowed_row(const Problem& problem, const ConstraintRef& ref, double lambda, double u,
                                             const Rest& rest) {
  const std::size_t i = at(ref.index);
  switch (ref.kind) {
    case ConstraintKind::Equality: return {-HUGE_VAL, HUGE_VAL};
    case ConstraintKind::Hard: return {0, lambda > 0 || u + problem.hard.e[i] <= rest.opening ? HUGE_VAL : 0};
    case ConstraintKind::Limit:
      return {lambda < 0 || problem.limits.upper[i] - u <= rest.opening ? -HUGE_VAL : 0,
              lambda > 0 || u - problem.limits.lower[i] <= rest.opening ? HUGE_VAL : 0};
    case ConstraintKind::Friction:
      if (std::abs(u) <= rest.slip) return {-problem.friction.bound[i], problem.friction.bound[i]};
      return {lambda, lambda};
    default: return {lambda, lambda};  // a soft row, whose impulse J v decides; a moment, which stays as it is
  }
}

void SelfStress::find_allowed(const Problem& problem, std::span<const double> lambda, std::span<const double> u,
                              const Rest& rest) {
  state_.resize(at(problem.contacts.size()));
  ray_.resize(at(problem.contacts.size()));
  allowed_.resize(at(problem.rows));
  for (const ConstraintRef& ref : problem.constraints) {
    const std::size_t row = at(ref.row);
    if (ref.kind == ConstraintKind::Contact) {
      find_state(problem, ref.index, lambda, u, rest);
    } else {
      for (std::size_t k = row; k < row + at(Problem::dims(ref.kind)); ++k) {
        allowed_[k] = allowed_row(problem, ref, lambda[k], u[k], rest);
      }
      if (ref.kind == ConstraintKind::Friction) rho_[row] *= kFriction * kFriction;
    }
  }
}

Vec3 SelfStress::contact_impulse(const Problem& problem, int contact, const Vec3& y) const {
  const std::size_t i = at(contact);
  const double rho = rho_[at(problem.contacts.row[i])];
  switch (state_[i]) {
    case ContactState::Sticks: return scaled(project_proximal(scaled(problem.contacts.cone[i]), scaled(y) * rho));
    case ContactState::Slides: return ray_[i] * std::max(0.0, rho * dot(ray_[i], y));
    default: return {};
  }
}

Mat3 SelfStress::contact_slope(const Problem& problem, int contact, const Vec3& y) const {
  const std::size_t i = at(contact);
  const double rho = rho_[at(problem.contacts.row[i])];
  const Vec3& s = ray_[i];
  switch (state_[i]) {
    case ContactState::Sticks:
      return scaled(proximal_derivative(scaled(problem.contacts.cone[i]), scaled(y) * rho)) * rho;
    case ContactState::Slides:
      return dot(s, y) > 0 ? Mat3{{s * (s.x() * rho), s * (s.y() * rho), s * (s.z() * rho)}} : Mat3{};
    default: return {};
  }
}

bool SelfStress::respond(const Problem& problem, std::span<const double> y, std::span<double> impulse) {
  bool other = false;
  for (const ConstraintRef& ref : problem.constraints) {
    const std::size_t row = at(ref.row);
    if (ref.kind == ConstraintKind::Contact) {
      const Vec3 here = Vec3::from(&y[row]);
      contact_impulse(problem, ref.index, here).store(&impulse[row]);
      other |= change(weights_.contact[at(ref.index)], contact_slope(problem, ref.index, here));
    } else {
      for (std::size_t k = row; k < row + at(Problem::dims(ref.kind)); ++k) {
        const double free = rho_[k] * y[k];
        impulse[k] = std::clamp(free, allowed_[k].low, allowed_[k].high);
        other |= change(weights_.scalar[k], impulse[k] == free ? rho_[k] : 0);
      }
    }
  }
  return other;
}

/// Where Newton starts: every row that may have an impulse is at work.
void SelfStress::set_all_at_work(const Problem& problem) {
  for (const ConstraintRef& ref : problem.constraints) {
    const std::size_t row = at(ref.row);
    if (ref.kind == ConstraintKind::Contact) {
      weights_.contact[at(ref.index)] = contact_slope(problem, ref.index, Vec3::unit(2));
    } else {
      weights_.scalar[row] = allowed_[row].low < allowed_[row].high ? rho_[row] : 0;
    }
  }
}

double SelfStress::balance(NewtonMatrix& matrix, std::span<const double> impulse) {
  std::fill(unbalanced_.begin(), unbalanced_.end(), 0.0);
  matrix.add_transposed_rows(impulse, unbalanced_);
  for (std::size_t d = 0; d < load_.size(); ++d) unbalanced_[d] = load_[d] - unbalanced_[d];
  return scaled_norm(unbalanced_, inverse_mass_);
}

double SelfStress::search_line(const Problem& problem) {
  const double load = dot(load_, d_);
  return slope_root(std::abs(dot(unbalanced_, d_)), [&](double alpha) {
    DirectionalSlope slope{-load, 0};
    for (const ConstraintRef& ref : problem.constraints) {
      const std::size_t row = at(ref.row);
      if (ref.kind == ConstraintKind::Contact) {
        const Vec3 along = Vec3::from(&dy_[row]), y = Vec3::from(&y_[row]) + along * alpha;
        slope.first += dot(contact_impulse(problem, ref.index, y), along);
        slope.second += dot(along, contact_slope(problem, ref.index, y) * along);
      } else {
        for (std::size_t k = row; k < row + at(Problem::dims(ref.kind)); ++k) {
          const double free = rho_[k] * (y_[k] + alpha * dy_[k]);
          const double impulse = std::clamp(free, allowed_[k].low, allowed_[k].high);
          slope.first += impulse * dy_[k];
          if (impulse == free) slope.second += rho_[k] * dy_[k] * dy_[k];
        }
      }
    }
    return slope;
  });
}

void SelfStress::reserve(const Problem& problem) {
  for (auto* x : {&rho_, &dy_, &y_}) x->reserve(at(problem.rows));
  for (auto* x : {&load_, &unbalanced_, &d_, &inverse_mass_}) x->reserve(at(problem.n()));
  allowed_.reserve(at(problem.rows));
  state_.reserve(at(problem.contacts.size()));
  ray_.reserve(at(problem.contacts.size()));
  weights_.resize(problem);
}

SelfStress::Outcome SelfStress::relax(PreparedProblem& prepared, NewtonMatrix& matrix, std::span<const double> lambda,
                                      std::span<const double> u, const Rest& rest, std::span<double> out) {
  const Problem& problem = prepared.problem();
  for (auto* x : {&rho_, &dy_}) x->resize(at(problem.rows));
  for (auto* x : {&load_, &unbalanced_, &d_, &inverse_mass_}) x->assign(at(problem.n()), 0.0);
  y_.assign(at(problem.rows), 0.0);
  weights_.resize(problem);
  std::fill(weights_.moment.begin(), weights_.moment.end(), Mat3{});
  std::fill(weights_.coupling.begin(), weights_.coupling.end(), Mat3{});
  diagonal(problem, prepared.factor(), inverse_mass_);
  for (double& mass : inverse_mass_) mass = 1 / mass;
  effective_masses(prepared, rho_);
  find_allowed(problem, lambda, u, rest);
  matrix.add_transposed_rows(lambda, load_);
  const double load = scaled_norm(load_, inverse_mass_);
  respond(problem, y_, out);
  double left = balance(matrix, out);
  set_all_at_work(problem);
  Outcome outcome;
  bool other = true;  // weights than in the last step
  for (int step = 0; step < kMostSteps && !(left <= kBalanced * load); ++step) {
    outcome.factorizations += other ? 1 : 0;
    if (other && !matrix.factorize(problem, kWeight, weights_)) return outcome;
    std::copy(unbalanced_.begin(), unbalanced_.end(), d_.begin());
    matrix.solve(d_);
    for (double& x : d_) x *= kWeight;
    if (!is_finite(d_)) return outcome;
    matrix.multiply_rows(d_, dy_);
    const double alpha = search_line(problem);
    for (std::size_t k = 0; k < y_.size(); ++k) y_[k] += alpha * dy_[k];
    other = respond(problem, y_, out);
    const double before = left;
    left = balance(matrix, out);
    if (left <= kFloor * load && left > 0.5 * before) break;
  }
  outcome.found = left <= kFloor * load && is_finite(out);
  return outcome;
}

}  // namespace uzawa
