#include <algorithm>
#include <cmath>
#include <limits>

#include "uzawa/assembly/row_writers.hpp"
#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A coordinate has no room left but what the curvature of its path takes up in two steps: a string at its full length.
bool is_taut(double h, double room, double bend) { return bend > 0 && room <= 2 * bend * h; }

/// Largest rate of a coordinate that may grow by `room` to the end of the step; `rate`: at present, `bend`: what the
/// curvature of its path adds. A taut string is held like an equality (held_rate), without the elastic bounce of one
/// that is pulled tight: only as much of the rate as the curvature explains is reflected.
double largest_rate(double h, double room, double rate, double bend) {
  if (!is_taut(h, room, bend)) return std::max(0.0, room) / h - bend;
  return -std::clamp(held_rate({rate, 0, 0}, {bend, 0, 0}).x(), 0.0, 2 * bend);
}

/// Range of the rate that keeps x within its range to the end of the step; `rate` and `bend` as above. A limit that is
/// passed already may not be passed further.
Range rate_range(const StepView& view, const Range& range, double x, double rate = 0, double bend = 0) {
  if (view.phase == Phase::Position) return {range.lower - x, range.upper - x};
  const double h = view.rule.h;
  if (view.settings.errors_in_rows) return {(range.lower - x) / h, (range.upper - x) / h};
  return {-largest_rate(h, x - range.lower, -rate, -bend), largest_rate(h, range.upper - x, rate, bend)};
}

/// Notes a taut coordinate for the projection of positions.
void note_taut(const StepView& view, std::uint64_t key, double room, double bend) {
  if (view.taut != nullptr && is_taut(view.rule.h, room, bend)) view.taut->push_back(key);
}

bool is_close(const StepView& view, const Range& range, double margin, double x, double v) {
  const double reach = margin + view.settings.limit_reach * std::abs(range.upper - range.lower) +
                       view.settings.limit_steps * view.rule.h * std::abs(v);
  return x - range.lower < reach || range.upper - x < reach;
}

/// The angle of a ball joint's rotation grows at the rate of the angular velocity along its axis.
void write_ball_limit(const StepView& view, int j, const JointSpec& joint, ConstraintWriter& writer) {
  const std::size_t q = at(view.model.joint_q(j));
  const Vec3 rotation = log_rotation(normalized(Quat::from(&view.state.q[q])));
  const double angle = norm(rotation);
  if (angle < 1e-9) return;  // no axis, and no limit near
  const int first = view.model.joint_v(j);
  for (int k = 0; k < 3; ++k) writer.hold_dof(first + k, rotation[k] / angle);
  double bend = 0;
  if (view.phase == Phase::Velocity) {
    const double then = norm(log_rotation(normalized(Quat::from(&view.ahead_q[q]))));
    bend = view.curvature_rate(angle, then, writer.rate());
  }
  const double upper = rate_range(view, {-kInfinity, joint.range->upper}, angle, writer.rate(), bend).upper;
  writer.limit(constraint_key(ConstraintSource::Limit, j), -kInfinity, upper);
  note_taut(view, constraint_key(ConstraintSource::Limit, j), joint.range->upper - angle, bend);
}

}  // namespace

void write_joint_limits(const StepView& view, std::span<char> active, ConstraintWriter& writer) {
  if (!view.model.options().limits) return;
  for (std::size_t j = 0; j < view.model.spec().joints.size(); ++j) {
    const JointSpec& joint = view.model.spec().joints[j];
    if (!joint.range || joint.type == JointType::Free) continue;
    const int index = static_cast<int>(j);
    if (joint.type == JointType::Ball) {
      write_ball_limit(view, index, joint, writer);
      continue;
    }
    const int dof = view.model.joint_v(index);
    const double q = view.state.q[at(view.model.joint_q(index))], v = view.v[at(dof)];
    if (active[j] == 0 && !is_close(view, *joint.range, joint.limit_margin, q, v)) continue;
    active[j] = 1;
    const Range rate = rate_range(view, *joint.range, q);
    writer.hold_dof(dof, 1);
    writer.limit(constraint_key(ConstraintSource::Limit, index), rate.lower, rate.upper);
  }
}

void write_tendon_limits(const StepView& view, ConstraintWriter& writer) {
  if (!view.model.options().limits) return;
  for (std::size_t t = 0; t < view.model.spec().tendons.size(); ++t) {
    const TendonSpec& tendon = view.model.spec().tendons[t];
    if (!tendon.range) continue;
    const int index = static_cast<int>(t);
    const CoordinateRow row = tendon_row(view.model, view.data, index);
    const double length = view.data.tendon_length[t], speed = row.rate(view.v);
    if (!is_close(view, *tendon.range, tendon.limit_margin, length, speed)) continue;
    const bool curved = !tendon.path.empty() && view.phase == Phase::Velocity;
    const double bend = curved ? view.curvature_rate(length, view.ahead.tendon_length[t], speed) : 0;
    const Range rate = rate_range(view, *tendon.range, length, speed, bend);
    writer.hold_row(row);
    writer.limit(constraint_key(ConstraintSource::TendonLimit, index), rate.lower, rate.upper);
    note_taut(view, constraint_key(ConstraintSource::TendonLimit, index), tendon.range->upper - length, bend);
  }
}

void write_limits_in_impact(const StepView& view, ConstraintWriter& writer) {
  if (!view.model.options().limits) return;
  const auto write = [&](std::uint64_t key, const Range& range, double x) {
    const double rate = writer.rate();
    Range allowed{-kInfinity, kInfinity};
    if (x <= range.lower) allowed.lower = std::min(0.0, rate);
    if (x >= range.upper) allowed.upper = std::max(0.0, rate);
    if (std::isfinite(allowed.lower) || std::isfinite(allowed.upper)) {
      writer.limit(key, allowed.lower, allowed.upper);
    } else {
      writer.let_go();
    }
  };
  for (std::size_t j = 0; j < view.model.spec().joints.size(); ++j) {
    const JointSpec& joint = view.model.spec().joints[j];
    const int index = static_cast<int>(j);
    if (!joint.range || (joint.type != JointType::Hinge && joint.type != JointType::Slide)) continue;
    writer.hold_dof(view.model.joint_v(index), 1);
    write(constraint_key(ConstraintSource::Limit, index), *joint.range, view.state.q[at(view.model.joint_q(index))]);
  }
  for (std::size_t t = 0; t < view.model.spec().tendons.size(); ++t) {
    const TendonSpec& tendon = view.model.spec().tendons[t];
    if (!tendon.range) continue;
    writer.hold_row(tendon_row(view.model, view.data, static_cast<int>(t)));
    write(constraint_key(ConstraintSource::TendonLimit, static_cast<int>(t)), *tendon.range,
          view.data.tendon_length[t]);
  }
}

void write_dry_friction(const StepView& view, ConstraintWriter& writer) {
  if (!view.model.options().friction_loss) return;
  for (std::size_t j = 0; j < view.model.spec().joints.size(); ++j) {
    const JointSpec& joint = view.model.spec().joints[j];
    if (joint.friction_loss <= 0) continue;
    for (int k = 0; k < v_size(joint.type); ++k) {
      writer.hold_dof(view.model.joint_v(static_cast<int>(j)) + k, 1);
      writer.friction(constraint_key(ConstraintSource::JointFriction, static_cast<int>(j), k),
                      view.rule.h * joint.friction_loss);
    }
  }
  for (std::size_t t = 0; t < view.model.spec().tendons.size(); ++t) {
    const TendonSpec& tendon = view.model.spec().tendons[t];
    if (tendon.friction_loss <= 0) continue;
    writer.hold_row(tendon_row(view.model, view.data, static_cast<int>(t)));
    writer.friction(constraint_key(ConstraintSource::TendonFriction, static_cast<int>(t)),
                    view.rule.h * tendon.friction_loss);
  }
}

}  // namespace uzawa
