#include "uzawa/collision/distance/revolved_profile.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/collision/distance/sdf_lanes.hpp"

namespace uzawa {

namespace {

ProfileStretch line(Vec2 start, Vec2 end) {
  ProfileStretch s;
  s.start = start;
  s.end = end;
  s.length = norm(end - start);
  s.direction = (1 / s.length) * (end - start);
  return s;
}

/// The arc from start to end that turns by `angle` (not 0, at most half a circle).
ProfileStretch arc(Vec2 start, Vec2 end, double angle) {
  ProfileStretch s;
  s.start = start;
  s.end = end;
  s.angle = angle;
  const double chord = norm(end - start), half = std::abs(angle) / 2;
  const Vec2 along = (1 / chord) * (end - start);
  s.radius = chord / (2 * std::sin(half));
  // A counter-clockwise arc bulges to the right of its chord.
  s.middle = (angle > 0 ? -1. : 1.) * left_of(along);
  s.cos_half = std::cos(half);
  s.centre = 0.5 * (start + end) - s.radius * s.cos_half * s.middle;
  return s;
}

Vec2 corner_of(const ProfilePoint& p) { return {p.radius, p.height}; }

/// How far from the corner a fillet of this radius begins, and what it turns by.
struct Fillet {
  double offset = 0, angle = 0;
};

/// Between straight stretches only; at most half of each, so that two fillets on one stretch do not meet.
Fillet fillet_at(const std::vector<ProfilePoint>& points, std::size_t i, double radius) {
  if (i == 0 || i + 1 >= points.size() || radius <= 0) return {};
  if (points[i - 1].bulge != 0 || points[i].bulge != 0) return {};
  const Vec2 in = corner_of(points[i]) - corner_of(points[i - 1]),
             out = corner_of(points[i + 1]) - corner_of(points[i]);
  const double turn = std::atan2(in.r * out.z - in.z * out.r, dot(in, out));
  const double wanted = radius * std::tan(std::abs(turn) / 2);
  if (std::abs(turn) < 1e-6) return {};
  return {std::min({wanted, norm(in) / 2, norm(out) / 2}), turn};
}

bool beside_arc(const ProfileStretch& s, Vec2 from_centre, double distance) {
  return dot(from_centre, s.middle) >= s.cos_half * distance;
}

}  // namespace

Vec2 ProfileStretch::tangent_at_start() const {
  if (!is_arc()) return direction;
  const Vec2 side = (angle > 0 ? 1. : -1.) * left_of(start - centre);
  return (1 / radius) * side;
}

Vec2 ProfileStretch::tangent_at_end() const {
  if (!is_arc()) return direction;
  const Vec2 side = (angle > 0 ? 1. : -1.) * left_of(end - centre);
  return (1 / radius) * side;
}

RevolvedProfile::RevolvedProfile(const RevolvedSpec& spec) : half_thickness_(spec.thickness / 2) {
  const std::vector<ProfilePoint>& points = spec.skeleton;
  Vec2 from = corner_of(points.front());
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const Vec2 a = corner_of(points[i]), b = corner_of(points[i + 1]);
    if (points[i].bulge != 0) {
      stretches_.push_back(arc(a, b, 4 * std::atan(points[i].bulge)));
      from = b;
      continue;
    }
    const Fillet fillet = fillet_at(points, i + 1, spec.rounding);
    const Vec2 along = (1 / norm(b - a)) * (b - a);
    const Vec2 to = b - fillet.offset * along;
    if (norm(to - from) > 1e-12) stretches_.push_back(line(from, to));
    from = to;
    if (fillet.offset > 0) {
      const Vec2 next = corner_of(points[i + 2]) - b;
      from = b + (fillet.offset / norm(next)) * next;
      stretches_.push_back(arc(to, from, fillet.angle));
    }
  }
}

double RevolvedProfile::distance_to(std::size_t stretch, Vec2 point) const {
  const ProfileStretch& s = stretches_[stretch];
  if (s.is_arc()) {
    const Vec2 q = point - s.centre;
    const double distance = norm(q);
    if (beside_arc(s, q, distance)) return std::abs(distance - s.radius);
  } else {
    const Vec2 q = point - s.start;
    const double along = dot(q, s.direction);
    if (along >= 0 && along <= s.length) return std::abs(dot(q, left_of(s.direction)));
  }
  return std::min(norm(point - s.start), norm(point - s.end));
}

RevolvedProfile::Feet RevolvedProfile::nearest(Lanes r, Lanes z) const {
  const Lanes zero = broadcast(0), one = broadcast(1);
  const auto square_of = [](Lanes a, Lanes b) { return a * a + b * b; };
  // Squares of distances, of the nearest so far; where that is a corner, the way from it instead of a unit vector.
  const Vec2 first = stretches_.front().start;
  Feet best{.distance = {}, .r = r - first.r, .z = z - first.z};
  Lanes square = square_of(best.r, best.z);
  LaneMask corner = square >= zero;
  for (const ProfileStretch& s : stretches_) {
    const Lanes end_r = r - s.end.r, end_z = z - s.end.z, end_square = square_of(end_r, end_z);
    const LaneMask at_end = end_square < square;
    square = at_end ? end_square : square;
    best.r = at_end ? end_r : best.r;
    best.z = at_end ? end_z : best.z;
    corner |= at_end;
    LaneMask beside;
    Lanes away, unit_r, unit_z;  // signed distance from the stretch, and where it grows
    if (s.is_arc()) {
      const Lanes q_r = r - s.centre.r, q_z = z - s.centre.z, from = square_root(square_of(q_r, q_z));
      const LaneMask off_centre = from > 1e-14;
      const Lanes inverse = one / (off_centre ? from : one);
      away = from - s.radius;
      unit_r = off_centre ? q_r * inverse : broadcast(s.middle.r);
      unit_z = off_centre ? q_z * inverse : broadcast(s.middle.z);
      beside = q_r * s.middle.r + q_z * s.middle.z >= s.cos_half * from;
    } else {
      const Lanes q_r = r - s.start.r, q_z = z - s.start.z;
      const Lanes along = q_r * s.direction.r + q_z * s.direction.z;
      const Vec2 normal = left_of(s.direction);
      unit_r = broadcast(normal.r);
      unit_z = broadcast(normal.z);
      away = q_r * unit_r + q_z * unit_z;
      beside = (along >= zero) & (along <= s.length);
    }
    beside &= away * away <= square;
    square = beside ? away * away : square;
    best.r = beside ? with_sign(one, away) * unit_r : best.r;
    best.z = beside ? with_sign(one, away) * unit_z : best.z;
    corner &= ~beside;
  }
  best.distance = square_root(square);
  // On the very corner any direction is one of the subgradient.
  const LaneMask on_it = corner & (best.distance <= 1e-14);
  const Lanes scale = corner & ~on_it ? one / best.distance : one;
  best.r = on_it ? zero : best.r * scale;
  best.z = on_it ? one : best.z * scale;
  return best;
}

}  // namespace uzawa
