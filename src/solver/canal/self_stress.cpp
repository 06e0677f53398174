#include "uzawa/solver/canal/self_stress.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/solver/linear/effective_mass.hpp"
#include "uzawa/solver/linear/vector_math.hpp"

namespace uzawa {

namespace {

constexpr double kWeight = 1e8;  // w
constexpr int kPasses = 3;       // each leaves a share of 1/(w kFriction) of what J^T lambda lacks
/// Friction's share of rho. It helps out where normal impulses can't hold a load, and nowhere else: walls on both sides
/// of a ball that the floor carries need not press it.
constexpr double kFriction = 1e-3;
/// Share of the cone within which a contact sticks; beyond it keeps its direction.
constexpr double kSticks = 1 - 1e-6;

bool sticks(const FrictionCone& cone, const Vec3& lambda) {
  return std::hypot(lambda.x() / std::max(cone.mu1, 1e-300), lambda.y() / std::max(cone.mu2, 1e-300)) <
         kSticks * lambda.z();
}

}  // namespace

/// Fills R and `held_`, lambda of the rows at work; returns how many these are.
int SelfStress::find_weights(const Problem& problem, std::span<const double> lambda) {
  int active = 0;
  std::fill(held_.begin(), held_.end(), 0.0);
  for (const ConstraintRef& ref : problem.constraints) {
    const std::size_t row = at(ref.row);
    if (ref.kind == ConstraintKind::Contact) {
      const Vec3 impulse = Vec3::from(&lambda[row]);
      Mat3& weight = weights_.contact[at(ref.index)];
      weight = Mat3{};
      if (!(impulse.z() > 0)) continue;
      impulse.store(&held_[row]);
      if (sticks(problem.contacts.cone[at(ref.index)], impulse)) {
        for (int i = 0; i < 3; ++i) weight.col[i] = Vec3::unit(i) * ((i < 2 ? kFriction : 1) * rho_[row]);
        active += 3;
      } else {
        const Vec3 s = impulse * (1 / std::sqrt(dot(impulse, impulse)));
        const double rho = kFriction * rho_[row];
        weight = Mat3{{s * (s.x() * rho), s * (s.y() * rho), s * (s.z() * rho)}};
        ++active;
      }
      continue;
    }
    // Soft rows and dry friction have impulses of their own, which J v and their bounds decide.
    const bool holds = ref.kind == ConstraintKind::Equality ||
                       ((ref.kind == ConstraintKind::Hard || ref.kind == ConstraintKind::Limit) && lambda[row] != 0);
    weights_.scalar[row] = holds ? rho_[row] : 0;
    if (!holds) continue;
    held_[row] = lambda[row];
    ++active;
  }
  return active;
}

/// Moves w R u from `held_` to `out`.
void SelfStress::multiply_weights(const Problem& problem, std::span<const double> u, std::span<double> out) {
  for (const ConstraintRef& ref : problem.constraints) {
    const std::size_t row = at(ref.row);
    if (ref.kind == ConstraintKind::Contact) {
      const Vec3 part = weights_.contact[at(ref.index)] * Vec3::from(&u[row]) * kWeight;
      (Vec3::from(&out[row]) + part).store(&out[row]);
      (Vec3::from(&held_[row]) - part).store(&held_[row]);
    } else if (weights_.scalar[row] != 0) {
      const double part = kWeight * weights_.scalar[row] * u[row];
      out[row] += part;
      held_[row] -= part;
    }
  }
}

bool SelfStress::relax(PreparedProblem& prepared, NewtonMatrix& matrix, std::span<const double> lambda,
                       std::span<double> out) {
  const Problem& problem = prepared.problem();
  for (auto* y : {&rho_, &held_, &u_}) y->resize(at(problem.rows));
  x_.assign(at(problem.n()), 0.0);
  weights_.resize(problem);
  effective_masses(prepared, rho_);
  if (find_weights(problem, lambda) <= problem.n() || !matrix.factorize(problem, kWeight, weights_)) return false;
  std::copy(lambda.begin(), lambda.end(), out.begin());
  for (std::size_t k = 0; k < out.size(); ++k) {
    if (held_[k] != 0) out[k] = 0;
  }
  for (int pass = 0; pass < kPasses; ++pass) {
    std::fill(x_.begin(), x_.end(), 0.0);
    matrix.add_transposed_rows(held_, x_);
    matrix.solve(x_);
    matrix.multiply_rows(x_, u_);
    multiply_weights(problem, u_, out);
  }
  return is_finite(out);
}

}  // namespace uzawa
