/// Corners of a convex shape against the faces of a skin.
#include <algorithm>
#include <cmath>

#include "uzawa/collision/convex/gjk.hpp"
#include "uzawa/collision/skin/rigid_contacts.hpp"
#include "uzawa/collision/skin/triangle_point.hpp"

namespace uzawa {

namespace {

/// m: an overlap of a face and a shape.
constexpr double kOverlap = 1e-9;
/// Of the squared distance, relative: whether a triangle and a shape meet needs no more.
constexpr double kGjkTolerance = 1e-6;

}  // namespace

/// Corners of the part of the shape that faces the triangle, where they are over it. In the shape's frame.
void SkinRigidContacts::meet_convex(const Search& s, int face, double reach) {
  const SampledTriangle corner = corners_of(s.shape().faces[at(face)]);
  const Vec3 &a = corner[0]->position, &b = corner[1]->position, &c = corner[2]->position;
  Vec3 normal = cross(b - a, c - a);
  const double size = norm(normal);
  if (size < 1e-150) return;
  normal = normal * (1 / size);
  double center = dot(s.other.placed.shape->bounds.center() - a, normal);
  if (!s.shape().closed && center < 0) normal = -normal, center = -center;
  facing_patch(s.core, -normal, patch_);
  for (const Patch::Corner& p : patch_.corners) {
    const double height = dot(p.point - a, normal);
    if (height - s.core.radius - s.shape().radius >= reach) continue;
    const TrianglePoint foot = nearest_on_triangle(a, b, c, p.point);
    if (foot.corners < 3) continue;
    // Behind the face it counts where the shape reaches through the face, and is not behind it as a whole.
    if (height < 0 && (center < -s.core.radius || !overlaps(s, corner))) continue;
    corners_.push_back({face, p.id, p.point, normal, foot.weight, height});
  }
}

void SkinRigidContacts::add_corners(const Search& s) {
  const auto is_elsewhere = [&](const Corner& behind) {
    const bool other_is_nearer = std::any_of(corners_.begin(), corners_.end(), [&](const Corner& other) {
      return other.id == behind.id && std::abs(other.height) < -behind.height;
    });
    return other_is_nearer || !is_inside(s, behind.point);
  };
  for (const Corner& corner : corners_) {
    if (s.shape().closed && corner.height < 0 && is_elsewhere(corner)) continue;
    const double gap = corner.height - s.core.radius - s.shape().radius;
    const Vec3 middle = corner.point - corner.normal * (s.core.radius + 0.5 * gap);
    s.list.add_rigid(s.pose() * middle, s.pose().rotation * corner.normal, gap,
                     {corner.face, {corner.weight.x(), corner.weight.y()}},
                     skin_feature(SkinFeature::Corner, corner.face, corner.id));
  }
}

/// Of a closed skin, as far as its faces near the shape tell.
bool SkinRigidContacts::is_inside(const Search& s, const Vec3& point) const {
  double least = 1e300;
  int nearest = -1;
  TrianglePoint foot;
  Vec3 way;
  for (const int f : faces_) {
    const SampledTriangle corner = corners_of(s.shape().faces[at(f)]);
    const TrianglePoint found =
        nearest_on_triangle(corner[0]->position, corner[1]->position, corner[2]->position, point);
    const Vec3 to = point - weighted(corner, found.weight);
    if (dot(to, to) >= least) continue;
    least = dot(to, to), nearest = f, foot = found, way = to;
  }
  return dot(s.pose().rotation * way, s.skin.normal_at(nearest, foot)) < 0;
}

bool SkinRigidContacts::overlaps(const Search& s, const SampledTriangle& corner) const {
  const std::array<Vec3, 3> points{corner[0]->position, corner[1]->position, corner[2]->position};
  ConvexCore triangle;
  triangle.kind = ConvexCore::Kind::Corners;
  triangle.corners = points;
  triangle.extent = norm(points[1] - points[0]);
  Simplex simplex;
  const Proximity found = gjk({s.core, triangle, {}}, s.core.radius + kOverlap, kGjkTolerance, simplex);
  return found.state != Proximity::State::Far;
}

}  // namespace uzawa
