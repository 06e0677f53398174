#pragma once

#include "uzawa/math/vec3.hpp"

/// Signed distances of a point from convex surfaces, in closed form; in the shape's own frame.
namespace uzawa {

/// Where a point lies with respect to a surface: how far outside, and which way out.
struct SurfaceDistance {
  double distance = 0;  ///< m, negative inside
  Vec3 outward;         ///< unit
};

/// From a ball about the origin; `fallback` is the way out from its centre.
SurfaceDistance distance_from_point(const Vec3& offset, double radius, const Vec3& fallback);
SurfaceDistance distance_from_box(const Vec3& p, const Vec3& half);
/// Along z.
SurfaceDistance distance_from_cylinder(const Vec3& p, double radius, double half);
SurfaceDistance distance_from_ellipsoid(const Vec3& p, const Vec3& half_sizes);

}  // namespace uzawa
