/// A last resort: a rigid shape that is across a face with no vertex, edge or corner where the other could push it.
#include <algorithm>

#include "uzawa/collision/convex/proximity.hpp"
#include "uzawa/collision/skin/rigid_contacts.hpp"
#include "uzawa/collision/skin/triangle_point.hpp"

namespace uzawa {

/// The face that the shape leaves by the shortest way, on a closed skin to the outside. In the shape's frame.
void SkinRigidContacts::push_apart(const Search& s) {
  int best = -1;
  Proximity way;
  way.gap = -1e300;
  for (const int f : faces_) {
    const SkinFace& face = s.shape().faces[at(f)];
    if (face[2] < 0 || std::any_of(face.begin(), face.end(), [&](int v) { return s.pair.bars(v); })) continue;
    const SampledTriangle corner = corners_of(face);
    if (least_over(corner) >= 0) continue;
    const std::array<Vec3, 3> points{corner[0]->position, corner[1]->position, corner[2]->position};
    ConvexCore triangle;
    triangle.kind = ConvexCore::Kind::Corners;
    triangle.corners = points;
    triangle.extent = norm(points[1] - points[0]) + norm(points[2] - points[0]);
    const Proximity found = proximity({triangle, s.core, {}}, s.core.radius, epa_);
    if (found.state == Proximity::State::Far || found.gap >= s.core.radius || found.gap <= way.gap) continue;
    const Vec3 outward = cross(points[1] - points[0], points[2] - points[0]);
    if (s.shape().closed && dot(found.normal, outward) <= 0) continue;
    best = f;
    way = found;
  }
  if (best < 0) return;
  const SampledTriangle corner = corners_of(s.shape().faces[at(best)]);
  const Vec3 weight =
      nearest_on_triangle(corner[0]->position, corner[1]->position, corner[2]->position, way.on_a).weight;
  const Vec3 middle = 0.5 * (way.on_a + way.on_b + way.normal * (s.shape().radius - s.core.radius));
  s.list.add_rigid(s.pose() * middle, s.pose().rotation * way.normal, way.gap - s.core.radius - s.shape().radius,
                   {best, {weight.x(), weight.y()}}, skin_feature(SkinFeature::Across, best));
}

}  // namespace uzawa
