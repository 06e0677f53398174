#include "uzawa/collision/distance/revolved.hpp"

#include <algorithm>
#include <cmath>

namespace uzawa {

SignedDistance::Samples RevolvedSdf::evaluate4(const Vec3x4& points) const {
  const Lanes radius = square_root(points.x * points.x + points.y * points.y);
  const RevolvedProfile::Feet feet = profile_.nearest(radius, points.z);
  // On the axis every direction away from it is one of the subgradient.
  const auto off_axis = radius > 1e-14;
  const Lanes one = broadcast(1), inverse = one / (off_axis ? radius : one);
  const Lanes cosine = off_axis ? points.x * inverse : one, sine = off_axis ? points.y * inverse : broadcast(0);
  return {feet.distance - profile_.half_thickness(), {feet.r * cosine, feet.r * sine, feet.z}};
}

Aabb RevolvedSdf::bounds() const {
  double radius = 0, low = profile_.stretches().front().start.z, high = low;
  const auto include = [&](Vec2 p) {
    radius = std::max(radius, p.r);
    low = std::min(low, p.z);
    high = std::max(high, p.z);
  };
  for (const ProfileStretch& s : profile_.stretches()) {
    include(s.start);
    include(s.end);
    if (!s.is_arc()) continue;
    for (const Vec2 axis : {Vec2{1, 0}, Vec2{0, 1}, Vec2{0, -1}}) {
      if (dot(axis, s.middle) >= s.cos_half) include(s.centre + s.radius * axis);
    }
  }
  const double d = profile_.half_thickness();
  return {{-radius - d, -radius - d, low - d}, {radius + d, radius + d, high + d}};
}

}  // namespace uzawa
