#include "uzawa/collision/revolved.hpp"

#include <algorithm>
#include <cmath>

namespace uzawa {

SignedDistance::Sample RevolvedSdf::evaluate(const Vec3& point) const {
  const double radius = length(point.x(), point.y());
  const RevolvedProfile::Foot foot = profile_.nearest({radius, point.z()});
  // On the axis every direction away from it is one of the subgradient.
  const double cosine = radius > 1e-14 ? point.x() / radius : 1, sine = radius > 1e-14 ? point.y() / radius : 0;
  return {foot.distance - profile_.half_thickness(),
          {foot.direction.r * cosine, foot.direction.r * sine, foot.direction.z}};
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
