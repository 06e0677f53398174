#include <algorithm>
#include <cassert>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/dynamics/forces.hpp"
#include "uzawa/dynamics/gravity_compensation.hpp"
#include "uzawa/dynamics/muscle.hpp"
#include "uzawa/dynamics/range.hpp"

namespace uzawa {

namespace {

void check_control(const Model& model, std::span<const double> control) {
  assert(static_cast<int>(control.size()) == model.nu());
  for (std::size_t a = 0; a < control.size(); ++a) {
    if (!std::isfinite(control[a])) {
      throw InputError(model.spec().source, "actuator '" + model.spec().actuators[a].name + "'",
                       "its control is not a finite number");
    }
  }
}

bool acts_on_joint(const ActuatorSpec& actuator) {
  return actuator.transmission == Transmission::Joint || actuator.transmission == Transmission::JointInParent;
}

/// Where several actuators pull one tendon too hard together, each gives way in proportion.
void clamp_tendons(const Model& model, DynamicsData& data) {
  std::fill(data.tendon_force.begin(), data.tendon_force.end(), 0.0);
  for (int pass = 0; pass < 2; ++pass) {
    for (int a = 0; a < model.nu(); ++a) {
      const ActuatorSpec& actuator = model.spec().actuators[at(a)];
      if (actuator.transmission != Transmission::Tendon) continue;
      const std::optional<Range>& range = model.spec().tendons[at(actuator.target)].actuator_force_range;
      const double total = data.tendon_force[at(actuator.target)];
      if (pass == 0) {
        data.tendon_force[at(actuator.target)] += data.actuator_force[at(a)];
      } else if (!is_inside(range, total) && total != 0) {
        data.actuator_force[at(a)] *= clamp_to(range, total) / total;
      }
    }
  }
}

/// Actuator-borne gravity compensation, then the clamp of the total force on each joint.
void finish_joint_forces(const Model& model, DynamicsData& data, std::span<double> tau) {
  const std::vector<JointSpec>& joints = model.spec().joints;
  const bool compensates = !model.compensating_bodies().empty();
  if (compensates) {
    std::fill(data.dof_scratch.begin(), data.dof_scratch.end(), 0.0);
    add_gravity_compensation(model, data, data.dof_scratch);
  }
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const std::size_t d = at(model.joint_v(static_cast<int>(j)));
    if (compensates && joints[j].gravity_compensation_by_actuators) {
      for (std::size_t k = d; k < d + at(v_size(joints[j].type)); ++k) tau[k] += data.dof_scratch[k];
    }
    data.joint_saturated[j] = is_inside(joints[j].actuator_force_range, tau[d]) ? 0 : 1;
    tau[d] = clamp_to(joints[j].actuator_force_range, tau[d]);
  }
}

}  // namespace

ActuatorMoment::ActuatorMoment(const Model& model, const DynamicsData& data, int actuator, std::span<const double> q) {
  const ActuatorSpec& spec = model.spec().actuators[at(actuator)];
  if (spec.transmission == Transmission::Tendon) {
    dofs_ = model.tendon_dofs(spec.target);
    coefficients_ = data.tendon_jacobian[at(spec.target)];
    scale_ = spec.gear[0];
    length_ = scale_ * data.tendon_length[at(spec.target)];
  } else if (acts_on_joint(spec)) {
    on_joint(model, spec, q);
  } else {  // adhesion has no dofs
    dofs_ = model.actuator_dofs(actuator);
    coefficients_ = data.actuator_jacobian[at(actuator)];
    length_ = data.actuator_length[at(actuator)];
  }
}

void ActuatorMoment::on_joint(const Model& model, const ActuatorSpec& spec, std::span<const double> q) {
  const JointType type = model.spec().joints[at(spec.target)].type;
  const double* joint_q = &q[at(model.joint_q(spec.target))];
  const int count = v_size(type);
  for (int k = 0; k < count; ++k) {
    own_dofs_[at(k)] = model.joint_v(spec.target) + k;
    own_coefficients_[at(k)] = spec.gear[at(k)];
  }
  dofs_ = {own_dofs_.data(), at(count)};
  coefficients_ = {own_coefficients_.data(), at(count)};
  if (count == 1) {
    length_ = spec.gear[0] * joint_q[0];
    return;
  }
  const std::size_t rotation = at(count - 3);  // ball: gear 0-2, free: gear 3-5
  const Quat orientation = normalized(Quat::from(joint_q + (type == JointType::Free ? 3 : 0)));
  Vec3 gear = Vec3::from(&spec.gear[rotation]);
  if (spec.transmission == Transmission::JointInParent) gear = rotate(conjugate(orientation), gear);
  gear.store(&own_coefficients_[rotation]);
  if (type == JointType::Ball) length_ = dot(log_rotation(orientation), gear);
}

double actuator_input(const Model& model, int actuator, std::span<const double> activation,
                      std::span<const double> control) {
  const int state = model.actuator_activation(actuator);
  if (state >= 0) return activation[at(state)];
  return clamp_to(model.spec().actuators[at(actuator)].control_range, control[at(actuator)]);
}

ActuatorResponse actuator_response(const ActuatorSpec& actuator, double u, double length, double velocity) {
  const auto affine = [&](const std::array<double, 3>& c) -> MuscleForce {
    return {c[0] + c[1] * length + c[2] * velocity, c[1], c[2]};
  };
  const MuscleForce gain =
      actuator.muscle_gain ? muscle_active_force(actuator, length, velocity) : affine(actuator.gain);
  const MuscleForce bias = actuator.muscle_bias ? muscle_passive_force(actuator, length) : affine(actuator.bias);
  return {gain.force * u + bias.force, -(gain.by_length * u + bias.by_length),
          -(gain.by_velocity * u + bias.by_velocity)};
}

bool has_slope(const ActuatorSpec& actuator) {
  const auto slopes = [](const std::array<double, 3>& c) { return c[1] != 0 || c[2] != 0; };
  return actuator.muscle_gain || actuator.muscle_bias || slopes(actuator.gain) || slopes(actuator.bias);
}

void actuator_force(const Model& model, const State& state, std::span<const double> control, DynamicsData& data,
                    std::span<double> tau) {
  assert(static_cast<int>(tau.size()) == model.nv());
  check_control(model, control);
  std::fill(tau.begin(), tau.end(), 0.0);
  std::fill(data.actuator_force.begin(), data.actuator_force.end(), 0.0);
  if (!model.options().actuation) return;
  for (int a = 0; a < model.nu(); ++a) {
    const ActuatorSpec& actuator = model.spec().actuators[at(a)];
    const ActuatorMoment moment(model, data, a, state.q);
    const double velocity = moment.row().rate(state.v);
    const double u = actuator_input(model, a, state.activation, control);
    const double force =
        clamp_to(actuator.force_range, actuator_response(actuator, u, moment.length(), velocity).force);
    data.actuator_force[at(a)] = force;
    if (actuator.transmission != Transmission::Tendon) moment.row().add_force(force, tau);
  }
  clamp_tendons(model, data);
  for (int a = 0; a < model.nu(); ++a) {
    if (model.spec().actuators[at(a)].transmission != Transmission::Tendon) continue;
    ActuatorMoment(model, data, a, state.q).row().add_force(data.actuator_force[at(a)], tau);
  }
  finish_joint_forces(model, data, tau);
}

bool is_saturated(const Model& model, int actuator, const DynamicsData& data) {
  const ActuatorSpec& spec = model.spec().actuators[at(actuator)];
  if (!is_inside(spec.force_range, data.actuator_force[at(actuator)])) return true;
  if (acts_on_joint(spec)) return data.joint_saturated[at(spec.target)] != 0;
  if (spec.transmission != Transmission::Tendon) return false;
  const TendonSpec& tendon = model.spec().tendons[at(spec.target)];
  return !is_inside(tendon.actuator_force_range, data.tendon_force[at(spec.target)]) ||
         std::any_of(tendon.joints.begin(), tendon.joints.end(),
                     [&](int j) { return data.joint_saturated[at(j)] != 0; });
}

}  // namespace uzawa
