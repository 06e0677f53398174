#include "uzawa/solver/laws/law_response.hpp"

#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/math/scalar_law.hpp"

namespace uzawa {

namespace {

/// The argument of a contact's projection: lambda - beta (J v + e + p n).
Vec3 contact_argument(const Problem& problem, const LawParameters& law, int i, const Vec3& u) {
  const int row = problem.contacts.row[at(i)];
  Vec3 s = Vec3::from(&law.multiplier[at(row)]) - (u + problem.contacts.e[at(i)]) * law.beta_of(row);
  if (!law.strict) s.set(2, s.z() - law.beta_of(row) * law.shift[at(i)]);
  return s;
}

/// The response of a moment. With the strict law its bound is the contact's normal impulse at u; surrogates, which are
/// to be convex, have that of the last loop.
MomentResponse respond_moment(const Problem& problem, const LawParameters& law, int i, std::span<const double> u) {
  const int row = problem.moments.row[at(i)], contact = problem.moments.contact[at(i)];
  const int contact_row = problem.contacts.row[at(contact)];
  const MomentCone& cone = problem.moments.cone[at(i)];
  const Vec3 w = Vec3::from(&u[at(row)]) + problem.moments.e[at(i)];
  const Vec3 s = Vec3::from(&law.multiplier[at(row)]) - w * law.beta_of(row);
  if (!law.strict) {
    MomentResponse out = moment_response(cone, s, law.multiplier[at(contact_row + 2)]);
    out.by_normal = {};
    return out;
  }
  const double n = contact_argument(problem, law, contact, Vec3::from(&u[at(contact_row)])).z();
  if (law.smoothing == 0) return moment_response(cone, s, n);
  return smoothed_moment(cone, s, n, law.smoothing, std::sqrt(law.beta_of(row) / law.beta_of(contact_row)));
}

/// Potential of a surrogate's moment, as that of dry friction (friction_law): its bound does not depend on u.
double moment_potential(const LawParameters& law, int row, const Vec3& u, const Vec3& moment) {
  const Vec3 s = Vec3::from(&law.multiplier[at(row)]) - u * law.beta;
  return law.strict ? 0 : (dot(s, moment) - dot(moment, moment) / 2) / law.beta;
}

/// Calls visit(row, response) for every scalar constraint.
template <typename Visit>
void for_each_scalar(const Problem& problem, const LawParameters& law, std::span<const double> u, Visit&& visit) {
  const double tau = law.smoothing;
  const auto argument = [&](int row) { return law.multiplier[at(row)] - law.beta_of(row) * u[at(row)]; };
  for (int i = 0; i < problem.hard.size(); ++i) {
    const int row = problem.hard.row[at(i)];
    const double s = argument(row), e = problem.hard.e[at(i)];
    visit(row, tau > 0 ? smoothed_hard_law(s, law.beta_of(row), e, tau) : hard_law(s, law.beta_of(row), e));
  }
  for (int i = 0; i < problem.equality.size(); ++i) {
    const int row = problem.equality.row[at(i)];
    visit(row, equality_law(argument(row), law.beta_of(row), problem.equality.e[at(i)]));
  }
  for (int i = 0; i < problem.soft.size(); ++i) {
    const int row = problem.soft.row[at(i)];
    visit(row, soft_law(argument(row), law.beta_of(row), problem.soft.e[at(i)], problem.soft.k[at(i)],
                        problem.soft.b[at(i)]));
  }
  for (int i = 0; i < problem.limits.size(); ++i) {
    const int row = problem.limits.row[at(i)];
    const double s = argument(row), lower = problem.limits.lower[at(i)], upper = problem.limits.upper[at(i)];
    visit(row, tau > 0 ? smoothed_limit_law(s, law.beta_of(row), lower, upper, tau)
                       : limit_law(s, law.beta_of(row), lower, upper));
  }
  for (int i = 0; i < problem.friction.size(); ++i) {
    const int row = problem.friction.row[at(i)];
    const double s = argument(row), bound = problem.friction.bound[at(i)];
    visit(row, tau > 0 ? smoothed_friction_law(s, bound, tau) : friction_law(s, law.beta_of(row), bound));
  }
}

Vec3 contact_impulse(const FrictionCone& cone, const Vec3& s, bool strict) {
  return strict ? project_strict(cone, s) : project_proximal(cone, s);
}
Mat3 contact_slope(const FrictionCone& cone, const Vec3& s, bool strict) {
  return strict ? strict_derivative(cone, s) : proximal_derivative(cone, s);
}

}  // namespace

void LawDerivatives::resize(const Problem& problem) {
  contact.resize(at(problem.contacts.size()));
  scalar.resize(at(problem.rows));
  moment.resize(at(problem.moments.size()));
  coupling.resize(at(problem.moments.size()));
}

void LawDerivatives::set_to_one(const Problem& problem) {
  contact.assign(at(problem.contacts.size()), Mat3::identity());
  scalar.assign(at(problem.rows), 1.0);
  moment.assign(at(problem.moments.size()), Mat3::identity());
  coupling.assign(at(problem.moments.size()), Mat3{});
}

void constraint_impulses(const Problem& problem, const LawParameters& law, std::span<const double> u,
                         std::span<double> impulse) {
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const int row = problem.contacts.row[at(i)];
    const Vec3 s = contact_argument(problem, law, i, Vec3::from(&u[at(row)]));
    contact_impulse(problem.contacts.cone[at(i)], s, law.strict).store(&impulse[at(row)]);
  }
  for (int i = 0; i < problem.moments.size(); ++i) {
    respond_moment(problem, law, i, u).moment.store(&impulse[at(problem.moments.row[at(i)])]);
  }
  for_each_scalar(problem, law, u, [&](int row, const ScalarResponse& r) { impulse[at(row)] = r.impulse; });
}

double constraint_response(const Problem& problem, const LawParameters& law, std::span<const double> u,
                           std::span<double> impulse, LawDerivatives& derivatives) {
  double potential = 0;
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const int row = problem.contacts.row[at(i)];
    const FrictionCone& cone = problem.contacts.cone[at(i)];
    const Vec3 s = contact_argument(problem, law, i, Vec3::from(&u[at(row)]));
    if (law.smoothing > 0) {
      const SmoothedImpulse smoothed = smoothed_strict(cone, s, law.smoothing);
      smoothed.impulse.store(&impulse[at(row)]);
      derivatives.contact[at(i)] = smoothed.slope;
      continue;
    }
    const Vec3 lambda = contact_impulse(cone, s, law.strict);
    lambda.store(&impulse[at(row)]);
    derivatives.contact[at(i)] = contact_slope(cone, s, law.strict);
    if (!law.strict) potential += dot(lambda, lambda) / (2 * law.beta);
  }
  for (int i = 0; i < problem.moments.size(); ++i) {
    const int row = problem.moments.row[at(i)];
    const MomentResponse r = respond_moment(problem, law, i, u);
    r.moment.store(&impulse[at(row)]);
    derivatives.moment[at(i)] = r.slope;
    derivatives.coupling[at(i)] = {{{}, {}, r.by_normal}};
    potential += moment_potential(law, row, Vec3::from(&u[at(row)]), r.moment);
  }
  for_each_scalar(problem, law, u, [&](int row, const ScalarResponse& r) {
    impulse[at(row)] = r.impulse;
    derivatives.scalar[at(row)] = r.slope;
    potential += r.potential;
  });
  return potential;
}

DirectionalSlope directional_slope(const Problem& problem, const LawParameters& law, std::span<const double> u,
                                   std::span<const double> du) {
  DirectionalSlope slope;
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const int row = problem.contacts.row[at(i)];
    const FrictionCone& cone = problem.contacts.cone[at(i)];
    const Vec3 s = contact_argument(problem, law, i, Vec3::from(&u[at(row)]));
    const Vec3 direction = Vec3::from(&du[at(row)]);
    slope.first -= dot(contact_impulse(cone, s, law.strict), direction);
    slope.second += law.beta * dot(direction, contact_slope(cone, s, law.strict) * direction);
  }
  for (int i = 0; i < problem.moments.size(); ++i) {
    const MomentResponse r = respond_moment(problem, law, i, u);
    const Vec3 direction = Vec3::from(&du[at(problem.moments.row[at(i)])]);
    slope.first -= dot(r.moment, direction);
    slope.second += law.beta * dot(direction, r.slope * direction);
  }
  for_each_scalar(problem, law, u, [&](int row, const ScalarResponse& r) {
    slope.first -= r.impulse * du[at(row)];
    slope.second += law.beta * r.slope * du[at(row)] * du[at(row)];
  });
  return slope;
}

}  // namespace uzawa
