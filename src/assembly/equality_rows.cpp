#include <cmath>

#include "uzawa/assembly/row_writers.hpp"
#include "uzawa/base/at.hpp"
#include "uzawa/dynamics/kinematics.hpp"

namespace uzawa {

namespace {

/// The offset of a constraint's rows in the phase of the view; `error` now and after a step at present velocities.
Vec3 equality_offset(const StepView& view, const Vec3& error, const Vec3& ahead, const Vec3& rate) {
  switch (view.phase) {
    case Phase::Impact: return -rate;
    case Phase::Position: return error;
    case Phase::Velocity: break;
  }
  if (view.settings.errors_in_rows) return error * (1 / view.rule.h);
  return held_rate(rate, (ahead - error) * (1 / view.rule.h) - rate);
}

/// Three rows, one a world axis.
void write_same_point(const StepView& view, ConstraintSource source, int index, const PointTie& spec,
                      ConstraintWriter& writer) {
  const Model& model = view.model;
  const auto anchor1 = [&](const DynamicsData& data) { return body_pose(model, data, spec.first) * spec.first_anchor; };
  const auto anchor2 = [&](const DynamicsData& data) {
    return body_pose(model, data, spec.second) * spec.second_anchor;
  };
  const Vec3 first = anchor1(view.data), second = anchor2(view.data);
  const Vec3 rate = point_velocity(model, view.data, model.body_link(spec.first), first) -
                    point_velocity(model, view.data, model.body_link(spec.second), second);
  const Vec3 e = equality_offset(view, first - second, anchor1(view.ahead) - anchor2(view.ahead), rate);
  for (int k = 0; k < 3; ++k) {
    Mat3 frame;
    for (int c = 0; c < 3; ++c) frame.col[c] = Vec3::unit((k + 1 + c) % 3);  // the last column is axis k
    writer.hold_point(model.link_side(model.body_link(spec.first)), first, frame, 1);
    writer.hold_point(model.link_side(model.body_link(spec.second)), second, frame, -1);
    writer.held_equality(constraint_key(source, index, k), e[k], rate[k]);
  }
}

/// The rotation that is left between the second body and where the first carries it.
Vec3 weld_rotation(const Model& model, const DynamicsData& data, const EqualitySpec& spec) {
  const Mat3 target = body_pose(model, data, spec.first).rotation * to_matrix(normalized(spec.relative_orientation));
  const Mat3 actual = body_pose(model, data, spec.second).rotation;
  return log_rotation(to_quaternion(actual * transpose(target)));
}

void write_same_orientation(const StepView& view, int index, const EqualitySpec& spec, ConstraintWriter& writer) {
  const Model& model = view.model;
  const int first = model.body_link(spec.first), second = model.body_link(spec.second);
  const auto turn = [&](int link) { return link < 0 ? Vec3{} : view.data.velocity[at(link)].angular; };
  const Vec3 rate = turn(second) - turn(first);
  const Vec3 e =
      equality_offset(view, weld_rotation(model, view.data, spec), weld_rotation(model, view.ahead, spec), rate);
  for (int k = 0; k < 3; ++k) {
    writer.hold_rotation(second, Vec3::unit(k), 1);
    writer.hold_rotation(first, Vec3::unit(k), -1);
    writer.held_equality(constraint_key(ConstraintSource::Equality, index, 3 + k), e[k], rate[k]);
  }
}

/// A scalar that is coupled to another, from its value at the reference configuration: now, and after the
/// estimated step.
struct Coupled {
  double now = 0, ahead = 0;
};

/// The polynomial of a coupling and its derivative.
struct Slope {
  double value = 0, slope = 0;
};
Slope polynomial(const EqualitySpec& spec, double x) {
  Slope p;
  for (std::size_t k = spec.polynomial.size(); k-- > 0;) {  // Horner
    p.slope = p.slope * x + p.value;
    p.value = p.value * x + spec.polynomial[k];
  }
  return p;
}

/// x1 = p(x2); hold(which, factor) takes hold of coordinate 1 or 2.
template <typename Hold>
void write_coupling(const StepView& view, int index, const EqualitySpec& spec, const Coupled& first,
                    const Coupled& second, Hold&& hold, ConstraintWriter& writer) {
  const Slope now = polynomial(spec, second.now), ahead = polynomial(spec, second.ahead);
  hold(spec.first, 1.0);
  if (spec.second >= 0 && now.slope != 0) hold(spec.second, -now.slope);
  const double rate = writer.rate();
  const Vec3 e = equality_offset(view, {first.now - now.value, 0, 0}, {first.ahead - ahead.value, 0, 0}, {rate, 0, 0});
  writer.held_equality(constraint_key(ConstraintSource::Equality, index), e.x(), rate);
}

void write_joint_coupling(const StepView& view, std::span<const double> reference_q, int index,
                          const EqualitySpec& spec, ConstraintWriter& writer) {
  const auto coupled = [&](int joint) -> Coupled {
    if (joint < 0) return {};
    const std::size_t q = at(view.model.joint_q(joint));
    return {view.state.q[q] - reference_q[q], view.ahead_q[q] - reference_q[q]};
  };
  const auto hold = [&](int joint, double factor) { writer.hold_dof(view.model.joint_v(joint), factor); };
  write_coupling(view, index, spec, coupled(spec.first), coupled(spec.second), hold, writer);
}

void write_tendon_coupling(const StepView& view, std::span<const double> rest_length, int index,
                           const EqualitySpec& spec, ConstraintWriter& writer) {
  const auto coupled = [&](int tendon) -> Coupled {
    if (tendon < 0) return {};
    const std::size_t t = at(tendon);
    return {view.data.tendon_length[t] - rest_length[t], view.ahead.tendon_length[t] - rest_length[t]};
  };
  const auto hold = [&](int tendon, double factor) {
    writer.hold_row(tendon_row(view.model, view.data, tendon), factor);
  };
  write_coupling(view, index, spec, coupled(spec.first), coupled(spec.second), hold, writer);
}

}  // namespace

void write_point_ties(const StepView& view, std::span<const PointTie> ties, ConstraintWriter& writer) {
  for (std::size_t i = 0; i < ties.size(); ++i) {
    write_same_point(view, ConstraintSource::Tie, static_cast<int>(i), ties[i], writer);
  }
}

void write_equalities(const StepView& view, std::span<const double> rest_length, ConstraintWriter& writer) {
  if (!view.model.options().equalities) return;
  for (std::size_t i = 0; i < view.model.spec().equalities.size(); ++i) {
    const EqualitySpec& spec = view.model.spec().equalities[i];
    if (!spec.active) continue;
    const int index = static_cast<int>(i);
    switch (spec.type) {
      case EqualityType::Weld: write_same_orientation(view, index, spec, writer); [[fallthrough]];
      case EqualityType::Connect:
        write_same_point(view, ConstraintSource::Equality, index,
                         {{}, spec.first, spec.second, spec.first_anchor, spec.second_anchor}, writer);
        break;
      case EqualityType::Joint: write_joint_coupling(view, view.model.spec().reference_q, index, spec, writer); break;
      case EqualityType::Tendon: write_tendon_coupling(view, rest_length, index, spec, writer); break;
    }
  }
}

}  // namespace uzawa
