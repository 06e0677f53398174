/// A last resort: a rigid shape that is across a face with no vertex, edge or corner where the other could push it.
#include <algorithm>

#include "uzawa/collision/convex/proximity.hpp"
#include "uzawa/collision/skin/rigid_contacts.hpp"
#include "uzawa/collision/skin/triangle_point.hpp"

namespace uzawa {

namespace {

/// The way out along a face's own normal, where the shortest would lead to the inside of a closed skin.
void leave_outward(const ConvexCore& core, const std::array<Vec3, 3>& points, const Vec3& outward, Proximity& way) {
  way.normal = outward * (1 / norm(outward));
  way.on_b = support(core, -way.normal);
  way.gap = dot(way.on_b - points[0], way.normal);
  const Vec3 weight = nearest_on_triangle(points[0], points[1], points[2], way.on_b).weight;
  way.on_a = points[0] * weight.x() + points[1] * weight.y() + points[2] * weight.z();
}

}  // namespace

/// How a shape leaves a face that it overlaps; Far where it does not. In the shape's frame.
Proximity SkinRigidContacts::way_out_of(const Search& s, const SkinFace& face) {
  std::array<Vec3, 3> points;
  const std::size_t corners = at(corner_count(face));
  for (std::size_t k = 0; k < 3; ++k) points[k] = samples_[at(face[std::min(k, corners - 1)])].position;
  if (corners == 3 && least_over(corners_of(face)) >= 0) return {};
  ConvexCore core;
  core.kind = ConvexCore::Kind::Corners;
  core.corners = std::span<const Vec3>(points).first(corners);
  core.extent = norm(points[1] - points[0]) + norm(points[2] - points[0]);
  Proximity way = proximity({core, s.core, {}}, s.core.radius, epa_);
  if (way.gap >= s.core.radius) way.state = Proximity::State::Far;
  const Vec3 outward = cross(points[1] - points[0], points[2] - points[0]);
  if (s.shape().closed && dot(outward, outward) < 1e-300) way.state = Proximity::State::Far;  // no area, no outside
  const bool leads_inside = s.shape().closed && dot(way.normal, outward) <= 0;
  if (leads_inside && way.state != Proximity::State::Far) leave_outward(s.core, points, outward, way);
  return way;
}

/// By the face that is left by the shortest way.
void SkinRigidContacts::push_apart(const Search& s) {
  int best = -1;
  Proximity way;
  way.gap = -1e300;
  for (const int f : faces_) {
    const SkinFace& face = s.shape().faces[at(f)];
    if (std::any_of(face.begin(), face.end(), [&](int v) { return v >= 0 && s.pair.bars(v); })) continue;
    const Proximity found = way_out_of(s, face);
    if (found.state == Proximity::State::Far || found.gap <= way.gap) continue;
    best = f;
    way = found;
  }
  if (best < 0) return;
  const SkinFace& face = s.shape().faces[at(best)];
  const Vec3 &a = samples_[at(face[0])].position, &b = samples_[at(face[1])].position;
  SkinSpot spot{best, {1 - nearest_on_segment(a, b, way.on_a), 0}};
  if (face[2] >= 0) {
    const Vec3 weight = nearest_on_triangle(a, b, samples_[at(face[2])].position, way.on_a).weight;
    spot.weights = {weight.x(), weight.y()};
  }
  const Vec3 middle = 0.5 * (way.on_a + way.on_b + way.normal * (s.shape().radius - s.core.radius));
  s.list.add_rigid(s.pose() * middle, s.pose().rotation * way.normal, way.gap - s.core.radius - s.shape().radius, spot,
                   skin_feature(SkinFeature::Across, best));
}

}  // namespace uzawa
