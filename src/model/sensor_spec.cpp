#include "uzawa/model/sensor_spec.hpp"

namespace uzawa {

int sensor_size(SensorType type) {
  switch (type) {
    case SensorType::BallOrientation:
    case SensorType::FrameOrientation: return 4;
    case SensorType::BallAngularVelocity:
    case SensorType::FramePosition:
    case SensorType::FrameXAxis:
    case SensorType::FrameYAxis:
    case SensorType::FrameZAxis:
    case SensorType::FrameVelocity:
    case SensorType::FrameAngularVelocity:
    case SensorType::FrameAcceleration:
    case SensorType::FrameAngularAcceleration:
    case SensorType::Accelerometer:
    case SensorType::Velocimeter:
    case SensorType::Gyro:
    case SensorType::Force:
    case SensorType::Torque:
    case SensorType::Magnetometer:
    case SensorType::SubtreeCom:
    case SensorType::SubtreeVelocity:
    case SensorType::SubtreeAngularMomentum: return 3;
    default: return 1;
  }
}

}  // namespace uzawa
