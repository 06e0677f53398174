#include "uzawa/solver/admm/constraint_step.hpp"

#include <algorithm>

#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

/// Penalty of a constraint that does not push, relative to the others.
constexpr double kOpenWeight = 0.1;
constexpr std::size_t kGroupsPerTask = 32;
constexpr std::size_t kRun = 8;  // groups of plain contacts that are taken together
/// A loop over fewer tasks than this is over before other threads have heard of it.
constexpr int kTasksWorthSharing = 16;

double sum_of(const Vec3Wide& squares) { return sum(squares.x) + sum(squares.y) + sum(squares.z); }
double square(const Vec3Wide& a) { return sum_of({a.x * a.x, a.y * a.y, a.z * a.z}); }
double square(const Vec3Wide& a, const Vec3Wide& weight) { return sum_of(scaled(scaled(a, a), weight)); }

}  // namespace

/// `sign`: of the side, a number a lane or one for all.
template <typename Sign>
inline Vec3Wide ConstraintStep::point_velocities(const Six* twists, const PointSide& side, const Sign& sign) {
  Vec3Wide angular, linear;
  gather_six([&](int i) -> const Six& { return side.link[i].in(twists); }, angular, linear);
  return cross(angular, side.lever) + linear * sign;
}

template <typename Sign>
inline void ConstraintStep::push_points(Six* pushes, const PointSide& side, const Sign& sign, const Vec3Wide& g) {
  scatter_six(cross(side.lever, g), g * sign, [&](int i) -> Six& { return side.slot[i].in(pushes); });
}

inline Vec3Wide ConstraintStep::joint_velocities(const double* speeds, const JointSide& side) {
  const auto speeds_of = [&](const int* places) { return wide_of([&](int i) { return speeds[places[i]]; }); };
  return scaled(side.coefficient, {speeds_of(side.place), speeds_of(side.place + Group::kLanes),
                                   speeds_of(side.place + 2 * Group::kLanes)});
}

inline void ConstraintStep::push_joints(double* pushes, const JointSide& side, const Vec3Wide& g) {
  const Vec3Wide push = scaled(side.coefficient, g);
  for (int i = 0; i < Group::kLanes; ++i) {
    pushes[side.slot[i]] = push.x[i];
    pushes[side.slot[i + Group::kLanes]] = push.y[i];
    pushes[side.slot[i + 2 * Group::kLanes]] = push.z[i];
  }
}

/// Calls work(hold) with the group's hold as a constant, so that the loops over its sides are made for it.
template <typename Work>
inline void ConstraintStep::with_hold(const Group& group, Work&& work) {
  switch (group.hold) {
    case Group::Hold::Points: return work(Constant<Group::Hold::Points>{});
    case Group::Hold::Joints: return work(Constant<Group::Hold::Joints>{});
    case Group::Hold::Rows:
    case Group::Hold::Mixed: return work(Constant<Group::Hold::Mixed>{});
  }
}

/// The same with the number of sides of a plain contact, one or two.
template <typename Work>
inline void ConstraintStep::with_sides(const Group& group, Work&& work) {
  if (group.sides == 1) return work(std::integral_constant<int, 1>{});
  work(std::integral_constant<int, 2>{});
}

template <LaneGroup::Hold kHold>
inline Vec3Wide ConstraintStep::velocities(const AdmmSubsystems& subsystems, const Group& group, int k) const {
  const std::size_t place = at(group.first_hold + k);
  if constexpr (kHold == Group::Hold::Points) {
    return point_velocities(subsystems.twists(), points_[place], points_[place].sign);
  }
  if constexpr (kHold == Group::Hold::Joints) return joint_velocities(subsystems.joint_speeds(), joints_[place]);
  Vec3Wide out;
  for (int i = 0; i < group.count; ++i) group.put(out, i, subsystems.velocity(side_of(subsystems, group, i, k)));
  return out;
}

template <LaneGroup::Hold kHold>
inline void ConstraintStep::push(AdmmSubsystems& subsystems, const Group& group, int k, const Vec3Wide& g) const {
  const std::size_t place = at(group.first_hold + k);
  if constexpr (kHold == Group::Hold::Points) {
    return push_points(subsystems.pushes(), points_[place], points_[place].sign, g);
  }
  if constexpr (kHold == Group::Hold::Joints) return push_joints(subsystems.joint_pushes(), joints_[place], g);
  for (int i = 0; i < group.count; ++i) subsystems.push(side_of(subsystems, group, i, k), group.get(g, i));
}

/// Penalties in series: 1/beta_effective = sum 1/beta.
inline Vec3Wide ConstraintStep::effective_penalty(const Group& group, double beta) const {
  if (side_weight_.empty()) return group.weight * (beta / group.sides);
  Vec3Wide sum;
  for (int k = 0; k < group.sides; ++k) sum += inverse_weight_of(group, k);
  return Group::inverse(sum) * beta;
}

template <LaneGroup::Hold kHold>
inline void ConstraintStep::project_group(const Problem& problem, AdmmSubsystems& subsystems, double beta, Group& group,
                                          const Vec3Wide& sum) {
  const Vec3Wide effective = effective_penalty(group, beta);
  const Vec3Wide s = scaled(group.in_frames(sum), effective) * -1.0;
  group.impulse.set(group.in_axes_of_y(group.respond(problem, effective, s)));
  const Vec3Wide twice = group.impulse * 2.0;
  for (int k = 0; k < group.sides; ++k) {
    const Vec3Wide penalty = weight_of(group, k) * beta;
    push<kHold>(subsystems, group, k, scaled(y_[at(group.first_side + k)], penalty) + twice);
  }
}

template <LaneGroup::Hold kHold>
inline void ConstraintStep::step_group(const Problem& problem, AdmmSubsystems& subsystems, const AdmmStep& step,
                                       Group& group) {
  const double alpha = step.relaxation;
  Vec3Wide sum;
  for (int k = 0; k < group.sides; ++k) {
    const Vec3Wide pull = scaled(group.impulse, inverse_weight_of(group, k)) * (alpha / step.beta);
    const std::size_t s = at(group.first_side + k);
    const Vec3Wide u = velocities<kHold>(subsystems, group, k);
    y_[s].set(from_[s] * (1 - alpha) + u * alpha - pull);
    sum += y_[s];
  }
  project_group<kHold>(problem, subsystems, step.beta, group, sum);
}

/// Impulses of plain contacts from s, which is in their place, and what they push. In loops of their own: square roots
/// and divisions take long, but the next one need not wait for the last.
template <int kSides>
inline void ConstraintStep::project_contacts(AdmmSubsystems& subsystems, double beta, std::span<Group> groups) {
  for (Group& group : groups) {
    group.impulse.set(project_strict(group.parameter[1].z, group.frame.col[2], group.impulse));
  }
  for (const Group& group : groups) {
    const Vec3Wide twice = group.impulse * 2.0;
    const WideLanes penalty = group.weight.z * beta;
    const auto push_side = [&](int k, double sign) {
      const Vec3Wide g = y_[at(group.first_side + k)] * penalty + twice;
      push_points(subsystems.pushes(), points_[at(group.first_hold + k)], sign, g);
    };
    push_side(0, plain_sign(0));
    if constexpr (kSides == 2) push_side(1, plain_sign(1));
  }
}

/// s = -beta (sum y + e) of plain contacts, in the place of their impulses. `sum`: of y and e.
template <int kSides>
inline void ConstraintStep::argue(double beta, const Vec3Wide& sum, Group& group) {
  group.impulse.set(sum * (group.weight.z * (-beta / kSides)));
}

/// step_group of plain contacts.
template <int kSides>
inline void ConstraintStep::step_contacts(AdmmSubsystems& subsystems, const AdmmStep& step, std::span<Group> groups) {
  const double alpha = step.relaxation;
  for (Group& group : groups) {
    const Vec3Wide pull = group.impulse * (group.inverse_weight.z * (alpha / step.beta));
    Vec3Wide sum = group.parameter[0];
    const auto step_side = [&](int k, double sign) {
      const std::size_t s = at(group.first_side + k);
      const Vec3Wide u = point_velocities(subsystems.twists(), points_[at(group.first_hold + k)], sign);
      const Vec3Wide y = from_[s] * (1 - alpha) + u * alpha - pull;
      y_[s].set(y);
      sum += y;
    };
    step_side(0, plain_sign(0));
    if constexpr (kSides == 2) step_side(1, plain_sign(1));
    argue<kSides>(step.beta, sum, group);
  }
  project_contacts<kSides>(subsystems, step.beta, groups);
}

/// Calls work(groups) with a few plain groups that have the same number of sides, or with another group by itself.
template <typename Work>
void ConstraintStep::for_each_run(ThreadPool* pool, std::size_t first, std::size_t last, Work&& work) {
  const std::size_t count = last - first;
  const int tasks = static_cast<int>((count + kGroupsPerTask - 1) / kGroupsPerTask);
  const auto task = [&](int i) {
    const std::size_t end = std::min(last, first + at(i + 1) * kGroupsPerTask);
    for (std::size_t g = first + at(i) * kGroupsPerTask, next = g; g < end; g = next) {
      const auto fits = [&](const Group& group) { return group.plain && group.sides == groups_[g].sides; };
      next = g + 1;
      if (groups_[g].plain) {
        while (next < std::min(end, g + kRun) && fits(groups_[next])) ++next;
      }
      work(std::span<Group>(&groups_[g], next - g));
    }
  };
  if (pool != nullptr && tasks >= kTasksWorthSharing) {
    pool->for_each(tasks, task);
  } else {
    for (int i = 0; i < tasks; ++i) task(i);
  }
}

template <typename Work>
void ConstraintStep::for_each_run(ThreadPool* pool, Work&& work) {
  for_each_run(pool, 0, first_moment_, work);
  if (first_moment_ == groups_.size()) return;
  bound_moments();
  for_each_run(pool, first_moment_, groups_.size(), work);
}

/// Hands the contacts' normal impulses to their moments. A contact is the constraint before its moment.
void ConstraintStep::bound_moments() {
  for (Group& group : std::span(groups_).subspan(first_moment_)) {
    for (int i = 0; i < group.count; ++i) {
      const Place& place = contact_place_[at(group.constraint[i] - 1)];
      group.parameter[0].z[i] = groups_[place.group].normal_impulse(place.lane);
    }
  }
}

void ConstraintStep::step(const Problem& problem, AdmmSubsystems& subsystems, const AdmmStep& step, ThreadPool* pool) {
  last_ = step;
  // Where nobody looks back, y is overwritten: less memory to go through.
  const bool keeps = step.measured || step.looks_back;
  if (keeps) std::swap(y_, previous_);
  from_ = keeps ? previous_.data() : y_.data();
  if (step.measured) {
    for (std::size_t g = 0; g < groups_.size(); ++g) previous_impulse_[g] = groups_[g].impulse;
  }
  for_each_run(pool, [&](std::span<Group> groups) {
    Group& first = groups.front();
    if (first.plain) {
      with_sides(first, [&](auto sides) { step_contacts<sides()>(subsystems, step, groups); });
    } else {
      with_hold(first, [&](auto hold) { step_group<hold()>(problem, subsystems, step, first); });
    }
  });
}

void ConstraintStep::project(const Problem& problem, AdmmSubsystems& subsystems, double beta, ThreadPool* pool) {
  const auto sum_of_y = [&](const Group& group) {
    Vec3Wide sum;
    for (int k = 0; k < group.sides; ++k) sum += y_[at(group.first_side + k)];
    return sum;
  };
  for_each_run(pool, [&](std::span<Group> groups) {
    Group& first = groups.front();
    if (first.plain) {
      with_sides(first, [&](auto sides) {
        for (Group& group : groups) argue<sides()>(beta, sum_of_y(group) + group.parameter[0], group);
        project_contacts<sides()>(subsystems, beta, groups);
      });
    } else {
      with_hold(first, [&](auto hold) { project_group<hold()>(problem, subsystems, beta, first, sum_of_y(first)); });
    }
  });
}

AdmmResiduals ConstraintStep::residuals() const {
  AdmmResiduals out;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Group& group = groups_[g];
    const Vec3Wide inverse = group.inverse_weight * (1 / last_.beta);
    const Vec3Wide before = scaled(previous_impulse_[g], inverse);
    const Vec3Wide now = scaled(group.impulse, inverse);
    const Vec3Wide &full = group.full_weight, inverse_full = Group::inverse(group.full_weight);
    for (int k = 0; k < group.sides; ++k) {
      const std::size_t s = at(group.first_side + k);
      const Vec3Wide old_slack = previous_[s] + before, slack = y_[s] + now, change = y_[s] - previous_[s];
      const Vec3Wide u = old_slack + change * (1 / last_.relaxation);
      const Vec3Wide push = scaled(slack - old_slack, group.weight);
      out += {square(now - before, full), square(push, inverse_full), square(u, full), square(change, full)};
    }
  }
  return out;
}

double ConstraintStep::theta() const {
  double sum = 0;
  for (const Group& group : groups_) {
    for (int k = 0; k < group.sides; ++k) {
      const std::size_t s = at(group.first_side + k);
      Vec3Wide change = scaled(group.in_frames(y_[s] - previous_[s]), weight_of(group, k)) * last_.beta;
      // The free tangents of a scalar constraint on points are no rows of the problem.
      if (!group.packed && !Group::is_contact(group.law)) change.x = change.y = WideLanes{};
      sum += square(change);
    }
  }
  return sum;
}

void ConstraintStep::start(const Problem& problem, const AdmmSubsystems& subsystems, std::span<const double> lambda,
                           double beta) {
  for (Group& group : groups_) {
    group.impulse = {};
    for (int i = 0; i < group.count; ++i) {
      const ConstraintRef& ref = problem.constraints[at(group.constraint[i])];
      const double* part = &lambda[at(ref.row)];
      group.put(group.impulse, i, Problem::dims(ref.kind) == 3 ? Vec3::from(part) : Vec3{0, 0, *part});
    }
    group.impulse.set(group.in_axes_of_y(group.impulse));
    with_hold(group, [&](auto hold) {
      for (int k = 0; k < group.sides; ++k) {
        y_[at(group.first_side + k)].set(velocities<hold()>(subsystems, group, k) -
                                         scaled(group.impulse, inverse_weight_of(group, k)) * (1 / beta));
      }
    });
  }
}

bool ConstraintStep::change_penalty(AdmmSubsystems& subsystems, double from, double to) {
  bool changed = false;
  for (Group& group : groups_) {
    const Vec3Wide weight = group.weights_with(kOpenWeight), old_inverse = group.inverse_weight;
    const bool other_weights = square(weight - group.weight) > 0 && set_weights(subsystems, weight, group);
    if (from == to && !other_weights) continue;
    changed = true;
    const Vec3Wide shift = old_inverse * (1 / from) - group.inverse_weight * (1 / to), penalty = group.weight * to;
    const Vec3Wide move = scaled(group.impulse, shift), twice = group.impulse * 2.0;
    with_hold(group, [&](auto hold) {
      for (int k = 0; k < group.sides; ++k) {
        Vec3Wide& y = y_[at(group.first_side + k)];
        y += move;
        push<hold()>(subsystems, group, k, scaled(y, penalty) + twice);
      }
    });
  }
  return changed;
}

/// True where the weight of a constraint changes, and not only that of places without one.
bool ConstraintStep::set_weights(AdmmSubsystems& subsystems, const Vec3Wide& weight, Group& group) {
  bool changed = false;
  for (int i = 0; i < group.count; ++i) {
    const double value = group.get(weight, i).z();
    if (value == group.get(group.weight, i).z()) continue;
    changed = true;
    const int first = subsystems.side_start(group.constraint[i]);
    for (int k = 0; k < group.sides; ++k) subsystems.set_weight(first + k, value);
  }
  group.weight.set(weight);
  group.inverse_weight.set(Group::inverse(weight));
  return changed;
}

void ConstraintStep::impulses(const Problem& problem, std::span<double> lambda) const {
  for (const Group& group : groups_) {
    const Vec3Wide impulses = group.in_frames(group.impulse);
    for (int i = 0; i < group.count; ++i) {
      const ConstraintRef& ref = problem.constraints[at(group.constraint[i])];
      const Vec3 impulse = group.get(impulses, i);
      if (Problem::dims(ref.kind) == 3) {
        impulse.store(&lambda[at(ref.row)]);
      } else {
        lambda[at(ref.row)] = impulse.z();
      }
    }
  }
}

double ConstraintStep::impulse_square() const {
  double sum = 0;
  for (const Group& group : groups_) sum += square(group.impulse, Group::inverse(group.full_weight));
  return sum;
}

double ConstraintStep::speed_square(const Problem& problem, std::span<const double> u) const {
  double sum = 0;
  for (const Group& group : groups_) {
    for (int i = 0; i < group.count; ++i) {
      const ConstraintRef& ref = problem.constraints[at(group.constraint[i])];
      const double* part = &u[at(ref.row)];
      const int rows = Problem::dims(ref.kind);
      for (int k = 0; k < rows; ++k) sum += group.get(group.full_weight, i).z() * part[k] * part[k];
    }
  }
  return sum;
}

}  // namespace uzawa
