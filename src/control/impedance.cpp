#include "uzawa/control/impedance.hpp"

#include <algorithm>
#include <cassert>

#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/dynamics/forces.hpp"
#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/dynamics/newton_euler.hpp"

namespace uzawa {

ImpedanceControl::ImpedanceControl(const Model& model, std::span<const std::string> actuators)
    : model_(&model),
      data_(model),
      acceleration_(at(model.nv())),
      force_(at(model.nv())),
      springs_(at(model.nv())),
      at_rest_(at(model.nv())),
      feedforward_(actuators.size()) {
  for (const std::string& name : actuators) {
    const int index = model.actuator(name);
    const ActuatorSpec& actuator = model.spec().actuators[at(index)];
    const auto refuse = [&](const char* reason) {
      throw InputError(model.spec().source, "actuator '" + name + "'", reason);
    };
    const bool on_joint =
        actuator.transmission == Transmission::Joint || actuator.transmission == Transmission::JointInParent;
    if (!on_joint) refuse("impedance control needs an actuator on a joint");
    const JointSpec& joint = model.spec().joints[at(actuator.target)];
    if (joint.type != JointType::Hinge && joint.type != JointType::Slide) {
      refuse("impedance control needs a hinge or a slide");
    }
    const double gear = actuator.gear[0], stiffness = -actuator.bias[1];
    const bool constant_gain = actuator.gain[0] != 0 && actuator.gain[1] == 0 && actuator.gain[2] == 0;
    if (!constant_gain || stiffness <= 0 || gear == 0 || model.actuator_activation(index) >= 0) {
      refuse("impedance control needs a position servo");
    }
    drives_.push_back({index, model.joint_q(actuator.target), model.joint_v(actuator.target), gear, actuator.gain[0],
                       actuator.bias[0], stiffness, -actuator.bias[2], joint.damping});
  }
}

void ImpedanceControl::positions(std::span<const double> q, std::span<double> out) const {
  assert(out.size() == drives_.size());
  for (std::size_t i = 0; i < drives_.size(); ++i) out[i] = q[at(drives_[i].joint_q)];
}

void ImpedanceControl::compute_feedforward(const State& state, const Target& target) {
  forward_kinematics(*model_, state, data_);
  link_velocities(*model_, state.v, data_);
  std::fill(acceleration_.begin(), acceleration_.end(), 0.0);
  for (std::size_t i = 0; i < target.acceleration.size(); ++i) {
    acceleration_[at(drives_[i].dof)] = target.acceleration[i];
  }
  inverse_dynamics(*model_, state.v, acceleration_, data_, force_);
  // What springs and the model's own gravity compensation do; dampers are left to damp.
  tendon_lengths(*model_, state.q, data_);
  link_velocities(*model_, at_rest_, data_);
  rigid_passive_force(*model_, state.q, at_rest_, data_, springs_);
  for (std::size_t i = 0; i < drives_.size(); ++i) {
    const std::size_t d = at(drives_[i].dof);
    feedforward_[i] = force_[d] - springs_[d] + (target.extra.empty() ? 0 : target.extra[d]);
    if (!target.velocity.empty()) feedforward_[i] += drives_[i].joint_damping * target.velocity[i];
  }
}

void ImpedanceControl::write(const State& state, const Target& target, std::span<double> control) {
  assert(target.position.size() == drives_.size() && static_cast<int>(control.size()) == model_->nu());
  compute_feedforward(state, target);
  for (std::size_t i = 0; i < drives_.size(); ++i) {
    const Drive& drive = drives_[i];
    const double speed = target.velocity.empty() ? 0 : target.velocity[i];
    // Along the actuator: length = gear q, joint force = gear * force.
    const double force = drive.gear * (drive.stiffness * target.position[i] + drive.damping * speed) +
                         feedforward_[i] / drive.gear - drive.offset;
    control[at(drive.actuator)] = force / drive.gain;
  }
}

}  // namespace uzawa
