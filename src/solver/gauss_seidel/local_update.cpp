#include "uzawa/solver/gauss_seidel/local_update.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/math/scalar_law.hpp"
#include "uzawa/solver/gauss_seidel/local_contact.hpp"

namespace uzawa {

namespace {

/// Largest eigenvalue of the tangential 2x2 block: the step that friction may take.
double tangent_bound(const double* w) {
  const double mean = (w[0] + w[4]) / 2, difference = (w[0] - w[4]) / 2;
  return mean + length(difference, (w[1] + w[3]) / 2);
}

/// Normal by Newton on its own diagonal, then friction with the sliding velocity that the normal change leaves.
Vec3 split_update(const FrictionCone& cone, const double* w, const Vec3& lambda, const Vec3& u, double relaxation) {
  const double normal = w[8] > 0 ? std::max(0.0, lambda.z() - relaxation * u.z() / w[8]) : lambda.z();
  const double change = normal - lambda.z();
  const double bound = tangent_bound(w);
  Vec3 s{lambda.x(), lambda.y(), normal};
  if (bound > 0) {
    const double step = relaxation / bound;
    s.set(0, lambda.x() - step * (u.x() + w[2] * change));
    s.set(1, lambda.y() - step * (u.y() + w[5] * change));
  }
  return project_strict(cone, s);
}

/// The contact's own 3x3 problem solved exactly; over-relaxed, then back into the cone.
Vec3 exact_update(const FrictionCone& cone, const double* w, const Vec3& lambda, const Vec3& u, double relaxation) {
  const Vec3 q = u - Mat3{{{w[0], w[3], w[6]}, {w[1], w[4], w[7]}, {w[2], w[5], w[8]}}} * lambda;
  Vec3 solved;
  if (!solve_contact(cone, w, q, u, lambda, solved)) return split_update(cone, w, lambda, u, relaxation);
  return relaxation == 1 ? solved : project_strict(cone, lambda + (solved - lambda) * relaxation);
}

/// Projection onto the cone of a gradient step with De Saxce's shift.
Vec3 proximal_update(const FrictionCone& cone, const double* w, const Vec3& lambda, const Vec3& u, double relaxation) {
  const double bound = w[0] + w[4] + w[8];  // trace: above the largest eigenvalue
  if (!(bound > 0)) return lambda;
  Vec3 shifted = u;
  shifted.set(2, u.z() + sliding_power(cone, u));
  return project_proximal(cone, lambda - shifted * (relaxation / bound));
}

/// A scalar row alone: its law with the penalty 1/W_ii that makes the step exact, or more of it. The law's fixed point
/// does not depend on the penalty, and what it returns is always an impulse that it allows.
double scalar_update(const Problem& problem, const ConstraintRef& ref, double w, double lambda, double u,
                     double relaxation) {
  if (!(w > 0)) return lambda;
  const double beta = relaxation / w, s = lambda - beta * u;
  const std::size_t i = at(ref.index);
  switch (ref.kind) {
    case ConstraintKind::Hard: return hard_law(s, beta, problem.hard.e[i]).impulse;
    case ConstraintKind::Equality: return equality_law(s, beta, problem.equality.e[i]).impulse;
    case ConstraintKind::Soft:
      return soft_law(s, beta, problem.soft.e[i], problem.soft.k[i], problem.soft.b[i]).impulse;
    case ConstraintKind::Limit: return limit_law(s, beta, problem.limits.lower[i], problem.limits.upper[i]).impulse;
    case ConstraintKind::Friction: return friction_law(s, beta, problem.friction.bound[i]).impulse;
    case ConstraintKind::Contact:
    case ConstraintKind::Moment: break;
  }
  return lambda;
}

/// A moment with the normal impulse that there is: rolling by the step that its 2x2 block allows, then spin with the
/// angular velocity that is left.
Vec3 moment_update(const MomentCone& cone, const double* w, const Vec3& lambda, const Vec3& u, double n,
                   double relaxation) {
  const double bound = tangent_bound(w), step = bound > 0 ? relaxation / bound : 0;
  const Vec3 roll = project_moment(cone, lambda - Vec3{u.x(), u.y(), 0} * step, n);
  const double spin = u.z() + w[6] * (roll.x() - lambda.x()) + w[7] * (roll.y() - lambda.y());
  return project_moment(cone, {roll.x(), roll.y(), lambda.z() - (w[8] > 0 ? relaxation * spin / w[8] : 0)}, n);
}

Vec3 contact_update(PgsLocal local, const FrictionCone& cone, const double* w, const Vec3& lambda, const Vec3& u,
                    double relaxation) {
  switch (local) {
    case PgsLocal::Exact: break;
    case PgsLocal::Split: return split_update(cone, w, lambda, u, relaxation);
    case PgsLocal::Proximal: return proximal_update(cone, w, lambda, u, relaxation);
  }
  return exact_update(cone, w, lambda, u, relaxation);
}

}  // namespace

void update_impulse(const Problem& problem, int constraint, PgsLocal local, const double* w, const double* u,
                    double relaxation, double* lambda) {
  const ConstraintRef& ref = problem.constraints[at(constraint)];
  if (ref.kind == ConstraintKind::Contact) {
    const FrictionCone& cone = problem.contacts.cone[at(ref.index)];
    const Vec3 slip = Vec3::from(u) + problem.contacts.e[at(ref.index)];
    contact_update(local, cone, w, Vec3::from(lambda), slip, relaxation).store(lambda);
  } else if (ref.kind == ConstraintKind::Moment) {
    const double n = lambda[problem.contacts.row[at(problem.moments.contact[at(ref.index)])] + 2 - ref.row];
    const MomentCone& cone = problem.moments.cone[at(ref.index)];
    const Vec3 turning = Vec3::from(u) + problem.moments.e[at(ref.index)];
    moment_update(cone, w, Vec3::from(lambda), turning, n, relaxation).store(lambda);
  } else {
    lambda[0] = scalar_update(problem, ref, w[0], lambda[0], u[0], relaxation);
  }
}

}  // namespace uzawa
