#include "uzawa/problem/judge.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/math/scalar_law.hpp"
#include "uzawa/problem/constraint_law.hpp"
#include "uzawa/problem/tally.hpp"

namespace uzawa {

namespace {

double fischer_burmeister(double a, double b) { return length(a, b) - a - b; }

/// How far the tangential impulse is below what friction allows, N s; negative outside the cone.
double cone_slack(const FrictionCone& cone, const Vec3& impulse) {
  if (cone.isotropic()) return cone.mu1 * impulse.z() - length(impulse.x(), impulse.y());
  return std::max(cone.mu1, cone.mu2) * (impulse.z() - length(impulse.x() / cone.mu1, impulse.y() / cone.mu2));
}

/// Part of the residual: how far the impulse is from the fixed point of the strict law.
void judge_contact(const Problem& problem, int i, const Vec3& jv, const Vec3& impulse, Tally& tally) {
  const Vec3 u = jv + problem.contacts.e[at(i)];
  tally.add(ConstraintKind::Contact, problem.contacts.constraint[at(i)],
            norm(impulse - project_strict(problem.contacts.cone[at(i)], impulse - u)));
}

/// Everything else that a verdict says of a contact.
void measure_contact(const Problem& problem, int i, const Vec3& jv, const Vec3& impulse, const Vec3& free,
                     Tally& tally) {
  const FrictionCone& cone = problem.contacts.cone[at(i)];
  const Vec3& e = problem.contacts.e[at(i)];
  const Vec3 u = jv + e;
  tally.add_penetration(-u.z());
  tally.add_cone_violation(norm(impulse - project_strict(cone, impulse)));
  tally.add_complementarity(std::abs(impulse.z() * u.z()));
  const double power = impulse.x() * u.x() + impulse.y() * u.y();
  tally.add_dissipation(std::abs(std::max(0.0, impulse.z()) * sliding_power(cone, u) + power));

  // Signorini pair, and cone boundary against sliding speed.
  const double slip = length(u.x(), u.y());
  const double slack = cone_slack(cone, impulse);
  const double normal_pair = fischer_burmeister(impulse.z(), u.z()), friction_pair = fischer_burmeister(slack, slip);
  Verdict::ContactSquares& squares = tally.contact_squares();
  squares.pairs += normal_pair * normal_pair + friction_pair * friction_pair;

  Vec3 shifted = impulse - u;
  shifted.set(2, shifted.z() - sliding_power(cone, u));
  const Vec3 natural = impulse - project_proximal(cone, shifted);
  squares.natural += dot(natural, natural);
  squares.free += dot(free + e, free + e);
  squares.impulse += dot(impulse, impulse);
  squares.velocity += dot(u, u);
}

/// How far a moment is from the fixed point of its law, with the normal impulse that the contact's law asks for.
Vec3 moment_miss(const Problem& problem, int i, std::span<const double> u, std::span<const double> lambda) {
  const std::size_t contact = at(problem.moments.contact[at(i)]), normal = at(problem.contacts.row[contact] + 2);
  const std::size_t row = at(problem.moments.row[at(i)]);
  const Vec3 impulse = Vec3::from(&lambda[row]);
  const double n = lambda[normal] - u[normal] - problem.contacts.e[contact].z();
  return impulse -
         project_moment(problem.moments.cone[at(i)], impulse - Vec3::from(&u[row]) - problem.moments.e[at(i)], n);
}

/// Everything else that a verdict says of a moment.
void measure_moment(const Problem& problem, int i, std::span<const double> u, std::span<const double> lambda,
                    const Vec3& free, Tally& tally) {
  const MomentCone& cone = problem.moments.cone[at(i)];
  const std::size_t row = at(problem.moments.row[at(i)]);
  const double n = lambda[at(problem.contacts.row[at(problem.moments.contact[at(i)])] + 2)];
  const Vec3 w = Vec3::from(&u[row]) + problem.moments.e[at(i)], impulse = Vec3::from(&lambda[row]);
  tally.add_cone_violation(norm(impulse - project_moment(cone, impulse, n)));
  tally.add_dissipation(std::abs(std::max(0.0, n) * turning_power(cone, w) + dot(impulse, w)));

  const auto pair_of = [n](const FrictionCone& part, double m1, double m2, double speed) {
    const double miss = part.mu1 == 0 ? length(m1, m2) : fischer_burmeister(cone_slack(part, {m1, m2, n}), speed);
    return miss * miss;
  };
  Verdict::ContactSquares& squares = tally.contact_squares();
  squares.pairs += pair_of(cone.roll(), impulse.x(), impulse.y(), length(w.x(), w.y()));
  squares.pairs += pair_of(cone.twist(), impulse.z(), 0, std::abs(w.z()));
  const Vec3 miss = moment_miss(problem, i, u, lambda);
  squares.natural += dot(miss, miss);
  const Vec3 unbraked = free + problem.moments.e[at(i)];
  squares.free += dot(unbraked, unbraked);
  squares.impulse += dot(impulse, impulse);
  squares.velocity += dot(w, w);
}

void judge_scalars(const Problem& problem, std::span<const double> u, std::span<const double> lambda, Tally& tally) {
  const auto judge = [&](ConstraintKind kind, int constraint, int row, auto law) {
    // The fixed point of the law at beta = 1: lambda = law(lambda - J v).
    tally.add(kind, constraint, std::abs(lambda[at(row)] - law(lambda[at(row)] - u[at(row)]).impulse));
  };
  for (int i = 0; i < problem.hard.size(); ++i) {
    const int row = problem.hard.row[at(i)];
    const double e = problem.hard.e[at(i)], gap = u[at(row)] + e;
    judge(ConstraintKind::Hard, problem.hard.constraint[at(i)], row, [&](double s) { return hard_law(s, 1, e); });
    tally.add_penetration(-gap);
    tally.add_cone_violation(-lambda[at(row)]);
    tally.add_complementarity(std::abs(lambda[at(row)] * gap));
  }
  for (int i = 0; i < problem.equality.size(); ++i) {
    const int row = problem.equality.row[at(i)];
    const double e = problem.equality.e[at(i)];
    judge(ConstraintKind::Equality, problem.equality.constraint[at(i)], row,
          [&](double s) { return equality_law(s, 1, e); });
    tally.add_penetration(std::abs(u[at(row)] + e));
  }
  for (int i = 0; i < problem.soft.size(); ++i) {
    judge(ConstraintKind::Soft, problem.soft.constraint[at(i)], problem.soft.row[at(i)], [&](double s) {
      return soft_law(s, 1, problem.soft.e[at(i)], problem.soft.k[at(i)], problem.soft.b[at(i)]);
    });
  }
  for (int i = 0; i < problem.limits.size(); ++i) {
    const int row = problem.limits.row[at(i)];
    const double lower = problem.limits.lower[at(i)], upper = problem.limits.upper[at(i)];
    judge(ConstraintKind::Limit, problem.limits.constraint[at(i)], row,
          [&](double s) { return limit_law(s, 1, lower, upper); });
    tally.add_penetration(std::max(lower - u[at(row)], u[at(row)] - upper));
  }
  for (int i = 0; i < problem.friction.size(); ++i) {
    const int row = problem.friction.row[at(i)];
    const double bound = problem.friction.bound[at(i)];
    judge(ConstraintKind::Friction, problem.friction.constraint[at(i)], row,
          [&](double s) { return friction_law(s, 1, bound); });
    tally.add_cone_violation(std::abs(lambda[at(row)]) - bound);
  }
}

Vec3 contact_part(std::span<const double> rows, int row) { return Vec3::from(rows.data() + row); }

}  // namespace

std::string Verdict::worst_name(const Problem& problem) const {
  if (worst_constraint < 0) return "none";
  const ConstraintKind kind = problem.constraints[at(worst_constraint)].kind;
  return std::string(kind_name(kind)) + " constraint " + std::to_string(worst_constraint);
}

void Judge::look(const PreparedProblem& prepared, std::span<const double> lambda) {
  v_.resize(at(prepared.problem().n()));
  u_.resize(at(prepared.problem().rows));
  prepared.velocity(lambda, v_);
  prepared.constraint_velocity(v_, u_);
  ++looks_;
}

void Judge::judge(const Problem& problem, std::span<const double> lambda, Tally& tally) const {
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const int row = problem.contacts.row[at(i)];
    judge_contact(problem, i, contact_part(u_, row), contact_part(lambda, row), tally);
  }
  for (int i = 0; i < problem.moments.size(); ++i) {
    tally.add(ConstraintKind::Moment, problem.moments.constraint[at(i)], norm(moment_miss(problem, i, u_, lambda)));
  }
  judge_scalars(problem, u_, lambda, tally);
}

double Judge::residual(const PreparedProblem& prepared, std::span<const double> lambda) {
  look(prepared, lambda);
  Tally tally;
  judge(prepared.problem(), lambda, tally);
  return tally.finish(prepared.problem().constraints.size()).residual;
}

void Judge::list_above(const PreparedProblem& prepared, std::span<const double> lambda, double error,
                       std::vector<int>& constraints) {
  look(prepared, lambda);
  Tally tally;
  constraints.clear();
  tally.list_above(error, constraints);
  judge(prepared.problem(), lambda, tally);
}

Verdict Judge::verdict(const PreparedProblem& prepared, std::span<const double> lambda) const {
  const Problem& problem = prepared.problem();
  const std::span<const double> free = prepared.free_constraint_velocity();
  Tally tally;
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const int row = problem.contacts.row[at(i)];
    measure_contact(problem, i, contact_part(u_, row), contact_part(lambda, row), contact_part(free, row), tally);
  }
  for (int i = 0; i < problem.moments.size(); ++i) {
    measure_moment(problem, i, u_, lambda, contact_part(free, problem.moments.row[at(i)]), tally);
  }
  judge(problem, lambda, tally);
  return tally.finish(problem.constraints.size());
}

Verdict Judge::evaluate(const PreparedProblem& prepared, std::span<const double> lambda) {
  look(prepared, lambda);
  return verdict(prepared, lambda);
}

}  // namespace uzawa
