#pragma once

#include <array>
#include <span>

#include "uzawa/collision/shapes/shape.hpp"
#include "uzawa/math/spatial.hpp"

namespace uzawa {

/// A convex shape as its supporting points: a core, and a radius all round it. A sphere is a point with a radius, a
/// capsule a segment with one: cores are apart more often than shapes, and then distances are exact and cheap.
struct ConvexCore {
  enum class Kind { Point, Segment, Box, Cylinder, Ellipsoid, Hull, Corners };

  Kind kind = Kind::Point;
  double radius = 0;  ///< m
  double extent = 0;  ///< m, about half the core's size
  Vec3 size;          ///< m: box and ellipsoid half sizes; cylinder radius, half length; segment half in y
  const ConvexHull* hull = nullptr;  ///< Hull
  std::span<const Vec3> corners;     ///< Corners: a few points, as of a prism
  mutable int hint = -1;             ///< Hull: the corner found last; the next is near

  /// A core's surface is curved somewhere: its supporting point moves with the direction.
  bool curved() const { return kind == Kind::Cylinder || kind == Kind::Ellipsoid; }
};

/// The core of a sphere, capsule, box, cylinder, ellipsoid or mesh.
ConvexCore core_of(const Shape& shape);

/// A point of the core that is furthest along a direction (not zero), both in the core's frame.
inline Vec3 support(const ConvexCore& core, const Vec3& d) {
  switch (core.kind) {
    case ConvexCore::Kind::Point: return {};
    case ConvexCore::Kind::Segment: return {0, 0, std::copysign(core.size.y(), d.z())};
    case ConvexCore::Kind::Box: return Vec3(d.lanes < Lanes{0, 0, 0, 0} ? -core.size.lanes : core.size.lanes);
    case ConvexCore::Kind::Cylinder: {
      const double across = length(d.x(), d.y());
      const double scale = across > 1e-150 ? core.size.x() / across : 0;
      return {d.x() * scale, d.y() * scale, std::copysign(core.size.y(), d.z())};
    }
    case ConvexCore::Kind::Ellipsoid: {
      const Vec3 stretched = scaled(core.size, d);
      const double length = norm(stretched);
      return length > 1e-150 ? scaled(core.size, stretched) * (1 / length) : Vec3{};
    }
    case ConvexCore::Kind::Hull:
      core.hint = core.hull->support(d, core.hint);
      return core.hull->vertices()[static_cast<std::size_t>(core.hint)];
    case ConvexCore::Kind::Corners: break;
  }
  const Vec3* best = core.corners.data();
  double height = dot(*best, d);
  for (const Vec3& corner : core.corners.subspan(1)) {
    const double other = dot(corner, d);
    if (other > height) height = other, best = &corner;
  }
  return *best;
}

/// Derivative of the supporting point with respect to the direction at a unit direction: the Hessian of the support
/// function. Zero where the point is a corner.
Mat3 support_derivative(const ConvexCore& core, const Vec3& direction);

}  // namespace uzawa
