#include "uzawa/problem/constraint_law.hpp"

namespace uzawa {

const char* kind_name(ConstraintKind kind) {
  static constexpr const char* kNames[] = {"contact", "hard", "equality", "soft", "limit", "friction", "moment"};
  return kNames[static_cast<int>(kind)];
}

ConstraintLaw law_of(const Problem& problem, int constraint) {
  const ConstraintRef& ref = problem.constraints[static_cast<std::size_t>(constraint)];
  const auto i = static_cast<std::size_t>(ref.index);
  ConstraintLaw law;
  law.kind = ref.kind;
  switch (ref.kind) {
    case ConstraintKind::Contact:
      law.cone = problem.contacts.cone[i];
      law.e = problem.contacts.e[i];
      break;
    case ConstraintKind::Hard: law.e.set(2, problem.hard.e[i]); break;
    case ConstraintKind::Equality: law.e.set(2, problem.equality.e[i]); break;
    case ConstraintKind::Soft:
      law.e.set(2, problem.soft.e[i]);
      law.k = problem.soft.k[i];
      law.b = problem.soft.b[i];
      break;
    case ConstraintKind::Limit:
      law.lower = problem.limits.lower[i];
      law.upper = problem.limits.upper[i];
      break;
    case ConstraintKind::Friction: law.bound = problem.friction.bound[i]; break;
    case ConstraintKind::Moment:
      law.moment = problem.moments.cone[i];
      law.e = problem.moments.e[i];
      break;
  }
  return law;
}

void add_constraint(Problem& problem, const ConstraintLaw& law, const std::vector<Attachment>& at) {
  switch (law.kind) {
    case ConstraintKind::Contact: problem.add_contact(law.cone, law.e, at); break;
    case ConstraintKind::Hard: problem.add_hard(law.e.z(), at); break;
    case ConstraintKind::Equality: problem.add_equality(law.e.z(), at); break;
    case ConstraintKind::Soft: problem.add_soft(law.e.z(), law.k, law.b, at); break;
    case ConstraintKind::Limit: problem.add_limit(law.lower, law.upper, at); break;
    case ConstraintKind::Friction: problem.add_friction(law.bound, at); break;
    case ConstraintKind::Moment: problem.add_moment(law.moment, at, law.e); break;
  }
}

}  // namespace uzawa
