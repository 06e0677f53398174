#include <algorithm>

#include "uzawa/collision/pairs/contact_functions.hpp"

/// Planes are the half space below z = 0 of their frame; contacts are the points of the other shape that are lowest.
namespace uzawa::contacts {

namespace {

class Plane {
 public:
  explicit Plane(const PlacedShape& placed) : normal_(placed.pose.rotation.col[2]), point_(placed.pose.position) {}

  const Vec3& normal() const { return normal_; }
  double height(const Vec3& point) const { return dot(point - point_, normal_); }
  /// A contact at a surface point of the other shape, where it is low enough.
  void add(const Vec3& point, double margin, std::uint64_t feature, Manifold& out) const {
    const double gap = height(point);
    if (gap < margin) out.add(point - normal_ * (0.5 * gap), normal_, gap, feature::corner2(feature));
  }

 private:
  Vec3 normal_, point_;
};

}  // namespace

void plane_sphere(const PlacedShape& a, const PlacedShape& b, double margin, NarrowWorkspace& /*w*/, Manifold& out) {
  const Plane plane(a);
  plane.add(b.pose.position - plane.normal() * b.shape->size.x(), margin, 0, out);
}

void plane_capsule(const PlacedShape& a, const PlacedShape& b, double margin, NarrowWorkspace& /*w*/, Manifold& out) {
  const Plane plane(a);
  const Vec3 low = b.pose.position - plane.normal() * b.shape->size.x();
  const Vec3 half = b.pose.rotation.col[2] * b.shape->size.y();
  plane.add(low - half, margin, 0, out);
  plane.add(low + half, margin, 1, out);
}

void plane_ellipsoid(const PlacedShape& a, const PlacedShape& b, double margin, NarrowWorkspace& /*w*/, Manifold& out) {
  const Plane plane(a);
  const Vec3 down = transpose_times(b.pose.rotation, -plane.normal());
  plane.add(b.pose * support(core_of(*b.shape), down), margin, 0, out);
}

/// The lowest rim point, the point above it on the far rim (both touch where the cylinder lies), and the rest of the
/// rim's hexagon (all touch where it stands).
void plane_cylinder(const PlacedShape& a, const PlacedShape& b, double margin, NarrowWorkspace& w, Manifold& out) {
  const Plane plane(a);
  const double radius = b.shape->size.x(), half = b.shape->size.y();
  const Vec3 axis = b.pose.rotation.col[2];
  const double lean = dot(axis, plane.normal());
  if (plane.height(b.pose.position) - radius * std::sqrt(std::max(0., 1 - lean * lean)) - half * std::abs(lean) >=
      margin) {
    return;
  }
  const Vec3 down = transpose_times(b.pose.rotation, -plane.normal());
  // The near cap, also where the cylinder lies: its other rim points are then too high to count.
  cylinder_cap(core_of(*b.shape), down, w.patch1);
  for (const Patch::Corner& corner : w.patch1.corners) plane.add(b.pose * corner.point, margin, corner.id, out);
  const Patch::Corner lowest = w.patch1.corners.front();
  plane.add(b.pose * Vec3{lowest.point.x(), lowest.point.y(), -lowest.point.z()}, margin, down.z() < 0 ? 1 : 0, out);
}

void plane_box(const PlacedShape& a, const PlacedShape& b, double margin, NarrowWorkspace& /*w*/, Manifold& out) {
  const Plane plane(a);
  const double center = plane.height(b.pose.position);
  const Vec3 up = scaled(transpose_times(b.pose.rotation, plane.normal()), b.shape->size);
  if (center - (std::abs(up.x()) + std::abs(up.y()) + std::abs(up.z())) >= margin) return;
  int count = 0;
  for (int k = 0; k < 8 && count < 4; ++k) {
    const Vec3 sign{(k & 1) != 0 ? 1. : -1., (k & 2) != 0 ? 1. : -1., (k & 4) != 0 ? 1. : -1.};
    const double height = dot(sign, up);
    if (height > 0 || center + height >= margin) continue;  // of two opposite corners the lower one
    const Vec3 corner = b.pose * scaled(sign, b.shape->size);
    out.add(corner - plane.normal() * (0.5 * (center + height)), plane.normal(), center + height,
            feature::corner2(static_cast<std::uint64_t>(k)));
    ++count;
  }
}

/// The corners below the margin hang together: a walk from the lowest one finds them all.
void plane_mesh(const PlacedShape& a, const PlacedShape& b, double margin, NarrowWorkspace& w, Manifold& out) {
  const Plane plane(a);
  const ConvexHull& hull = *b.shape->hull;
  const Vec3 up = transpose_times(b.pose.rotation, plane.normal());
  const double origin = plane.height(b.pose.position);
  const auto gap = [&](int v) { return origin + dot(hull.vertices()[static_cast<std::size_t>(v)], up); };
  const int lowest = hull.support(-up, -1);
  if (gap(lowest) >= margin) return;
  if (w.visited.size() < hull.vertices().size()) w.visited.resize(hull.vertices().size(), 0);
  const int search = ++w.search;
  w.queue.assign(1, lowest);
  w.visited[static_cast<std::size_t>(lowest)] = search;
  for (std::size_t i = 0; i < w.queue.size(); ++i) {
    const int v = w.queue[i];
    const Vec3 point = b.pose * hull.vertices()[static_cast<std::size_t>(v)];
    plane.add(point, margin, static_cast<std::uint64_t>(v), out);
    for (const int other : hull.neighbors()[v]) {
      int& mark = w.visited[static_cast<std::size_t>(other)];
      if (mark == search || gap(other) >= margin) continue;
      mark = search;
      w.queue.push_back(other);
    }
  }
}

}  // namespace uzawa::contacts
