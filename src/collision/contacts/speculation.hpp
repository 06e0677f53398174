#pragma once

#include <span>

#include "uzawa/math/vec3.hpp"

namespace uzawa {

/// Reach of the search for contacts. A pair is reported where its gap is below the geoms' margins, plus the distance by
/// which the two shapes can approach within `time` at their present velocities, plus `distance`.
struct Speculation {
  double distance = 0;  ///< m
  double time = 0;      ///< s, usually the step
  /// Per link: velocity of the origin of the link's frame, and angular velocity; world axes. Empty: at rest.
  std::span<const Vec3> linear, angular;
  /// Per link, 1: only pairs with one of these are looked for. Empty: all pairs.
  std::span<const char> among;
};

}  // namespace uzawa
