#include "uzawa/solver/constraint_group.hpp"

namespace uzawa {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

ConstraintGroup::Law ConstraintGroup::law_of(const Problem& problem, int constraint) {
  const ConstraintRef& ref = problem.constraints[at(constraint)];
  switch (ref.kind) {
    case ConstraintKind::Contact:
      return problem.contacts.cone[at(ref.index)].isotropic() ? Law::Contact : Law::EllipticContact;
    case ConstraintKind::Hard: return Law::Hard;
    case ConstraintKind::Equality: return Law::Equality;
    case ConstraintKind::Soft: return Law::Soft;
    case ConstraintKind::Limit: return Law::Limit;
    case ConstraintKind::Friction: return Law::Friction;
  }
  return Law::Contact;
}

void ConstraintGroup::set_weight(int i, double value) {
  put(weight, i, {value, value, value});
  put(inverse_weight, i, {1 / value, 1 / value, 1 / value});
}

bool ConstraintGroup::is_open(int i) const {
  const bool can_open = is_contact(law) || law == Law::Hard || law == Law::Limit;
  const Vec3 push = get(impulse, i);
  return can_open && push.x() == 0 && push.y() == 0 && push.z() == 0;
}

void ConstraintGroup::fill_law(const Problem& problem, int i) {
  const std::size_t index = at(problem.constraints[at(constraint[i])].index);
  const auto set = [&](int k, double value) { put(parameter[k], i, {0, 0, value}); };
  switch (law) {
    case Law::Contact:
    case Law::EllipticContact:
      put(parameter[0], i, problem.contacts.e[index]);
      set(1, problem.contacts.cone[index].mu1);
      break;
    case Law::Hard: set(0, problem.hard.e[index]); break;
    case Law::Equality: set(0, problem.equality.e[index]); break;
    case Law::Soft:
      set(0, problem.soft.e[index]);
      set(1, problem.soft.k[index]);
      set(2, problem.soft.b[index]);
      break;
    case Law::Limit:
      set(0, problem.limits.lower[index]);
      set(1, problem.limits.upper[index]);
      break;
    case Law::Friction: set(0, problem.friction.bound[index]); break;
  }
}

Vec3x4 ConstraintGroup::respond_elliptic(const Problem& problem, const Vec3x4& s) const {
  Vec3x4 out;
  for (int i = 0; i < count; ++i) {
    const int contact = problem.constraints[at(constraint[i])].index;
    out.set_lane(i, uzawa::project_strict(problem.contacts.cone[at(contact)], s.lane(i)));
  }
  return out;
}

}  // namespace uzawa
