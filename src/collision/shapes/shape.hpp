#pragma once

#include <cstdint>

#include "uzawa/collision/shapes/convex_hull.hpp"
#include "uzawa/collision/shapes/height_field.hpp"
#include "uzawa/math/pose.hpp"
#include "uzawa/model/spec.hpp"

namespace uzawa {

class SdfShape;

/// A geom as the narrow phase sees it, in the geom's own frame. The ShapeSet owns the hulls and fields it points to.
struct Shape {
  ShapeType type = ShapeType::Sphere;
  Vec3 size;                           ///< m, as in GeomSpec
  const ConvexHull* hull = nullptr;    ///< mesh
  const HeightField* field = nullptr;  ///< height field
  const SdfShape* sdf = nullptr;       ///< as seen by signed distances; only where the geom may meet one
  bool collides_as_sdf = false;        ///< it is one itself: its type does not count
  Aabb bounds;                         ///< of all but a plane, which has none
  double radius = 0;                   ///< m, of a ball about the centre of the bounds that contains the shape

  bool is_plane() const { return type == ShapeType::Plane && !collides_as_sdf; }
  /// Known to be.
  bool is_convex() const { return type != ShapeType::HeightField && !collides_as_sdf; }
};

/// A shape somewhere in the world.
struct PlacedShape {
  const Shape* shape = nullptr;
  Pose pose;
};

/// The tight box around a placed shape (a tight box around the bounds of a mesh or height field); not for planes.
Aabb world_bounds(const PlacedShape& placed);

/// Pose of frame b in frame a, both given in the world.
inline Pose relative(const Pose& a, const Pose& b) {
  return {{{transpose_times(a.rotation, b.rotation.col[0]), transpose_times(a.rotation, b.rotation.col[1]),
            transpose_times(a.rotation, b.rotation.col[2])}},
          transpose_times(a.rotation, b.position - a.position)};
}

}  // namespace uzawa
