#include "uzawa/solver/constraint_groups.hpp"

#include <algorithm>

#include "uzawa/math/scalar_law.hpp"

namespace uzawa {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

constexpr int kLanes = 4;
/// Penalty of a constraint that does not push, relative to the others.
constexpr double kOpenWeight = 0.1;
constexpr int kGroupsPerTask = 32;
/// A loop over fewer tasks than this is over before other threads have heard of it.
constexpr int kTasksWorthSharing = 16;

double sum_of(const Vec3x4& squares) { return sum(squares.x) + sum(squares.y) + sum(squares.z); }
double square(const Vec3x4& a) { return sum_of({a.x * a.x, a.y * a.y, a.z * a.z}); }

}  // namespace

bool ConstraintGroups::can_open(Law law) {
  return law == Law::Contact || law == Law::EllipticContact || law == Law::Hard || law == Law::Limit;
}

ConstraintGroups::Shape ConstraintGroups::shape_of(const Problem& problem, const Subsystems& subsystems, int c) {
  const ConstraintRef& ref = problem.constraints[at(c)];
  const int begin = subsystems.side_start(c), end = subsystems.side_start(c + 1);
  const std::span<const Side> sides = subsystems.sides();
  bool points = true;
  for (int s = begin; s < end; ++s) {
    points = points && sides[at(s)].kind == SideKind::Point;
    for (int k = 0; k < 3 && points; ++k) {
      const Vec3 difference = sides[at(s)].frame.col[k] - sides[at(begin)].frame.col[k];
      points = dot(difference, difference) == 0;
    }
  }
  Law law = Law::Contact;
  switch (ref.kind) {
    case ConstraintKind::Contact:
      law = problem.contacts.cone[at(ref.index)].isotropic() ? Law::Contact : Law::EllipticContact;
      break;
    case ConstraintKind::Hard: law = Law::Hard; break;
    case ConstraintKind::Equality: law = Law::Equality; break;
    case ConstraintKind::Soft: law = Law::Soft; break;
    case ConstraintKind::Limit: law = Law::Limit; break;
    case ConstraintKind::Friction: law = Law::Friction; break;
  }
  return {law, points, end - begin};
}

void ConstraintGroups::prepare(const Problem& problem, Subsystems& subsystems) {
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

  groups_.clear();
  sides_.clear();
  for (std::size_t i = 0; i < shapes_.size(); ++i) {
    const int begin = i == 0 ? 0 : shape_start_[i - 1], end = shape_start_[i];
    if (shapes_[i].sides == 0) continue;  // holds on to nothing
    for (int k = begin; k < end; k += kLanes) {
      fill_group(problem, subsystems, shapes_[i], &ordered_[at(k)], std::min(kLanes, end - k));
    }
  }
  y_.assign(sides_.size(), {});
  previous_.assign(sides_.size(), {});
  previous_impulse_.assign(groups_.size(), {});
}

void ConstraintGroups::fill_group(const Problem& problem, Subsystems& subsystems, const Shape& shape,
                                  const int* members, int count) {
  Group& group = groups_.emplace_back();
  group.law = shape.law;
  group.points = shape.points;
  group.sides = shape.sides;
  group.first_side = static_cast<int>(sides_.size());
  group.count = count;
  std::fill_n(group.parameter, 4, Lanes{0, 0, 0, 0});
  std::copy_n(members, count, group.constraint);
  for (int lane = 0; lane < count; ++lane) {
    fill_law(problem, group, lane);
    const Side& side = subsystems.sides()[at(subsystems.side_start(members[lane]))];
    for (int k = 0; k < 3 && shape.points; ++k) group.frame.col[k].set_lane(lane, side.frame.col[k]);
  }
  for (int k = 0; k < shape.sides; ++k) fill_side(subsystems, group, k, sides_.emplace_back());
}

void ConstraintGroups::fill_side(Subsystems& subsystems, const Group& group, int k, GroupSide& out) const {
  for (int lane = 0; lane < kLanes; ++lane) {
    out.link[lane] = subsystems.spare_link();
    out.slot[lane] = out.side[lane] = -1;
    if (lane >= group.count) {
      if (group.points) out.slot[lane] = subsystems.add_spare_slot();
      continue;
    }
    out.side[lane] = subsystems.side_start(group.constraint[lane]) + k;
    if (!group.points) continue;
    const Side& side = subsystems.sides()[at(out.side[lane])];
    out.point.set_lane(lane, side.point);
    out.sign[lane] = side.sign;
    out.link[lane] = side.target;
    out.slot[lane] = side.slot;
  }
}

void ConstraintGroups::fill_law(const Problem& problem, Group& group, int lane) {
  const std::size_t i = at(problem.constraints[at(group.constraint[lane])].index);
  Lanes* p = group.parameter;
  switch (group.law) {
    case Law::Contact:
    case Law::EllipticContact:
      for (int k = 0; k < 3; ++k) p[k][lane] = problem.contacts.e[i][k];
      p[3][lane] = problem.contacts.cone[i].mu1;
      break;
    case Law::Hard: p[0][lane] = problem.hard.e[i]; break;
    case Law::Equality: p[0][lane] = problem.equality.e[i]; break;
    case Law::Soft:
      p[0][lane] = problem.soft.e[i];
      p[1][lane] = problem.soft.k[i];
      p[2][lane] = problem.soft.b[i];
      break;
    case Law::Limit:
      p[0][lane] = problem.limits.lower[i];
      p[1][lane] = problem.limits.upper[i];
      break;
    case Law::Friction: p[0][lane] = problem.friction.bound[i]; break;
  }
}

/// Impulses from s = -beta sum y, in the constraints' frames ([AL] eq. 37-39).
Vec3x4 ConstraintGroups::law(const Problem& problem, const Group& group, const Lanes& beta, const Vec3x4& s) {
  const Lanes* p = group.parameter;
  const auto scalar = [&](auto&& impulse_of) {
    Vec3x4 out;
    for (int i = 0; i < kLanes; ++i) out.z[i] = impulse_of(i, s.z[i]).impulse;
    return out;
  };
  switch (group.law) {
    case Law::Contact: return project_strict(p[3], s - Vec3x4{p[0], p[1], p[2]} * beta);
    case Law::EllipticContact: {
      const Vec3x4 argument = s - Vec3x4{p[0], p[1], p[2]} * beta;
      Vec3x4 out;
      for (int i = 0; i < group.count; ++i) {
        const int contact = problem.constraints[at(group.constraint[i])].index;
        out.set_lane(i, uzawa::project_strict(problem.contacts.cone[at(contact)], argument.lane(i)));
      }
      return out;
    }
    case Law::Hard: return scalar([&](int i, double a) { return hard_law(a, beta[i], p[0][i]); });
    case Law::Equality: return scalar([&](int i, double a) { return equality_law(a, beta[i], p[0][i]); });
    case Law::Soft: return scalar([&](int i, double a) { return soft_law(a, beta[i], p[0][i], p[1][i], p[2][i]); });
    case Law::Limit: return scalar([&](int i, double a) { return limit_law(a, beta[i], p[0][i], p[1][i]); });
    case Law::Friction: return scalar([&](int i, double a) { return friction_law(a, beta[i], p[0][i]); });
  }
  return {};
}

inline Vec3x4 ConstraintGroups::point_velocities(const Motion* twists, const GroupSide& side) {
  const Motion &a = twists[side.link[0]], &b = twists[side.link[1]], &c = twists[side.link[2]],
               &d = twists[side.link[3]];
  const Vec3x4 linear = gather(a.linear, b.linear, c.linear, d.linear);
  const Vec3x4 angular = gather(a.angular, b.angular, c.angular, d.angular);
  return (linear + cross(angular, side.point)) * side.sign;
}

inline void ConstraintGroups::push_points(Force* pushes, const GroupSide& side, const Vec3x4& g) {
  const Vec3x4 force = g * side.sign, moment = cross(side.point, force);
  Force &a = pushes[side.slot[0]], &b = pushes[side.slot[1]], &c = pushes[side.slot[2]], &d = pushes[side.slot[3]];
  scatter(force, a.force, b.force, c.force, d.force);
  scatter(moment, a.moment, b.moment, c.moment, d.moment);
}

Vec3x4 ConstraintGroups::velocities(const Subsystems& subsystems, const Group& group, const GroupSide& side) const {
  if (group.points) return point_velocities(subsystems.twists(), side);
  Vec3x4 out;
  for (int i = 0; i < group.count; ++i) {
    out.set_lane(i, subsystems.velocity(subsystems.sides()[at(side.side[i])]));
  }
  return out;
}

void ConstraintGroups::push(Subsystems& subsystems, const Group& group, const GroupSide& side, const Vec3x4& g) const {
  if (group.points) {
    push_points(subsystems.pushes(), side, g);
    return;
  }
  for (int i = 0; i < group.count; ++i) subsystems.push(subsystems.sides()[at(side.side[i])], g.lane(i));
}

inline Vec3x4 ConstraintGroups::in_axes_of_y(const Group& group, const Vec3x4& impulse) {
  return group.points ? group.frame * impulse : impulse;
}

void ConstraintGroups::project_group(const Problem& problem, Subsystems& subsystems, double beta, Group& group,
                                     const Vec3x4& sum) {
  // Equal penalties in series: 1/beta_effective = sum 1/beta.
  const Lanes effective = group.weight * (beta / group.sides);
  const Vec3x4 local = group.points ? transpose_times(group.frame, sum) : sum;
  group.impulse = law(problem, group, effective, local * -effective);
  const Vec3x4 twice = in_axes_of_y(group, group.impulse) * 2.0;
  for (int k = 0; k < group.sides; ++k) {
    const std::size_t s = at(group.first_side + k);
    push(subsystems, group, sides_[s], y_[s] * (group.weight * beta) + twice);
  }
}

void ConstraintGroups::step_group(const Problem& problem, Subsystems& subsystems, const AdmmStep& step, Group& group) {
  const double alpha = step.relaxation;
  const Vec3x4 pull = in_axes_of_y(group, group.impulse) * (group.inverse_weight * (alpha / step.beta));
  Vec3x4 sum;
  for (int k = 0; k < group.sides; ++k) {
    const std::size_t s = at(group.first_side + k);
    const Vec3x4 u = velocities(subsystems, group, sides_[s]);
    y_[s] = previous_[s] * (1 - alpha) + u * alpha - pull;
    sum += y_[s];
  }
  project_group(problem, subsystems, step.beta, group, sum);
}

/// step_group for the case that nearly all of the time is spent on: contacts with isotropic friction between points.
template <int kSides>
inline void ConstraintGroups::step_contacts(Subsystems& subsystems, const AdmmStep& step, Group& group) {
  const double alpha = step.relaxation;
  const Vec3x4 pull = group.frame * (group.impulse * (group.inverse_weight * (alpha / step.beta)));
  const GroupSide* sides = &sides_[at(group.first_side)];
  const Vec3x4* previous = &previous_[at(group.first_side)];
  Vec3x4 y[kSides], sum;
  for (int k = 0; k < kSides; ++k) {
    y[k] = previous[k] * (1 - alpha) + point_velocities(subsystems.twists(), sides[k]) * alpha - pull;
    y_[at(group.first_side + k)] = y[k];
    sum += y[k];
  }
  const Lanes beta = group.weight * step.beta;
  const Vec3x4 error{group.parameter[0], group.parameter[1], group.parameter[2]};
  group.impulse =
      project_strict(group.parameter[3], (transpose_times(group.frame, sum) + error) * (beta * (-1.0 / kSides)));
  const Vec3x4 twice = group.frame * (group.impulse * 2.0);
  for (int k = 0; k < kSides; ++k) push_points(subsystems.pushes(), sides[k], y[k] * beta + twice);
}

template <typename Work>
void ConstraintGroups::for_each_group(ThreadPool* pool, Work&& work) {
  const int count = static_cast<int>(groups_.size()), tasks = (count + kGroupsPerTask - 1) / kGroupsPerTask;
  const auto task = [&](int i) {
    for (int g = i * kGroupsPerTask; g < std::min(count, (i + 1) * kGroupsPerTask); ++g) work(at(g));
  };
  if (pool != nullptr && tasks >= kTasksWorthSharing) {
    pool->for_each(tasks, task);
  } else {
    for (int i = 0; i < tasks; ++i) task(i);
  }
}

void ConstraintGroups::step(const Problem& problem, Subsystems& subsystems, const AdmmStep& step, ThreadPool* pool) {
  last_ = step;
  std::swap(y_, previous_);
  for_each_group(pool, [&](std::size_t g) {
    Group& group = groups_[g];
    if (step.measured) previous_impulse_[g] = group.impulse;
    const bool plain = group.points && group.law == Law::Contact;
    if (plain && group.sides == 1) {
      step_contacts<1>(subsystems, step, group);
    } else if (plain && group.sides == 2) {
      step_contacts<2>(subsystems, step, group);
    } else {
      step_group(problem, subsystems, step, group);
    }
  });
}

void ConstraintGroups::project(const Problem& problem, Subsystems& subsystems, double beta, ThreadPool* pool) {
  for_each_group(pool, [&](std::size_t g) {
    Group& group = groups_[g];
    Vec3x4 sum;
    for (int k = 0; k < group.sides; ++k) sum += y_[at(group.first_side + k)];
    project_group(problem, subsystems, beta, group, sum);
  });
}

AdmmResiduals ConstraintGroups::residuals() const {
  AdmmResiduals out;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Group& group = groups_[g];
    const Lanes inverse = group.inverse_weight * (1 / last_.beta);
    const Vec3x4 before = in_axes_of_y(group, previous_impulse_[g]) * inverse;
    const Vec3x4 now = in_axes_of_y(group, group.impulse) * inverse;
    for (int k = 0; k < group.sides; ++k) {
      const std::size_t s = at(group.first_side + k);
      const Vec3x4 old_slack = previous_[s] + before, slack = y_[s] + now, change = y_[s] - previous_[s];
      const Vec3x4 u = old_slack + change * (1 / last_.relaxation);
      out += {square(now - before), square((slack - old_slack) * group.weight), square(u)};
    }
  }
  return out;
}

void ConstraintGroups::start(const Problem& problem, const Subsystems& subsystems, std::span<const double> lambda,
                             double beta) {
  for (Group& group : groups_) {
    group.impulse = {};
    for (int i = 0; i < group.count; ++i) {
      const ConstraintRef& ref = problem.constraints[at(group.constraint[i])];
      const double* part = &lambda[at(ref.row)];
      group.impulse.set_lane(i, ref.kind == ConstraintKind::Contact ? Vec3::from(part) : Vec3{0, 0, *part});
    }
    const Vec3x4 impulse = in_axes_of_y(group, group.impulse);
    for (int k = 0; k < group.sides; ++k) {
      const std::size_t s = at(group.first_side + k);
      y_[s] = velocities(subsystems, group, sides_[s]) - impulse * (1 / beta);
    }
  }
}

bool ConstraintGroups::change_penalty(Subsystems& subsystems, double from, double to) {
  bool changed = false;
  for (Group& group : groups_) {
    bool affected = from != to;
    for (int i = 0; i < group.count; ++i) {
      const double weight = can_open(group.law) && group.impulse.z[i] == 0 ? kOpenWeight : 1;
      affected = affected || weight != group.weight[i];
      group.weight[i] = weight;
    }
    if (!affected) continue;
    changed = true;
    const Lanes shift = group.inverse_weight * (1 / from) - 1 / (group.weight * to);
    group.inverse_weight = 1 / group.weight;
    const Vec3x4 impulse = in_axes_of_y(group, group.impulse);
    for (int k = 0; k < group.sides; ++k) {
      const std::size_t s = at(group.first_side + k);
      y_[s] += impulse * shift;
      push(subsystems, group, sides_[s], y_[s] * (group.weight * to) + impulse * 2.0);
      for (int i = 0; i < group.count; ++i) subsystems.set_weight(sides_[s].side[i], group.weight[i]);
    }
  }
  return changed;
}

void ConstraintGroups::impulses(const Problem& problem, std::span<double> lambda) const {
  for (const Group& group : groups_) {
    for (int i = 0; i < group.count; ++i) {
      const ConstraintRef& ref = problem.constraints[at(group.constraint[i])];
      if (ref.kind == ConstraintKind::Contact) {
        group.impulse.lane(i).store(&lambda[at(ref.row)]);
      } else {
        lambda[at(ref.row)] = group.impulse.z[i];
      }
    }
  }
}

double ConstraintGroups::impulse_square() const {
  double sum = 0;
  for (const Group& group : groups_) sum += square(group.impulse);
  return sum;
}

}  // namespace uzawa
