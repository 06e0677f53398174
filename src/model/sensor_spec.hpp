#pragma once

#include <optional>
#include <string>

#include "uzawa/math/quaternion.hpp"

namespace uzawa {

struct Range {
  double lower = 0, upper = 0;
};

/// Skin: the surface of a soft body (SoftBodySpec), wherever its nodes are; its geom belongs to body 0.
enum class ShapeType { Plane, HeightField, Sphere, Capsule, Ellipsoid, Cylinder, Box, Mesh, Skin };

/// What a sensor measures, as MuJoCo defines it; in brackets the number of values where it is not 1.
enum class SensorType {
  JointPosition,
  JointVelocity,
  JointActuatorForce,   ///< sum of the actuator forces on a joint
  JointLimitPosition,   ///< distance to the nearer limit minus the margin, where that is negative; else 0
  JointLimitVelocity,   ///< its rate, likewise
  JointLimitForce,      ///< N or N m, likewise
  BallOrientation,      ///< [4]
  BallAngularVelocity,  ///< [3]
  TendonPosition,
  TendonVelocity,
  TendonActuatorForce,
  TendonLimitPosition,
  TendonLimitVelocity,
  TendonLimitForce,
  ActuatorPosition,
  ActuatorVelocity,
  ActuatorForce,
  FramePosition,             ///< [3] in the reference frame, or in the world
  FrameOrientation,          ///< [4]
  FrameXAxis,                ///< [3]
  FrameYAxis,                ///< [3]
  FrameZAxis,                ///< [3]
  FrameVelocity,             ///< [3] m/s, as seen from the reference frame
  FrameAngularVelocity,      ///< [3]
  FrameAcceleration,         ///< [3] m/s^2, in the world, with the reaction to gravity
  FrameAngularAcceleration,  ///< [3]
  Accelerometer,             ///< [3] in the frame's axes, with the reaction to gravity
  Velocimeter,               ///< [3] in the frame's axes
  Gyro,                      ///< [3] in the frame's axes
  Force,                     ///< [3] N, of the parent on the body, in the frame's axes
  Torque,                    ///< [3] N m, likewise, about the frame's origin
  Touch,                     ///< N, sum of the normal forces in the zone
  Rangefinder,               ///< m, along the frame's z axis; -1: nothing there
  Magnetometer,              ///< [3] in the frame's axes
  SubtreeCom,                ///< [3] m
  SubtreeVelocity,           ///< [3] m/s, of the centre of mass
  SubtreeAngularMomentum,    ///< [3] about the centre of mass
  PotentialEnergy,           ///< J
  KineticEnergy,             ///< J
  Clock                      ///< s
};

/// Number of values of a sensor.
int sensor_size(SensorType type);

/// A frame that a body carries.
struct BodyFrame {
  int body = 0;
  Vec3 position;     ///< m, in the body frame
  Quat orientation;  ///< in the body frame
};

struct SensorSpec {
  std::string name;
  SensorType type = SensorType::Clock;
  int object = -1;                     ///< joint, tendon, actuator, or root body of the subtree
  BodyFrame frame;                     ///< of frame sensors and of those on sites
  std::optional<BodyFrame> reference;  ///< of frame position, orientation, axes and velocities
  ShapeType zone = ShapeType::Sphere;  ///< touch: shape and half sizes of the site, in m
  Vec3 zone_size;
  double cutoff = 0;  ///< values beyond it, or beyond its negative, are set to it; 0: none
};

}  // namespace uzawa
