/// Who goes into a group with whom: constraints with one law, one number of sides and one kind of hold.
#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/solver/admm/constraint_step.hpp"

namespace uzawa {

ConstraintStep::Shape ConstraintStep::shape_of(const Problem& problem, const AdmmSubsystems& subsystems, int c) const {
  const int first = subsystems.side_start(c), count = subsystems.side_start(c + 1) - first;
  const std::span<const AdmmSide> sides = subsystems.sides().subspan(at(first), at(count));
  const Group::Law law = Group::law_of(problem, c);
  const auto shares_frame = [&](const AdmmSide& side) {
    const Vec3 *mine = side.from->frame.col, *others = sides[0].from->frame.col;
    double difference = 0;
    for (int k = 0; k < 3; ++k) difference += dot(mine[k] - others[k], mine[k] - others[k]);
    return difference == 0;
  };
  int points = 0, joints = 0;
  for (const AdmmSide& side : sides) {
    points += side.kind == AdmmSideKind::Point ? 1 : 0;
    joints += side.kind == AdmmSideKind::Joint ? 1 : 0;
  }
  if (law == Group::Law::Moment) return {law, Group::Hold::Mixed, count, false};
  if (joints == count) return {law, Group::Hold::Joints, count, false};
  if (points == 0) return {law, Group::Hold::Rows, count, false};
  if (points < count || !std::all_of(sides.begin() + 1, sides.end(), shares_frame)) {
    return {law, Group::Hold::Mixed, count, false};
  }
  return {law, Group::Hold::Points, count, law == Group::Law::Contact && penalties_.empty() && is_plain(sides)};
}

/// Of a contact with isotropic friction that holds on to points: see LaneGroup::plain.
bool ConstraintStep::is_plain(std::span<const AdmmSide> sides) {
  const double first = sides[0].from->sign;
  return first * first == 1 && (sides.size() == 1 || (sides.size() == 2 && sides[1].from->sign == -first));
}

void ConstraintStep::prepare(const Problem& problem, AdmmSubsystems& subsystems, std::span<const double> mobility,
                             std::span<const double> penalties) {
  penalties_ = penalties;
  // Counting sort by shape; there are few shapes.
  const int constraints = static_cast<int>(problem.constraints.size());
  shapes_.clear();
  shape_start_.assign(1, 0);
  ordered_.resize(2 * at(constraints));
  int* shape_index = ordered_.data() + constraints;
  for (int c = 0; c < constraints; ++c) {
    const Shape shape = shape_of(problem, subsystems, c);
    const auto known = std::find(shapes_.begin(), shapes_.end(), shape);
    shape_index[c] = static_cast<int>(known - shapes_.begin());
    if (known == shapes_.end()) {
      shapes_.push_back(shape);
      shape_start_.push_back(0);
    }
    ++shape_start_[at(shape_index[c]) + 1];
  }
  for (std::size_t i = 0; i < shapes_.size(); ++i) shape_start_[i + 1] += shape_start_[i];
  for (int c = 0; c < constraints; ++c) ordered_[at(shape_start_[at(shape_index[c])]++)] = c;

  scales_.prepare();
  groups_.clear();
  points_.clear();
  joints_.clear();
  side_weight_.clear();
  inverse_side_weight_.clear();
  side_count_ = 0;
  // Joints first: what they are pushed by is stored number by number and loaded in lanes, which has to wait until the
  // last of them has arrived.
  for (const bool joints : {true, false}) {
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      if (shapes_[i].law == Group::Law::Moment) continue;
      if ((shapes_[i].hold == Group::Hold::Joints) == joints) fill_groups(problem, subsystems, i);
    }
  }
  place_moments(problem, subsystems, mobility);
  y_.assign(at(side_count_), {});
  previous_.assign(at(side_count_), {});
  previous_impulse_.assign(groups_.size(), {});
}

/// Moments last: they wait for the normal impulses of their contacts. The penalty of a moment is to that of its contact
/// as its effective moment of inertia is to the contact's mass.
void ConstraintStep::place_moments(const Problem& problem, AdmmSubsystems& subsystems,
                                   std::span<const double> mobility) {
  first_moment_ = groups_.size();
  if (problem.moments.size() == 0) return;
  contact_place_.assign(problem.constraints.size(), {});
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    for (int i = 0; i < groups_[g].count; ++i) contact_place_[at(groups_[g].constraint[i])] = {g, i};
  }
  for (std::size_t i = 0; i < shapes_.size(); ++i) {
    if (shapes_[i].law == Group::Law::Moment) fill_groups(problem, subsystems, i);
  }
  for (Group& group : std::span(groups_).subspan(first_moment_)) {
    for (int i = 0; i < group.count; ++i) {
      const std::size_t moment = at(group.constraint[i]);
      const double ratio = mobility[moment - 1] / mobility[moment],
                   weight = ratio > 0 && std::isfinite(ratio) ? ratio : 1;
      group.put(group.full_weight, i, {weight, weight, weight});
    }
    set_weights(subsystems, group.full_weight, group);
  }
}

/// All groups of a shape.
void ConstraintStep::fill_groups(const Problem& problem, AdmmSubsystems& subsystems, std::size_t shape) {
  const std::size_t begin = shape == 0 ? 0 : at(shape_start_[shape - 1]), end = at(shape_start_[shape]);
  if (shapes_[shape].sides == 0) return;  // holds on to nothing
  const std::size_t most = at(is_packed(shapes_[shape]) ? Group::kPlaces : Group::kLanes);
  for (std::size_t k = begin; k < end; k += most) {
    fill_group(problem, subsystems, shapes_[shape], {&ordered_[k], std::min(most, end - k)});
  }
}

bool ConstraintStep::is_packed(const Shape& shape) {
  return (shape.hold == Group::Hold::Joints || shape.hold == Group::Hold::Rows) && !Group::is_contact(shape.law);
}

void ConstraintStep::fill_group(const Problem& problem, AdmmSubsystems& subsystems, const Shape& shape,
                                std::span<const int> members) {
  Group& group = groups_.emplace_back();
  group.law = shape.law;
  group.hold = shape.hold;
  group.plain = shape.plain;
  group.packed = is_packed(shape);
  group.sides = shape.sides;
  group.first_side = side_count_;
  group.first_hold = static_cast<int>(shape.hold == Group::Hold::Joints ? joints_.size() : points_.size());
  group.count = static_cast<int>(members.size());
  std::copy(members.begin(), members.end(), group.constraint);
  side_count_ += shape.sides;
  group.fill_law(problem);
  if (!penalties_.empty()) take_penalties(subsystems, group);
  if (group.packed && penalties_.empty()) {
    for (int i = 0; i < group.count; ++i) {
      group.put(group.full_weight, i, {0, 0, scales_.penalty_weight(problem, members[at(i)])});
    }
    set_weights(subsystems, group.full_weight, group);
  }
  for (int k = 0; k < shape.sides; ++k) {
    if (shape.hold == Group::Hold::Points) fill_points(subsystems, k, group, points_.emplace_back());
    if (shape.hold == Group::Hold::Joints) fill_joints(subsystems, group, k, joints_.emplace_back());
  }
}

/// Weights side by side, those of the blocks.
void ConstraintStep::take_penalties(AdmmSubsystems& subsystems, const Group& group) {
  for (int k = 0; k < group.sides; ++k) {
    Vec3Wide& weight = side_weight_.emplace_back(Group::ones());
    for (int i = 0; i < group.count; ++i) {
      const int side = subsystems.side_start(group.constraint[i]) + k;
      const double value = penalties_[at(subsystems.sides()[at(side)].from->block)];
      group.put(weight, i, {value, value, value});
      subsystems.set_weight(side, value);
    }
    inverse_side_weight_.emplace_back(Group::inverse(weight));
  }
}

/// Lanes without a constraint hold on to a link that never moves, and have neither frame nor sign.
void ConstraintStep::fill_points(AdmmSubsystems& subsystems, int k, Group& group, PointSide& out) {
  static const Attachment kNone{.frame = {Vec3{}, Vec3{}, Vec3{}}, .sign = 0};
  const Attachment* from[Group::kLanes];
  for (int i = 0; i < Group::kLanes; ++i) {
    from[i] = &kNone;
    if (i < group.count) {
      const AdmmSide& side = side_of(subsystems, group, i, k);
      from[i] = side.from;
      out.link[i] = Offset<Six>(side.target);
      out.slot[i] = Offset<Six>(side.slot);
    } else {
      out.link[i] = Offset<Six>(subsystems.spare_link());
      out.slot[i] = Offset<Six>(subsystems.add_spare_slot());
    }
  }
  out.sign = wide_of([&](int i) { return from[i]->sign; });
  const Vec3Wide points = gather_wide([&](int i) { return from[i]->point; });
  if (k == 0) {
    for (int axis = 0; axis < 3; ++axis) {
      const Vec3Wide world = gather_wide([&](int i) { return from[i]->frame.col[axis]; });
      group.frame.col[axis].set(group.plain ? world * out.sign : world);
    }
    if (group.plain) group.parameter[0].set(group.in_axes_of_y(group.parameter[0]));
  }
  if (group.plain) out.sign = out.sign * out.sign * plain_sign(k);
  out.lever.set(points * out.sign);
}

void ConstraintStep::fill_joints(AdmmSubsystems& subsystems, const Group& group, int k, JointSide& out) {
  for (int i = 0; i < Group::kPlaces; ++i) {
    if (i >= group.count) {
      out.place[i] = 0;  // any: its coefficient is zero
      out.slot[i] = subsystems.add_spare_joint_slot();
      continue;
    }
    const AdmmSide& side = side_of(subsystems, group, i, k);
    group.put(out.coefficient, i, {0, 0, side.from->coefficient});
    out.place[i] = side.target;
    out.slot[i] = side.slot;
  }
}

}  // namespace uzawa
