#include "uzawa/assembly/rows.hpp"
#include "uzawa/dynamics/kinematics.hpp"

/// Like contacts, equalities hold for the velocity at the end of the step, e = -theta J v_k + (1-theta) share of the
/// error: held for vhat at theta > 0 they would reflect the velocities that violate them, step after step.
namespace uzawa {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// The row that is held, with its error of position.
void write_equality(const StepView& view, std::uint64_t key, double error, ConstraintWriter& writer) {
  const double theta = view.rule.theta;
  writer.equality(key, -theta * writer.rate() + (1 - theta) * view.settings.recovery(error, view.rule.h));
}

/// Three rows, one a world axis.
void write_same_point(const StepView& view, int index, const EqualitySpec& spec, ConstraintWriter& writer) {
  const Model& model = view.model;
  const Vec3 first = body_pose(model, view.data, spec.first) * spec.first_anchor;
  const Vec3 second = body_pose(model, view.data, spec.second) * spec.second_anchor;
  for (int k = 0; k < 3; ++k) {
    Mat3 frame;
    for (int c = 0; c < 3; ++c) frame.col[c] = Vec3::unit((k + 1 + c) % 3);  // the last column is axis k
    writer.hold_point(model.body_link(spec.first), first, frame, 1);
    writer.hold_point(model.body_link(spec.second), second, frame, -1);
    write_equality(view, constraint_key(ConstraintSource::Equality, index, k), (first - second)[k], writer);
  }
}

/// Three rows: the rotation that is left between the second body and where the first carries it.
void write_same_orientation(const StepView& view, int index, const EqualitySpec& spec, ConstraintWriter& writer) {
  const Model& model = view.model;
  const Mat3 target =
      body_pose(model, view.data, spec.first).rotation * to_matrix(normalized(spec.relative_orientation));
  const Mat3 actual = body_pose(model, view.data, spec.second).rotation;
  const Vec3 error = log_rotation(to_quaternion(actual * transpose(target)));
  for (int k = 0; k < 3; ++k) {
    writer.hold_rotation(model.body_link(spec.second), Vec3::unit(k), 1);
    writer.hold_rotation(model.body_link(spec.first), Vec3::unit(k), -1);
    write_equality(view, constraint_key(ConstraintSource::Equality, index, 3 + k), error[k], writer);
  }
}

/// A scalar that is coupled to another: its value now, its value at the reference configuration, and its row.
struct Coupled {
  double value = 0, reference = 0;
};

/// x1 - x1_0 = p(x2 - x2_0); hold(which, factor) takes hold of coordinate 1 or 2.
template <typename Hold>
void write_coupling(const StepView& view, int index, const EqualitySpec& spec, const Coupled& first,
                    const Coupled& second, Hold&& hold, ConstraintWriter& writer) {
  const double x = spec.second < 0 ? 0 : second.value - second.reference;
  double value = 0, slope = 0;
  for (std::size_t k = spec.polynomial.size(); k-- > 0;) {  // Horner, with the derivative
    slope = slope * x + value;
    value = value * x + spec.polynomial[k];
  }
  hold(spec.first, 1.0);
  if (spec.second >= 0 && slope != 0) hold(spec.second, -slope);
  write_equality(view, constraint_key(ConstraintSource::Equality, index), first.value - first.reference - value,
                 writer);
}

void write_joint_coupling(const StepView& view, std::span<const double> reference_q, int index,
                          const EqualitySpec& spec, ConstraintWriter& writer) {
  const auto coupled = [&](int joint) -> Coupled {
    if (joint < 0) return {};
    const std::size_t q = at(view.model.joint_q(joint));
    return {view.state.q[q], reference_q[q]};
  };
  const auto hold = [&](int joint, double factor) { writer.hold_dof(view.model.joint_v(joint), factor); };
  write_coupling(view, index, spec, coupled(spec.first), coupled(spec.second), hold, writer);
}

void write_tendon_coupling(const StepView& view, std::span<const double> rest_length, int index,
                           const EqualitySpec& spec, ConstraintWriter& writer) {
  const auto coupled = [&](int tendon) -> Coupled {
    if (tendon < 0) return {};
    return {view.data.tendon_length[at(tendon)], rest_length[at(tendon)]};
  };
  const auto hold = [&](int tendon, double factor) {
    writer.hold_row(tendon_row(view.model, view.data, tendon), factor);
  };
  write_coupling(view, index, spec, coupled(spec.first), coupled(spec.second), hold, writer);
}

}  // namespace

void write_equalities(const StepView& view, std::span<const double> rest_length, ConstraintWriter& writer) {
  if (!view.model.options().equalities) return;
  for (std::size_t i = 0; i < view.model.spec().equalities.size(); ++i) {
    const EqualitySpec& spec = view.model.spec().equalities[i];
    if (!spec.active) continue;
    const int index = static_cast<int>(i);
    switch (spec.type) {
      case EqualityType::Weld: write_same_orientation(view, index, spec, writer); [[fallthrough]];
      case EqualityType::Connect: write_same_point(view, index, spec, writer); break;
      case EqualityType::Joint: write_joint_coupling(view, view.model.spec().reference_q, index, spec, writer); break;
      case EqualityType::Tendon: write_tendon_coupling(view, rest_length, index, spec, writer); break;
    }
  }
}

}  // namespace uzawa
