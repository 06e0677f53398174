#include "uzawa/dynamics/sensors.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/dynamics/energy.hpp"
#include "uzawa/dynamics/forces.hpp"
#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/dynamics/newton_euler.hpp"

namespace uzawa {

namespace {

using enum SensorType;

/// Distance to the nearer end of a range, and the sign of its rate.
struct LimitDistance {
  double distance = 0, sign = 1;
};
LimitDistance to_limit(const Range& range, double value) {
  const double below = value - range.lower, above = range.upper - value;
  return below < above ? LimitDistance{below, 1} : LimitDistance{above, -1};
}

/// Value of a limit sensor; 0 where the limit is not reached.
double measure_limit(int kind, const LimitDistance& limit, double margin, double rate, double force) {
  if (limit.distance >= margin) return 0;
  return kind == 0 ? limit.distance - margin : kind == 1 ? limit.sign * rate : force;
}

double force_of(std::span<const double> forces, int index) { return forces.empty() ? 0 : std::abs(forces[at(index)]); }

/// Gravity of all bodies, fixed ones included, and springs.
double potential_of_all(const Model& model, const SensorInput& in) {
  double energy = spring_energy(model, in.state.q, in.data);
  for (std::size_t b = 1; b < model.spec().bodies.size(); ++b) {
    const BodySpec& body = model.spec().bodies[b];
    const Vec3 com = body_pose(model, in.data, static_cast<int>(b)) * body.com;
    energy -= body.mass * dot(model.options().gravity, com);
  }
  return energy;
}

void measure_joint_limit(const Model& model, const SensorInput& in, const SensorSpec& sensor, double* out) {
  const JointSpec& joint = model.spec().joints[at(sensor.object)];
  const int kind = static_cast<int>(sensor.type) - static_cast<int>(JointLimitPosition);
  const double force = force_of(in.joint_limit, sensor.object);
  if (!joint.range) return;
  const double* q = &in.state.q[at(model.joint_q(sensor.object))];
  const double* v = &in.state.v[at(model.joint_v(sensor.object))];
  if (joint.type == JointType::Ball) {
    const Vec3 turn = log_rotation(normalized(Quat::from(q)));
    const double angle = norm(turn);
    const double rate = angle > 0 ? dot(turn, Vec3::from(v)) / angle : 0;
    *out = measure_limit(kind, {joint.range->upper - angle, -1}, joint.limit_margin, rate, force);
  } else {
    *out = measure_limit(kind, to_limit(*joint.range, *q), joint.limit_margin, *v, force);
  }
}

void measure_one(const Model& model, const SensorInput& in, const SensorSpec& sensor, double* out) {
  if (sensor.type <= BallAngularVelocity) return measure_joint(model, in, sensor, out);
  if (sensor.type <= TendonLimitForce) return measure_tendon(model, in, sensor, out);
  if (sensor.type <= ActuatorForce) return measure_actuator(model, in, sensor, out);
  switch (sensor.type) {
    case SensorType::Force:
    case Torque:
    case Touch: return measure_force(model, in, sensor, out);
    case SubtreeCom:
    case SubtreeVelocity:
    case SubtreeAngularMomentum: return measure_subtree(model, in, sensor, out);
    case PotentialEnergy: *out = potential_of_all(model, in); return;
    case KineticEnergy: *out = kinetic_energy(model, in.state.v, in.data); return;
    case Clock: *out = in.state.time; return;
    default: return measure_frame(model, in, sensor, out);
  }
}

/// Only measured values have a cutoff: the loader gives axes and quaternions none.
void cut_off(double cutoff, std::span<double> values) {
  if (cutoff <= 0) return;
  for (double& value : values) value = std::clamp(value, -cutoff, cutoff);
}

}  // namespace

void measure_joint(const Model& model, const SensorInput& in, const SensorSpec& sensor, double* out) {
  const double* q = &in.state.q[at(model.joint_q(sensor.object))];
  const std::size_t dof = at(model.joint_v(sensor.object));
  switch (sensor.type) {
    case JointPosition: *out = *q; break;
    case JointVelocity: *out = in.state.v[dof]; break;
    case JointActuatorForce: *out = in.actuation[dof]; break;
    case BallOrientation: normalized(Quat::from(q)).store(out); break;
    case BallAngularVelocity: std::copy_n(&in.state.v[dof], 3, out); break;
    default: measure_joint_limit(model, in, sensor, out); break;
  }
}

void measure_tendon(const Model& model, const SensorInput& in, const SensorSpec& sensor, double* out) {
  const TendonSpec& tendon = model.spec().tendons[at(sensor.object)];
  const double length = in.data.tendon_length[at(sensor.object)];
  const double rate = tendon_row(model, in.data, sensor.object).rate(in.state.v);
  switch (sensor.type) {
    case TendonPosition: *out = length; break;
    case TendonVelocity: *out = rate; break;
    case TendonActuatorForce:
      for (int a = 0; a < model.nu(); ++a) {
        const ActuatorSpec& actuator = model.spec().actuators[at(a)];
        const bool pulls = actuator.transmission == Transmission::Tendon && actuator.target == sensor.object;
        if (pulls) *out += in.data.actuator_force[at(a)];
      }
      break;
    default:
      if (tendon.range) {
        *out = measure_limit(static_cast<int>(sensor.type) - static_cast<int>(TendonLimitPosition),
                             to_limit(*tendon.range, length), tendon.limit_margin, rate,
                             force_of(in.tendon_limit, sensor.object));
      }
      break;
  }
}

void measure_actuator(const Model& model, const SensorInput& in, const SensorSpec& sensor, double* out) {
  const ActuatorMoment moment(model, in.data, sensor.object, in.state.q);
  *out = sensor.type == ActuatorPosition   ? moment.length()
         : sensor.type == ActuatorVelocity ? moment.row().rate(in.state.v)
                                           : in.data.actuator_force[at(sensor.object)];
}

void measure_sensors(const Model& model, const SensorInput& in, std::span<double> values) {
  std::fill(values.begin(), values.end(), 0.0);
  // Accelerations of the links, in.data.acceleration, with that of the ground against gravity; the forces are not used.
  inverse_dynamics(model, in.state.v, in.acceleration, in.data, in.data.dof_scratch);
  for (int s = 0; s < static_cast<int>(model.spec().sensors.size()); ++s) {
    const SensorSpec& sensor = model.spec().sensors[at(s)];
    double* out = &values[at(model.sensor_address(s))];
    measure_one(model, in, sensor, out);
    cut_off(sensor.cutoff, {out, at(sensor_size(sensor.type))});
  }
}

}  // namespace uzawa
