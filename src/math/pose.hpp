#pragma once

#include "uzawa/math/quaternion.hpp"

namespace uzawa {

/// Pose of a frame: x_outer = rotation * x_inner + position.
struct Pose {
  Mat3 rotation = Mat3::identity();
  Vec3 position;  ///< m

  static Pose from(const Vec3& position, const Quat& orientation) { return {to_matrix(orientation), position}; }
};

inline Pose operator*(const Pose& outer, const Pose& inner) {
  return {outer.rotation * inner.rotation, outer.rotation * inner.position + outer.position};
}
inline Vec3 operator*(const Pose& pose, const Vec3& point) { return pose.rotation * point + pose.position; }

}  // namespace uzawa
