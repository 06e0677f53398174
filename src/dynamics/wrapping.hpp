#pragma once

#include <optional>

#include "uzawa/math/pose.hpp"

/// The shortest path of a string between two points that a sphere or an endless cylinder bends.
namespace uzawa {

/// Round obstacle of a tendon.
struct WrapObstacle {
  Pose pose;  ///< world; the axis of a cylinder is z
  double radius = 0;
  bool cylinder = false;
  std::optional<Vec3> side;  ///< world; the path runs on this side of it, or inside where this point is inside
};

/// Where the string meets the obstacle and leaves it, world, and the length in between; inside, one point twice.
struct WrapPath {
  Vec3 first, last;
  double length = 0;
};

/// None where the straight line is free.
std::optional<WrapPath> wrap(const WrapObstacle& obstacle, const Vec3& from, const Vec3& to);

}  // namespace uzawa
