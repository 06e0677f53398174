#include <algorithm>

#include "uzawa/collision/pairs/contact_functions.hpp"

namespace uzawa::contacts {

namespace {

/// sin^2 of the angle below which two capsules lie side by side and touch at both ends of where they overlap. So small
/// an angle changes the gap between the ends by less than 1e-8 of the length.
constexpr double kParallel = 1e-8;

struct Segment {
  Vec3 center, axis;
  double half;

  Vec3 at(double s) const { return center + axis * s; }
  double nearest(const Vec3& p) const { return std::clamp(dot(p - center, axis), -half, half); }
};

Segment segment_of(const PlacedShape& capsule) {
  return {capsule.pose.position, capsule.pose.rotation.col[2], capsule.shape->size.y()};
}

/// Any unit vector across both axes, for axes that meet.
Vec3 across(const Segment& a, const Segment& b, const Vec3& fallback) {
  const Vec3 n = cross(a.axis, b.axis);
  const double size = norm(n);
  return size > 1e-9 ? n * (1 / size) : fallback;
}

}  // namespace

void capsule_capsule(const PlacedShape& a, const PlacedShape& b, double margin, NarrowWorkspace& /*w*/, Manifold& out) {
  const Segment s1 = segment_of(a), s2 = segment_of(b);
  const double r1 = a.shape->size.x(), r2 = b.shape->size.x();
  const auto add = [&](double x1, double x2, std::uint64_t feature) {
    const Vec3 p1 = s1.at(x1), d = s2.at(x2) - p1;
    const double distance = norm(d), gap = distance - r1 - r2;
    if (gap >= margin) return;
    const Vec3 n = distance > 1e-15 ? d * (1 / distance) : across(s1, s2, a.pose.rotation.col[0]);
    out.add(p1 + n * (r1 + 0.5 * gap), n, gap, feature);
  };
  const Vec3 d = s2.center - s1.center;
  const double c = dot(s1.axis, s2.axis), along1 = dot(d, s1.axis), along2 = dot(d, s2.axis);
  const Vec3 n = cross(s1.axis, s2.axis);
  const double sine_square = dot(n, n);
  if (sine_square < kParallel) {
    // The stretch of the first that lies beside the second.
    const double reach = std::abs(c) * s2.half;
    const double low = std::clamp(along1 - reach, -s1.half, s1.half);
    const double high = std::clamp(along1 + reach, -s1.half, s1.half);
    add(low, s2.nearest(s1.at(low)), feature::corner1(0));
    if (high > low) add(high, s2.nearest(s1.at(high)), feature::corner1(1));
    return;
  }
  // Nearest points of the lines, cut to the segments one after the other (Ericson, section 5.1.9).
  const double x1 = std::clamp((along1 - c * along2) / sine_square, -s1.half, s1.half);
  const double x2 = s2.nearest(s1.at(x1));
  add(s1.nearest(s2.at(x2)), x2, 0);
}

}  // namespace uzawa::contacts
