#pragma once

#include <span>
#include <vector>

#include "uzawa/dynamics/data.hpp"

/// Measurements of a model's sensors, with MuJoCo's definitions.
namespace uzawa {

/// A force of a contact, a tendon or a tie between bodies.
struct BodyForce {
  int body = 0;
  Vec3 point, force, moment;  ///< m, N, N m; world
};

/// Adds the forces of spatial tendons on the bodies that they run over: of springs, dampers, actuators and limits (N,
/// along the length; may be empty). Needs tendon_lengths and actuator_force.
void add_tendon_forces(const Model& model, const State& state, const DynamicsData& data, std::span<const double> limit,
                       std::vector<BodyForce>& out);

/// Normal force of a contact.
struct TouchForce {
  int body1 = 0, body2 = 0;
  Vec3 point, normal;  ///< m; unit, from the first body to the second; world
  double force = 0;    ///< N
};

/// What sensors measure: a state with its poses, velocities, tendons and actuator forces, the accelerations there and
/// the forces behind them.
struct SensorInput {
  const State& state;
  DynamicsData& data;  ///< after forward_kinematics, link_velocities, tendon_lengths, actuator_force at `state`
  std::span<const double> acceleration;  ///< per dof
  std::span<const double> actuation;     ///< per dof: joint-space actuator force
  std::span<const BodyForce> forces;
  std::span<const TouchForce> touches;
  std::span<const double> joint_limit, tendon_limit;  ///< N or N m, per joint and tendon; empty: none act
};

/// Writes the values of all sensors, at Model::sensor_address.
void measure_sensors(const Model& model, const SensorInput& in, std::span<double> values);

// -- by kind
void measure_joint(const Model& model, const SensorInput& in, const SensorSpec& sensor, double* out);
void measure_tendon(const Model& model, const SensorInput& in, const SensorSpec& sensor, double* out);
void measure_actuator(const Model& model, const SensorInput& in, const SensorSpec& sensor, double* out);
/// Frames, and sensors on sites but those of forces.
void measure_frame(const Model& model, const SensorInput& in, const SensorSpec& sensor, double* out);
/// Force, torque, touch.
void measure_force(const Model& model, const SensorInput& in, const SensorSpec& sensor, double* out);
void measure_subtree(const Model& model, const SensorInput& in, const SensorSpec& sensor, double* out);

}  // namespace uzawa
