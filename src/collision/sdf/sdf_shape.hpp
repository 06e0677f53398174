#pragma once

#include <memory>

#include "uzawa/collision/contacts/manifold.hpp"
#include "uzawa/collision/sdf/sdf_contacts.hpp"
#include "uzawa/model/spec.hpp"

namespace uzawa {

/// A geom in a pair of which at least one is a signed distance. The sampling geom has a surface, the other one a
/// distance; a geom that collides as a signed distance has both, primitives have a distance, hulls and height fields a
/// surface. In the geom's frame; immutable.
class SdfShape {
 public:
  /// The spec's union of shapes; `mesh` is the geom's, if it has one. Throws InputError, naming `name`, where the mesh
  /// has no inside. Baking a mesh takes seconds the first time (see baked_grid).
  static SdfShape from_spec(const SdfSpec& spec, const MeshSpec* mesh, const std::string& name);
  /// Plane, sphere, capsule, ellipsoid, cylinder, box.
  static SdfShape from_primitive(ShapeType type, const Vec3& size);
  /// Triangles that are a solid's skin: a hull, a height field's top.
  static SdfShape from_surface(const Surface& surface, double longest_edge);

  const SignedDistance* distance() const { return distance_.get(); }
  const SurfaceTree* surface() const { return surface_.nodes().empty() ? nullptr : &surface_; }
  /// A sphere is a point with a radius.
  double ball_radius() const { return ball_radius_; }
  /// Not for planes.
  Aabb bounds() const;

 private:
  std::shared_ptr<const SignedDistance> distance_;
  SurfaceTree surface_;
  double ball_radius_ = -1;  ///< m; negative: not a sphere
};

/// True where the two can have contacts: one has a distance, and the other a surface or a radius.
bool can_touch(const SdfShape& a, const SdfShape& b);

/// Appends the contacts of two placed shapes whose gap is below the margin, normals from a to b: a sphere by its
/// centre, otherwise the surface of the smaller of the two that has one, face by face.
void collide_sdf(const SdfShape& a, const Pose& pose_a, const SdfShape& b, const Pose& pose_b,
                 const SurfaceSearch& search, SdfContactFinder& finder, Manifold& out);

/// Splits triangles until no edge is longer.
Surface refined(const Surface& surface, double longest_edge);

}  // namespace uzawa
