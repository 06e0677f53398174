#include "uzawa/solver/cond/local_laws.hpp"

#include <algorithm>

#include "uzawa/base/at.hpp"
#include "uzawa/math/scalar_law.hpp"
#include "uzawa/math/vec3_lanes.hpp"

namespace uzawa {

void LocalLaws::prepare(const Problem& problem, CondOperator contact) {
  problem_ = &problem;
  contact_ = contact;
  in_lanes_.assign(problem.constraints.size(), 0);
  mu_.assign(problem.constraints.size(), 0.0);
  if (contact != CondOperator::Strict) return;
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const FrictionCone& cone = problem.contacts.cone[at(i)];
    const std::size_t c = at(problem.contacts.constraint[at(i)]);
    in_lanes_[c] = cone.isotropic();
    mu_[c] = cone.mu1;
  }
}

Vec3 LocalLaws::solve_one(int c, const Vec3& u_star, double gamma) const {
  const ConstraintRef& ref = problem_->constraints[at(c)];
  const std::size_t i = at(ref.index);
  const double beta = 1 / gamma, s = -u_star.z() * beta;
  switch (ref.kind) {
    case ConstraintKind::Contact: {
      const Vec3 free = (u_star + problem_->contacts.e[i]) * -beta;
      const FrictionCone& cone = problem_->contacts.cone[i];
      return contact_ == CondOperator::Strict ? project_strict(cone, free) : project_proximal(cone, free);
    }
    case ConstraintKind::Hard: return {0, 0, hard_impulse(s, beta, problem_->hard.e[i])};
    case ConstraintKind::Equality: return {0, 0, equality_impulse(s, beta, problem_->equality.e[i])};
    case ConstraintKind::Soft:
      return {0, 0, soft_impulse(s, beta, problem_->soft.e[i], problem_->soft.k[i], problem_->soft.b[i])};
    case ConstraintKind::Limit:
      return {0, 0, limit_impulse(s, beta, problem_->limits.lower[i], problem_->limits.upper[i])};
    case ConstraintKind::Friction: return {0, 0, friction_impulse(s, problem_->friction.bound[i])};
    case ConstraintKind::Moment: break;
  }
  return {};
}

void LocalLaws::solve(int begin, int end, const Vec3* u_star, const double* gamma, Vec3* lambda) const {
  for (int c = begin; c < end;) {
    if (!in_lanes_[at(c)]) {
      lambda[c] = solve_one(c, u_star[c], gamma[c]);
      ++c;
      continue;
    }
    int count = 1;
    while (count < kWide && c + count < end && in_lanes_[at(c + count)]) ++count;
    const auto place = [&](int lane) { return at(c + std::min(lane, count - 1)); };  // the last fills the lanes
    const auto free = [&](int lane) {
      const std::size_t k = place(lane);
      return (u_star[k] + problem_->contacts.e[at(problem_->constraints[k].index)]) * (-1 / gamma[k]);
    };
    const Vec3Wide found =
        project_strict<kWide>(wide_of([&](int lane) { return mu_[place(lane)]; }), gather_wide(free));
    for (int lane = 0; lane < count; ++lane) lambda[c + lane] = found.lane(lane);
    c += count;
  }
}

}  // namespace uzawa
