#include <algorithm>

#include "uzawa/collision/pairs/contact_functions.hpp"

/// A sphere's contact follows from its centre's nearest point on the other surface.
namespace uzawa::contacts {

namespace {

/// Where a point lies to a surface: how far outside, and which way out.
struct SurfaceDistance {
  double distance = 0;  ///< m, negative inside
  Vec3 outward;         ///< unit
};

void add_sphere(const Vec3& center, double radius, const SurfaceDistance& s, double margin, Manifold& out) {
  const double gap = s.distance - radius;
  if (gap < margin) out.add(center - s.outward * (0.5 * (s.distance + radius)), -s.outward, gap, 0);
}

/// Distance from a point, given as seen from it; `fallback` where it has no direction.
SurfaceDistance from_point(const Vec3& offset, double radius, const Vec3& fallback) {
  const double length = norm(offset);
  if (length < 1e-15) return {length - radius, fallback};
  return {length - radius, offset * (1 / length)};
}

SurfaceDistance from_box(const Vec3& p, const Vec3& half) {
  const Vec3 outside = absolute(p) - half;
  const Vec3 sign{std::copysign(1, p.x()), std::copysign(1, p.y()), std::copysign(1, p.z())};
  const Vec3 excess = larger(outside, Vec3{});
  const double distance = norm(excess);
  if (distance > 0) return {distance, scaled(sign, excess) * (1 / distance)};
  int axis = outside.y() > outside.x() ? 1 : 0;
  axis = outside.z() > outside[axis] ? 2 : axis;
  return {outside[axis], scaled(sign, Vec3::unit(axis))};
}

SurfaceDistance from_cylinder(const Vec3& p, double radius, double half) {
  const double across = length(p.x(), p.y());
  const Vec3 radial = across > 1e-15 ? Vec3{p.x() / across, p.y() / across, 0} : Vec3{1, 0, 0};
  const Vec3 axial{0, 0, std::copysign(1, p.z())};
  const double side = across - radius, cap = std::abs(p.z()) - half;
  if (side <= 0 && cap <= 0) return side > cap ? SurfaceDistance{side, radial} : SurfaceDistance{cap, axial};
  const double out = std::max(side, 0.), up = std::max(cap, 0.), distance = length(out, up);
  return {distance, radial * (out / distance) + axial * (up / distance)};
}

/// The largest root of F(t) = sum (q / (t + d))^2 - 1 with d >= 0, least d = 0; t > 0. F falls and is convex right of
/// 0, so Newton's method from the left of the root climbs to it and never overshoots. 0: F has no root there.
double ellipsoid_root(const Vec3& q, const Vec3& d) {
  double t = std::max({q.x() - d.x(), q.y() - d.y(), q.z() - d.z(), 0.});  // one term of F is 1 here, or F(0) counts
  for (int i = 0; i < 64; ++i) {
    double f = -1, slope = 0;
    for (int k = 0; k < 3; ++k) {
      if (q[k] == 0) continue;
      const double ratio = q[k] / (t + d[k]);
      f += ratio * ratio;
      slope -= 2 * ratio * ratio / (t + d[k]);
    }
    if (!(f > 0) || !(slope < 0)) break;
    t -= f / slope;
    if (f < -1e-16 * slope * t) break;
  }
  return t;
}

/// The nearest point x of an ellipsoid with half sizes s to p satisfies p = x + t x/s^2 (lane by lane), so
/// x = s^2 p / (t + s^2). Counted from the pole of the shortest axis, t + s^2 keeps its digits however flat it is.
SurfaceDistance from_ellipsoid(const Vec3& p, const Vec3& s) {
  int least = s.y() < s.x() ? 1 : 0;
  least = s.z() < s[least] ? 2 : least;
  const Vec3 square = scaled(s, s), q = scaled(s, absolute(p));
  const Vec3 d = square - Vec3{1, 1, 1} * square[least];
  const double t = ellipsoid_root(q, d);
  Vec3 gradient;  // x / s^2
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    const double part = p[k] == 0 ? 0 : p[k] / (t + d[k]);
    gradient.set(k, part);
    sum += part * part * square[k];
  }
  // Without a root the way out is along the shortest axis, from the middle of the plane across it.
  if (t == 0) gradient.set(least, std::copysign(std::sqrt(std::max(0., 1 - sum)) / s[least], p[least]));
  const double size = norm(gradient);
  return {(t - square[least]) * size, gradient * (1 / size)};
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
             from_point(a.pose.position - b.pose.position, b.shape->size.x(), fallback), margin, out);
}

void sphere_capsule(const PlacedShape& a, const PlacedShape& b, double margin, NarrowWorkspace& /*w*/, Manifold& out) {
  const Vec3 axis = b.pose.rotation.col[2], offset = a.pose.position - b.pose.position;
  const double along = std::clamp(dot(offset, axis), -b.shape->size.y(), b.shape->size.y());
  add_sphere(a.pose.position, a.shape->size.x(),
             from_point(offset - axis * along, b.shape->size.x(), b.pose.rotation.col[0]), margin, out);
}

void sphere_ellipsoid(const PlacedShape& a, const PlacedShape& b, double margin, NarrowWorkspace& /*w*/,
                      Manifold& out) {
  if (far(a, b, margin)) return;
  add_local(a, b, from_ellipsoid(local_center(a, b), b.shape->size), margin, out);
}

void sphere_cylinder(const PlacedShape& a, const PlacedShape& b, double margin, NarrowWorkspace& /*w*/, Manifold& out) {
  if (far(a, b, margin)) return;
  add_local(a, b, from_cylinder(local_center(a, b), b.shape->size.x(), b.shape->size.y()), margin, out);
}

void sphere_box(const PlacedShape& a, const PlacedShape& b, double margin, NarrowWorkspace& /*w*/, Manifold& out) {
  if (far(a, b, margin)) return;
  add_local(a, b, from_box(local_center(a, b), b.shape->size), margin, out);
}

}  // namespace uzawa::contacts
