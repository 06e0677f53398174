#include "uzawa/solver/constraint_group.hpp"

#include "uzawa/math/scalar_law.hpp"

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
  return can_open && get(impulse, i).z() == 0;
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

Vec3x4 ConstraintGroup::respond(const Problem& problem, const Vec3x4& beta, const Vec3x4& s) const {
  const Vec3x4 *p = parameter, *q = parameter + 1, *r = parameter + 2;
  // A scalar constraint in a lane of its own has it in z, and nothing along the tangents.
  const auto scalar = [&](auto&& impulse_of) {
    Vec3x4 out;
    out.z = impulse_of(&Vec3x4::z);
    if (packed) out.x = impulse_of(&Vec3x4::x), out.y = impulse_of(&Vec3x4::y);
    return out;
  };
  switch (law) {
    case Law::Contact: return project_strict(q->z, s - scaled(*p, beta));
    case Law::EllipticContact: {
      const Vec3x4 argument = s - scaled(*p, beta);
      Vec3x4 out;
      for (int i = 0; i < count; ++i) {
        const int contact = problem.constraints[at(constraint[i])].index;
        out.set_lane(i, uzawa::project_strict(problem.contacts.cone[at(contact)], argument.lane(i)));
      }
      return out;
    }
    case Law::Hard: return scalar([&](auto part) { return hard_impulse(s.*part, beta.*part, p->*part); });
    case Law::Equality: return scalar([&](auto part) { return equality_impulse(s.*part, beta.*part, p->*part); });
    case Law::Soft:
      return scalar([&](auto part) { return soft_impulse(s.*part, beta.*part, p->*part, q->*part, r->*part); });
    case Law::Limit: return scalar([&](auto part) { return limit_impulse(s.*part, beta.*part, p->*part, q->*part); });
    case Law::Friction: return scalar([&](auto part) { return friction_impulse(s.*part, p->*part); });
  }
  return {};
}

}  // namespace uzawa
