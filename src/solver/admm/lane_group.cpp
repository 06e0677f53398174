#include "uzawa/solver/admm/lane_group.hpp"

#include "uzawa/base/at.hpp"

namespace uzawa {

LaneGroup::Law LaneGroup::law_of(const Problem& problem, int constraint) {
  const ConstraintRef& ref = problem.constraints[at(constraint)];
  switch (ref.kind) {
    case ConstraintKind::Contact:
      return problem.contacts.cone[at(ref.index)].isotropic() ? Law::Contact : Law::EllipticContact;
    case ConstraintKind::Hard: return Law::Hard;
    case ConstraintKind::Equality: return Law::Equality;
    case ConstraintKind::Soft: return Law::Soft;
    case ConstraintKind::Limit: return Law::Limit;
    case ConstraintKind::Friction: return Law::Friction;
    case ConstraintKind::Moment: return Law::Moment;
  }
  return Law::Contact;
}

Vec3Wide LaneGroup::weights_with(double open) const {
  const bool can_open = is_contact(law) || law == Law::Hard || law == Law::Limit;
  if (!can_open) return full_weight;
  const WideLanes none{}, lighter = broadcast_wide(open), one = broadcast_wide(1);
  const auto weight_of = [&](const WideLanes& push) { return push == none ? lighter : one; };
  if (packed) return scaled(full_weight, {weight_of(impulse.x), weight_of(impulse.y), weight_of(impulse.z)});
  const WideLanes all = weight_of(dot(impulse, impulse));
  return full_weight * all;
}

void LaneGroup::fill_law(const Problem& problem) {
  int index[kPlaces];
  for (int i = 0; i < count; ++i) index[i] = problem.constraints[at(constraint[i])].index;
  const auto set = [&](int k, const std::vector<double>& values) {
    for (int i = 0; i < count; ++i) put(parameter[k], i, {0, 0, values[at(index[i])]});
  };
  switch (law) {
    case Law::Contact:
    case Law::EllipticContact:
      parameter[0].set(gather_wide([&](int i) { return i < count ? problem.contacts.e[at(index[i])] : Vec3{}; }));
      parameter[1].z = wide_of([&](int i) { return i < count ? problem.contacts.cone[at(index[i])].mu1 : 0; });
      break;
    case Law::Hard: set(0, problem.hard.e); break;
    case Law::Equality: set(0, problem.equality.e); break;
    case Law::Soft:
      set(0, problem.soft.e);
      set(1, problem.soft.k);
      set(2, problem.soft.b);
      break;
    case Law::Limit:
      set(0, problem.limits.lower);
      set(1, problem.limits.upper);
      break;
    case Law::Friction: set(0, problem.friction.bound); break;
    case Law::Moment:
      parameter[1].set(gather_wide([&](int i) { return i < count ? problem.moments.e[at(index[i])] : Vec3{}; }));
      break;
  }
}

Vec3Wide LaneGroup::respond_elliptic(const Problem& problem, const Vec3Wide& s) const {
  Vec3Wide out;
  for (int i = 0; i < count; ++i) {
    const int contact = problem.constraints[at(constraint[i])].index;
    out.set_lane(i, uzawa::project_strict(problem.contacts.cone[at(contact)], s.lane(i)));
  }
  return out;
}

Vec3Wide LaneGroup::respond_moments(const Problem& problem, const Vec3Wide& s) const {
  Vec3Wide out;
  for (int i = 0; i < count; ++i) {
    const MomentCone& cone = problem.moments.cone[at(problem.constraints[at(constraint[i])].index)];
    out.set_lane(i, project_moment(cone, s.lane(i), parameter[0].lane(i).z()));
  }
  return out;
}

}  // namespace uzawa
