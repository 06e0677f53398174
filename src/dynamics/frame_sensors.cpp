#include "uzawa/base/at.hpp"
#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/dynamics/ray.hpp"
#include "uzawa/dynamics/sensors.hpp"

namespace uzawa {

namespace {

using enum SensorType;

/// A frame with its motion, world.
struct MovingFrame {
  Pose pose;
  Vec3 velocity, turning;           ///< m/s, rad/s
  Vec3 acceleration, turning_rate;  ///< m/s^2, rad/s^2; against gravity
};

MovingFrame moving_frame(const Model& model, const DynamicsData& data, const BodyFrame& frame) {
  MovingFrame moving;
  moving.pose = body_pose(model, data, frame.body) * Pose::from(frame.position, normalized(frame.orientation));
  const int link = model.body_link(frame.body);
  if (link < 0) return moving;  // MuJoCo's accelerometers on the ground measure nothing, not even gravity
  const Vec3 r = moving.pose.position - link_reference(model, data, link);
  const Motion &velocity = data.velocity[at(link)], &acceleration = data.acceleration[at(link)];
  moving.velocity = velocity_at(velocity, r);
  moving.turning = velocity.angular;
  moving.acceleration = velocity_at(acceleration, r) + cross(velocity.angular, moving.velocity);
  moving.turning_rate = acceleration.angular;
  return moving;
}

/// With w >= 0: q and -q are one rotation.
Quat upper_half(const Quat& q) { return q.w < 0 ? Quat{-q.w, -q.v} : q; }

/// What is measured in the world, seen from the reference frame.
void measure_relative(const MovingFrame& frame, const MovingFrame& from, SensorType type, double* out) {
  const Mat3& axes = from.pose.rotation;
  const Vec3 arm = frame.pose.position - from.pose.position;
  const auto store = [&](const Vec3& x) { transpose_times(axes, x).store(out); };
  switch (type) {
    case FramePosition: store(arm); break;
    case FrameOrientation: upper_half(to_quaternion(transpose(axes) * frame.pose.rotation)).store(out); break;
    case FrameXAxis: store(frame.pose.rotation.col[0]); break;
    case FrameYAxis: store(frame.pose.rotation.col[1]); break;
    case FrameZAxis: store(frame.pose.rotation.col[2]); break;
    case FrameVelocity: store(frame.velocity - from.velocity - cross(from.turning, arm)); break;
    case FrameAngularVelocity: store(frame.turning - from.turning); break;
    default: break;
  }
}

}  // namespace

void measure_frame(const Model& model, const SensorInput& in, const SensorSpec& sensor, double* out) {
  const MovingFrame frame = moving_frame(model, in.data, sensor.frame);
  const auto store_local = [&](const Vec3& x) { transpose_times(frame.pose.rotation, x).store(out); };
  switch (sensor.type) {
    case FrameAcceleration: frame.acceleration.store(out); break;
    case FrameAngularAcceleration: frame.turning_rate.store(out); break;
    case Accelerometer: store_local(frame.acceleration); break;
    case Velocimeter: store_local(frame.velocity); break;
    case Gyro: store_local(frame.turning); break;
    case Magnetometer: store_local(model.options().magnetic); break;
    case Rangefinder:
      *out = cast_ray(model, in.data, {frame.pose.position, frame.pose.rotation.col[2]}, sensor.frame.body);
      break;
    default:
      measure_relative(frame, sensor.reference ? moving_frame(model, in.data, *sensor.reference) : MovingFrame{},
                       sensor.type, out);
      break;
  }
}

}  // namespace uzawa
