#include "uzawa/solver/gauss_seidel.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/math/scalar_law.hpp"

namespace uzawa {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Largest eigenvalue of the tangential 2x2 block: the step that friction may take.
double tangent_bound(const double* w) {
  const double mean = (w[0] + w[4]) / 2, difference = (w[0] - w[4]) / 2;
  return mean + std::hypot(difference, (w[1] + w[3]) / 2);
}

/// Normal by Newton on its own diagonal, then friction with the sliding velocity that the normal change leaves.
Vec3 strict_update(const FrictionCone& cone, const double* w, const Vec3& lambda, const Vec3& u, double relaxation) {
  const double normal = w[8] > 0 ? std::max(0.0, lambda.z() - relaxation * u.z() / w[8]) : lambda.z();
  const double change = normal - lambda.z();
  const double bound = tangent_bound(w);
  Vec3 s{lambda.x(), lambda.y(), normal};
  if (bound > 0) {
    s.set(0, lambda.x() - relaxation * (u.x() + w[2] * change) / bound);
    s.set(1, lambda.y() - relaxation * (u.y() + w[5] * change) / bound);
  }
  return project_strict(cone, s);
}

/// Projection onto the cone of a gradient step with De Saxce's shift.
Vec3 proximal_update(const FrictionCone& cone, const double* w, const Vec3& lambda, const Vec3& u, double relaxation) {
  const double bound = w[0] + w[4] + w[8];  // trace: above the largest eigenvalue
  if (!(bound > 0)) return lambda;
  Vec3 shifted = u;
  shifted.set(2, u.z() + sliding_power(cone, u));
  return project_proximal(cone, lambda - shifted * (relaxation / bound));
}

/// A scalar row alone: its law with the penalty that makes the step exact, beta = 1/W_ii.
double scalar_update(const Problem& problem, const ConstraintRef& ref, double w, double lambda, double u) {
  if (!(w > 0)) return lambda;
  const double beta = 1 / w, s = lambda - beta * u;
  const std::size_t i = at(ref.index);
  switch (ref.kind) {
    case ConstraintKind::Hard: return hard_law(s, beta, problem.hard.e[i]).impulse;
    case ConstraintKind::Equality: return equality_law(s, beta, problem.equality.e[i]).impulse;
    case ConstraintKind::Soft:
      return soft_law(s, beta, problem.soft.e[i], problem.soft.k[i], problem.soft.b[i]).impulse;
    case ConstraintKind::Limit: return limit_law(s, beta, problem.limits.lower[i], problem.limits.upper[i]).impulse;
    case ConstraintKind::Friction: return friction_law(s, beta, problem.friction.bound[i]).impulse;
    case ConstraintKind::Contact: break;
  }
  return lambda;
}

}  // namespace

void gauss_seidel_sweep(const Problem& problem, const PgsSettings& settings, const CompactRows& rows,
                        DelassusOperator& delassus, std::span<double> impulses) {
  for (int c = 0; c < rows.constraints(); ++c) {
    const ConstraintRef& ref = problem.constraints[at(c)];
    double* lambda = &impulses[at(ref.row)];
    double u[3], delta[3];
    delassus.constraint_velocity(rows, c, u);
    const double* w = delassus.diagonal(c);
    if (ref.kind == ConstraintKind::Contact) {
      const FrictionCone& cone = problem.contacts.cone[at(ref.index)];
      const Vec3 slip = Vec3::from(u) + problem.contacts.e[at(ref.index)], old = Vec3::from(lambda);
      const auto update = settings.proximal ? proximal_update : strict_update;
      const Vec3 next = update(cone, w, old, slip, settings.relaxation);
      (next - old).store(delta);
      next.store(lambda);
    } else {
      const double next = scalar_update(problem, ref, w[0], lambda[0], u[0]);
      delta[0] = settings.relaxation * (next - lambda[0]);
      // Over-relaxation must not leave the set that the law allows.
      if (settings.relaxation > 1) delta[0] = next - lambda[0];
      lambda[0] += delta[0];
    }
    delassus.apply(rows, c, delta);
  }
}

}  // namespace uzawa
