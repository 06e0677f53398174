#include "uzawa/assembly/assembler.hpp"

#include <algorithm>

#include "uzawa/assembly/rows.hpp"
#include "uzawa/dynamics/kinematics.hpp"

namespace uzawa {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

std::vector<double> tendon_rest_lengths(const Model& model) {
  DynamicsData data(model);
  const State reference = model.reference_state();
  forward_kinematics(model, reference.q, data);
  tendon_lengths(model, reference.q, data);
  return data.tendon_length;
}

}  // namespace

Assembler::Assembler(const Model& model, const AssemblySettings& settings)
    : model_(model),
      settings_(settings),
      map_(model),
      writer_(model, map_, problem_),
      diagonal_(at(model.nv())),
      impulse_(at(model.nv())),
      rest_length_(tendon_rest_lengths(model)),
      limit_active_(model.spec().joints.size()),
      limit_asked_(model.spec().joints.size()) {
  problem_.name = model.spec().name;
  map_.build_blocks(problem_);
}

void Assembler::assemble(const State& state, std::span<const double> control, const ThetaRule& rule,
                         const DynamicsData& data, std::span<const double> impulse, std::span<const Contact> contacts) {
  problem_.dt = rule.h;
  std::copy(impulse.begin(), impulse.end(), impulse_.begin());
  std::fill(diagonal_.begin(), diagonal_.end(), 0.0);
  std::copy(limit_asked_.begin(), limit_asked_.end(), limit_active_.begin());

  const StepView view{model_, state, data, rule, settings_};
  writer_.start(data, state.v);
  write_springs(state, control, rule, data);
  write_equalities(view, rest_length_, writer_);
  write_dry_friction(view, writer_);
  write_joint_limits(view, limit_active_, writer_);
  write_tendon_limits(view, writer_);
  write_contacts(view, contacts, writer_);
  writer_.finish();

  map_.update(data, 1 / (1 - rule.theta), diagonal_, impulse_, problem_);
}

/// b holds all forces at the start of the step, -K e - D r v_k among them. At its end they are less by K h r vhat + D r
/// (vhat - v_k): the part with v_k goes to b, the part with vhat to A or to a row of its own.
void Assembler::write_springs(const State& state, std::span<const double> control, const ThetaRule& rule,
                              const DynamicsData& data) {
  for_each_spring_damper(model_, state, control, data, [&](const SpringDamper& element) {
    const double gain = element.impulse_gain(rule.h);
    if (gain <= 0) return;
    element.row.add_force(rule.h * element.damping * element.row.rate(state.v), impulse_);
    if (element.row.dofs.size() == 1 && !map_.is_free_body(map_.dof_block(element.row.dofs[0]))) {
      const double c = element.row.scale * element.row.coefficients[0];
      diagonal_[at(element.row.dofs[0])] += gain * c * c;
      return;
    }
    writer_.hold_row(element.row);
    writer_.soft(constraint_key(ConstraintSource::Spring, element.source), 0, 0, gain);
  });
}

bool Assembler::add_passed_limits(const State& state, const ThetaRule& rule, std::span<const double> vhat) {
  if (!model_.options().limits) return false;
  bool any = false;
  for (std::size_t j = 0; j < limit_active_.size(); ++j) {
    const JointSpec& joint = model_.spec().joints[j];
    const bool scalar = joint.type == JointType::Hinge || joint.type == JointType::Slide;
    if (!joint.range || !scalar || limit_active_[j] != 0) continue;
    const int index = static_cast<int>(j);
    const double q = state.q[at(model_.joint_q(index))] + rule.h * vhat[at(model_.joint_v(index))];
    if (q >= joint.range->lower && q <= joint.range->upper) continue;
    limit_asked_[j] = 1;
    any = true;
  }
  return any;
}

void Assembler::forget_passed_limits() { std::fill(limit_asked_.begin(), limit_asked_.end(), 0); }

}  // namespace uzawa
