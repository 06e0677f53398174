#include "uzawa/collision/distance/surface_distance.hpp"

#include <algorithm>

#include "uzawa/collision/shapes/aabb.hpp"

namespace uzawa {

namespace {

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

}  // namespace

SurfaceDistance distance_from_point(const Vec3& offset, double radius, const Vec3& fallback) {
  const double length = norm(offset);
  if (length < 1e-15) return {length - radius, fallback};
  return {length - radius, offset * (1 / length)};
}

SurfaceDistance distance_from_box(const Vec3& p, const Vec3& half) {
  const Vec3 outside = absolute(p) - half;
  const Vec3 sign{std::copysign(1, p.x()), std::copysign(1, p.y()), std::copysign(1, p.z())};
  const Vec3 excess = larger(outside, Vec3{});
  const double distance = norm(excess);
  if (distance > 0) return {distance, scaled(sign, excess) * (1 / distance)};
  int axis = outside.y() > outside.x() ? 1 : 0;
  axis = outside.z() > outside[axis] ? 2 : axis;
  return {outside[axis], scaled(sign, Vec3::unit(axis))};
}

SurfaceDistance distance_from_cylinder(const Vec3& p, double radius, double half) {
  const double across = length(p.x(), p.y());
  const Vec3 radial = across > 1e-15 ? Vec3{p.x() / across, p.y() / across, 0} : Vec3{1, 0, 0};
  const Vec3 axial{0, 0, std::copysign(1, p.z())};
  const double side = across - radius, cap = std::abs(p.z()) - half;
  if (side <= 0 && cap <= 0) return side > cap ? SurfaceDistance{side, radial} : SurfaceDistance{cap, axial};
  const double out = std::max(side, 0.), up = std::max(cap, 0.), distance = length(out, up);
  return {distance, radial * (out / distance) + axial * (up / distance)};
}

/// The nearest point x of an ellipsoid with half sizes s to p satisfies p = x + t x/s^2 (lane by lane), so
/// x = s^2 p / (t + s^2). Counted from the pole of the shortest axis, t + s^2 keeps its digits however flat it is.
SurfaceDistance distance_from_ellipsoid(const Vec3& p, const Vec3& s) {
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

}  // namespace uzawa
