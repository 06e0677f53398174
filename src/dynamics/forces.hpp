#pragma once

#include <array>
#include <span>

#include "uzawa/dynamics/data.hpp"

/// Passive and actuator forces, and how they change with position and velocity.
namespace uzawa {

/// A scalar coordinate of the system: rate = sum scale * coefficient_k * v[dof_k]. A tendon, or an actuator's length.
struct CoordinateRow {
  std::span<const int> dofs;
  std::span<const double> coefficients;
  double scale = 1;

  double rate(std::span<const double> v) const {
    double sum = 0;
    for (std::size_t k = 0; k < dofs.size(); ++k) sum += coefficients[k] * v[static_cast<std::size_t>(dofs[k])];
    return scale * sum;
  }
  /// tau += row^T force
  void add_force(double force, std::span<double> tau) const {
    for (std::size_t k = 0; k < dofs.size(); ++k)
      tau[static_cast<std::size_t>(dofs[k])] += scale * coefficients[k] * force;
  }
};

/// Lengths and Jacobians of the tendons, and of actuators on sites and slider-cranks; needs forward_kinematics.
void tendon_lengths(const Model& model, std::span<const double> q, DynamicsData& data);
inline CoordinateRow tendon_row(const Model& model, const DynamicsData& data, int tendon) {
  return {model.tendon_dofs(tendon), data.tendon_jacobian[static_cast<std::size_t>(tendon)], 1};
}

/// A spring about the axes of a ball joint.
inline bool has_ball_spring(const JointSpec& joint) { return dot(joint.ball_stiffness, joint.ball_stiffness) > 0; }

/// tau = springs, dampers, gravity compensation and fluid drag of joints, tendons and bodies. Needs forward_kinematics,
/// link_velocities and tendon_lengths.
void rigid_passive_force(const Model& model, std::span<const double> q, std::span<const double> v, DynamicsData& data,
                         std::span<double> tau);

/// The same with the forces of soft bodies and rods (evaluate_elastic): MuJoCo's qfrc_passive.
void passive_force(const Model& model, std::span<const double> q, std::span<const double> v, DynamicsData& data,
                   std::span<double> tau);

/// tau = actuator forces in joint space: MuJoCo's qfrc_actuator. Control and force ranges are applied; a NaN control
/// throws InputError naming the actuator. data.actuator_force gets the force of each actuator. Needs forward_kinematics
/// and tendon_lengths.
void actuator_force(const Model& model, const State& state, std::span<const double> control, DynamicsData& data,
                    std::span<double> tau);

/// Rates of the activations; and the activations after `h` seconds of constant control, clamped to their ranges.
void activation_rate(const Model& model, std::span<const double> activation, std::span<const double> control,
                     std::span<double> rate);
void advance_activation(const Model& model, std::span<const double> control, double h, std::span<double> activation);

/// Spring-damper force along a coordinate, which can be integrated implicitly.
struct SpringDamper {
  CoordinateRow row;
  double stiffness = 0;  ///< -d force / d length, >= 0
  double damping = 0;    ///< -d force / d velocity, >= 0
  int source = 0;        ///< index of its origin: joints first, then tendons, then actuators

  /// Its contribution to A along its row when evaluated at the end of a step of h seconds.
  double impulse_gain(double h) const { return h * h * stiffness + h * damping; }
};

/// Calls visit(SpringDamper) for every spring, damper and servo active at the state: joints (one call a dof), tendons,
/// actuators that are not saturated. Reads the saturation found by actuator_force, which must run first.
template <typename Visit>
void for_each_spring_damper(const Model& model, const State& state, std::span<const double> control,
                            const DynamicsData& data, Visit&& visit);

/// Length and moment arm of an actuator; adhesion has none, its force is that of the contacts. Holds its own storage
/// for joint transmissions.
class ActuatorMoment {
 public:
  ActuatorMoment(const Model& model, const DynamicsData& data, int actuator, std::span<const double> q);
  CoordinateRow row() const { return {dofs_, coefficients_, scale_}; }
  double length() const { return length_; }
  ActuatorMoment(const ActuatorMoment&) = delete;
  ActuatorMoment& operator=(const ActuatorMoment&) = delete;

 private:
  void on_joint(const Model& model, const ActuatorSpec& spec, std::span<const double> q);

  std::array<int, 6> own_dofs_{};
  std::array<double, 6> own_coefficients_{};
  std::span<const int> dofs_;
  std::span<const double> coefficients_;
  double scale_ = 1, length_ = 0;
};

/// Control (clamped) or activation that drives an actuator.
double actuator_input(const Model& model, int actuator, std::span<const double> activation,
                      std::span<const double> control);

/// The law of an actuator without its clamps: the force, and how it falls with length and velocity.
struct ActuatorResponse {
  double force = 0;
  double stiffness = 0;  ///< -d force / d length
  double damping = 0;    ///< -d force / d velocity
};
ActuatorResponse actuator_response(const ActuatorSpec& actuator, double u, double length, double velocity);
/// Whether its force depends on length or velocity at all.
bool has_slope(const ActuatorSpec& actuator);

/// True where a clamp decides the force: the actuator's own, its tendon's, or that of a joint it acts on.
bool is_saturated(const Model& model, int actuator, const DynamicsData& data);

template <typename Visit>
void for_each_spring_damper(const Model& model, const State& state, std::span<const double> control,
                            const DynamicsData& data, Visit&& visit) {
  static constexpr double kOne = 1;
  for (std::size_t j = 0; j < model.spec().joints.size(); ++j) {
    const JointSpec& joint = model.spec().joints[j];
    if (joint.stiffness <= 0 && joint.damping <= 0 && !has_ball_spring(joint)) continue;
    const int first = model.joint_v(static_cast<int>(j));
    for (int d = first; d < first + v_size(joint.type); ++d) {
      double stiffness = std::max(0.0, joint.stiffness);
      if (joint.type == JointType::Ball) stiffness += joint.ball_stiffness[d - first];
      visit(SpringDamper{{{&d, 1}, {&kOne, 1}, 1}, stiffness, joint.damping, static_cast<int>(j)});
    }
  }
  const int joints = static_cast<int>(model.spec().joints.size());
  const int tendons = static_cast<int>(model.spec().tendons.size());
  for (std::size_t t = 0; t < model.spec().tendons.size(); ++t) {
    const TendonSpec& tendon = model.spec().tendons[t];
    const double length = data.tendon_length[t];
    const bool stretched = length < tendon.spring_length.lower || length > tendon.spring_length.upper;
    visit(SpringDamper{tendon_row(model, data, static_cast<int>(t)), stretched ? std::max(0.0, tendon.stiffness) : 0.0,
                       tendon.damping, joints + static_cast<int>(t)});
  }
  if (!model.options().actuation) return;
  for (int a = 0; a < model.nu(); ++a) {
    const ActuatorSpec& actuator = model.spec().actuators[static_cast<std::size_t>(a)];
    if (!has_slope(actuator) || is_saturated(model, a, data)) continue;
    const ActuatorMoment moment(model, data, a, state.q);
    const auto [force, stiffness, damping] = actuator_response(
        actuator, actuator_input(model, a, state.activation, control), moment.length(), moment.row().rate(state.v));
    if (stiffness <= 0 && damping <= 0) continue;
    visit(SpringDamper{moment.row(), std::max(0.0, stiffness), std::max(0.0, damping), joints + tendons + a});
  }
}

}  // namespace uzawa
