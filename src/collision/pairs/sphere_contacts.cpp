#include <algorithm>

#include "uzawa/collision/distance/surface_distance.hpp"
#include "uzawa/collision/pairs/contact_functions.hpp"

/// A sphere's contact follows from its centre's nearest point on the other surface.
namespace uzawa::contacts {

namespace {

void add_sphere(const Vec3& center, double radius, const SurfaceDistance& s, double margin, Manifold& out) {
  const double gap = s.distance - radius;
  if (gap < margin) out.add(center - s.outward * (0.5 * (s.distance + radius)), -s.outward, gap, 0);
}

/// The sphere's centre in the frame of the other shape.
Vec3 local_center(const PlacedShape& sphere, const PlacedShape& other) {
  return transpose_times(other.pose.rotation, sphere.pose.position - other.pose.position);
}

void add_local(const PlacedShape& sphere, const PlacedShape& other, SurfaceDistance s, double margin, Manifold& out) {
  s.outward = other.pose.rotation * s.outward;
  add_sphere(sphere.pose.position, sphere.shape->size.x(), s, margin, out);
}

/// A bound that needs no root: the ball around the other shape.
bool far(const PlacedShape& sphere, const PlacedShape& other, double margin) {
  const Vec3 d = sphere.pose.position - other.pose.position;
  const double reach = sphere.shape->size.x() + other.shape->radius + margin;
  return dot(d, d) > reach * reach;
}

}  // namespace

void sphere_sphere(const PlacedShape& a, const PlacedShape& b, double margin, NarrowWorkspace& /*w*/, Manifold& out) {
  if (far(a, b, margin)) return;
  const Vec3 fallback = b.pose.rotation.col[0];
  add_sphere(a.pose.position, a.shape->size.x(),
             distance_from_point(a.pose.position - b.pose.position, b.shape->size.x(), fallback), margin, out);
}

void sphere_capsule(const PlacedShape& a, const PlacedShape& b, double margin, NarrowWorkspace& /*w*/, Manifold& out) {
  const Vec3 axis = b.pose.rotation.col[2], offset = a.pose.position - b.pose.position;
  const double along = std::clamp(dot(offset, axis), -b.shape->size.y(), b.shape->size.y());
  add_sphere(a.pose.position, a.shape->size.x(),
             distance_from_point(offset - axis * along, b.shape->size.x(), b.pose.rotation.col[0]), margin, out);
}

void sphere_ellipsoid(const PlacedShape& a, const PlacedShape& b, double margin, NarrowWorkspace& /*w*/,
                      Manifold& out) {
  if (far(a, b, margin)) return;
  add_local(a, b, distance_from_ellipsoid(local_center(a, b), b.shape->size), margin, out);
}

void sphere_cylinder(const PlacedShape& a, const PlacedShape& b, double margin, NarrowWorkspace& /*w*/, Manifold& out) {
  if (far(a, b, margin)) return;
  add_local(a, b, distance_from_cylinder(local_center(a, b), b.shape->size.x(), b.shape->size.y()), margin, out);
}

void sphere_box(const PlacedShape& a, const PlacedShape& b, double margin, NarrowWorkspace& /*w*/, Manifold& out) {
  if (far(a, b, margin)) return;
  add_local(a, b, distance_from_box(local_center(a, b), b.shape->size), margin, out);
}

}  // namespace uzawa::contacts
