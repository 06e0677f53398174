#include "solver/convex_merit.hpp"

#include <algorithm>
#include <cmath>

#include "problem/random_problem.hpp"
#include "support/dense_jacobian.hpp"
#include "uzawa/base/at.hpp"
#include "uzawa/problem/constraint_law.hpp"

namespace uzawa::test {

namespace {

constexpr double kStep = 1e-6;  // of the differences: rounding of a merit of order 1e2 leaves 1e-8

/// max over lambda in the cone of lambda . s - |lambda|^2/2: s itself where it is inside, else the best of the rays.
double largest_in_cone(const FrictionCone& cone, const Eigen::Vector3d& s) {
  const double reach = std::hypot(s.x() * cone.mu2, s.y() * cone.mu1);
  if (s.z() >= 0 && reach <= cone.mu1 * cone.mu2 * s.z() && cone.mu1 * cone.mu2 > 0) return s.squaredNorm() / 2;
  const auto along = [&](double angle) {
    const Eigen::Vector3d ray(cone.mu1 * std::cos(angle), cone.mu2 * std::sin(angle), 1);
    const double part = std::max(0.0, s.dot(ray));
    return part * part / (2 * ray.squaredNorm());
  };
  constexpr int kRays = 720;
  constexpr double kWidth = 2 * M_PI / kRays;
  double best = 0;
  for (int i = 1; i < kRays; ++i) best = along(i * kWidth) > along(best) ? i * kWidth : best;
  // Thirds of the interval around the best ray, until the angle has no digits left.
  double low = best - kWidth, high = best + kWidth;
  while (high - low > 1e-9) {
    const double left = low + (high - low) / 3, right = high - (high - low) / 3;
    (along(left) < along(right) ? low : high) = along(left) < along(right) ? left : right;
  }
  return along((low + high) / 2);
}

}  // namespace

ConvexMerit::ConvexMerit(const Problem& problem, const LawParameters& law)
    : problem_(problem),
      law_(law),
      a_(dense_a(problem)),
      j_(dense_jacobian(problem)),
      b_(Eigen::Map<const Eigen::VectorXd>(problem.b.data(), problem.n())) {}

double ConvexMerit::operator()(const Eigen::VectorXd& v) const {
  const Eigen::VectorXd u = j_ * v;
  double sum = v.dot(a_ * v) / 2 - b_.dot(v);
  for (int c = 0; c < static_cast<int>(problem_.constraints.size()); ++c) sum += potential(c, u);
  return sum;
}

/// A law with a set of impulses: max over lambda in it of -lambda (u + e) - (lambda - m)^2/(2 beta). A law with a set
/// of velocities, or with an energy: min over z of that energy + m (z - u) + beta (u - z)^2/2. Constants are left out.
double ConvexMerit::potential(int constraint, const Eigen::VectorXd& u) const {
  const ConstraintRef& ref = problem_.constraints[at(constraint)];
  const ConstraintLaw law = law_of(problem_, constraint);
  const double beta = law_.beta, m = law_.multiplier[at(ref.row)], x = u[ref.row];
  const double s = m - beta * (x + law.e.z());
  switch (ref.kind) {
    case ConstraintKind::Contact: {
      Eigen::Vector3d argument;
      for (int d = 0; d < 3; ++d) argument[d] = law_.multiplier[at(ref.row + d)] - beta * (u[ref.row + d] + law.e[d]);
      argument.z() -= beta * law_.shift[at(ref.index)];
      return largest_in_cone(law.cone, argument) / beta;
    }
    case ConstraintKind::Hard: return s > 0 ? s * s / (2 * beta) : 0;
    case ConstraintKind::Equality: return s * s / (2 * beta);
    case ConstraintKind::Soft: {
      const double z = (beta * x - m - law.k * law.e.z()) / (law.b + beta);
      return law.b * z * z / 2 + law.k * law.e.z() * z + m * (z - x) + beta * (x - z) * (x - z) / 2;
    }
    case ConstraintKind::Limit: {
      const double target = x - m / beta, distance = target - std::clamp(target, law.lower, law.upper);
      return beta * distance * distance / 2;
    }
    case ConstraintKind::Friction: {
      const double best = std::clamp(m - beta * x, -law.bound, law.bound);
      return (best * (m - beta * x) - best * best / 2) / beta;
    }
    case ConstraintKind::Moment: break;  // couples constraints: not among these problems
  }
  return 0;
}

Eigen::VectorXd ConvexMerit::gradient(const Eigen::VectorXd& v) const {
  Eigen::VectorXd out(v.size());
  for (Eigen::Index i = 0; i < v.size(); ++i) {
    const Eigen::VectorXd step = Eigen::VectorXd::Unit(v.size(), i) * kStep;
    out[i] = ((*this)(v + step) - (*this)(v - step)) / (2 * kStep);
  }
  return out;
}

double ConvexMerit::error() const {
  constexpr double kRounding = 1e-7;
  return kStep * (a_ + law_.beta * j_.transpose() * j_).norm() + kRounding;
}

}  // namespace uzawa::test
