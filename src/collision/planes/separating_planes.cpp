#include "uzawa/collision/planes/separating_planes.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/base/mixed_bits.hpp"

namespace uzawa {

namespace {

/// cos of the angle up to which a face is the direction of the contact (14 urad), and up to which faces of the two
/// shapes are one (2 degrees). Of the latter the larger shape's counts: what must stay beyond it is the smaller one.
constexpr double kSame = 1 - 1e-10, kAlike = 0.9994;
/// Corners of a face that are held beyond a plane; as many as a convex pair has contacts.
constexpr std::size_t kMostCorners = 8;

double separation_along(const PlacedShape& a, const PlacedShape& b, const Vec3& n) {
  const ConvexCore core_a = core_of(*a.shape), core_b = core_of(*b.shape);
  const Vec3 on_a = a.pose.rotation * support(core_a, transpose_times(a.pose.rotation, n));
  const Vec3 on_b = b.pose.rotation * support(core_b, transpose_times(b.pose.rotation, -n));
  return dot(n, (b.pose.position - a.pose.position) + (on_b - on_a)) - core_a.radius - core_b.radius;
}

/// Calls add(outward normal, number, turns) for the faces of a shape that a point of its surface lies on. A face that
/// separates contains the nearest point of its shape, but for the tolerance.
template <typename Add>
void for_each_face_at(const Shape& shape, const Vec3& p, double tolerance, Add&& add) {
  if (shape.type == ShapeType::Box) {
    for (int k = 0; k < 3; ++k) {
      if (std::abs(p[k]) < shape.size[k] - tolerance) continue;
      add(Vec3::unit(k) * std::copysign(1.0, p[k]), 2 * k + (p[k] < 0 ? 1 : 0), true);
    }
  } else if (shape.type == ShapeType::Cylinder) {
    const double radius = shape.size.x(), half = shape.size.y(), across = length(p.x(), p.y());
    if (std::abs(p.z()) >= half - tolerance) add(Vec3{0, 0, std::copysign(1.0, p.z())}, p.z() < 0 ? 1 : 0, true);
    if (across >= radius - tolerance) add(Vec3{p.x() / across, p.y() / across, 0}, 2, false);
  } else if (shape.type == ShapeType::Mesh) {
    shape.hull->for_each_face_at(p, tolerance,
                                 [&](int face) { add(shape.hull->face_normals()[at(face)], face, true); });
  }
}

}  // namespace

bool has_planes(const Shape& a, const Shape& b) {
  const auto flat = [](const Shape& s) {
    return s.type == ShapeType::Box || s.type == ShapeType::Cylinder || s.type == ShapeType::Mesh;
  };
  return a.is_convex() && b.is_convex() && !a.is_plane() && !b.is_plane() && (flat(a) || flat(b));
}

void SeparatingPlanes::find(const PlacedShape& a, const PlacedShape& b, const Contact& nearest, double tolerance) {
  planes_[0] = {.normal = nearest.normal, .local = {}, .separation = separation_along(a, b, nearest.normal)};
  count_ = 1;
  const Vec3 half = nearest.normal * (0.5 * nearest.gap);
  const bool first_is_larger = a.shape->radius >= b.shape->radius;
  for (const bool of_first : {first_is_larger, !first_is_larger}) {
    add_faces(a, b, of_first, nearest.position, of_first ? half : -half, tolerance);
  }
}

/// `half`: from the shape to the middle of the contact.
void SeparatingPlanes::add_faces(const PlacedShape& a, const PlacedShape& b, bool of_first, const Vec3& middle,
                                 const Vec3& half, double tolerance) {
  const PlacedShape& own = of_first ? a : b;
  const Vec3 p = transpose_times(own.pose.rotation, middle - half - own.pose.position);
  for_each_face_at(*own.shape, p, tolerance, [&](const Vec3& outward, int number, bool turns) {
    SeparatingPlane plane;
    plane.local = of_first ? outward : -outward;
    plane.normal = own.pose.rotation * plane.local;
    plane.face = static_cast<std::uint64_t>(number) * 2 + (of_first ? 1 : 2);
    plane.of_first = of_first;
    plane.turns = turns;
    plane.opposite = middle + half;
    add(a, b, plane, tolerance);
  });
}

void SeparatingPlanes::add(const PlacedShape& a, const PlacedShape& b, SeparatingPlane plane, double tolerance) {
  for (int k = 0; k < count_; ++k) {
    SeparatingPlane& same = planes_[at(k)];
    const bool opposed = (k > 0 || same.turns) && same.of_first != plane.of_first;
    if (dot(same.normal, plane.normal) < (opposed ? kAlike : kSame)) continue;
    if (k == 0 && !same.turns && plane.turns) {
      same.local = plane.local;
      same.of_first = plane.of_first;
      same.turns = true;
    }
    return;
  }
  if (count_ == kMost) return;
  plane.separation = separation_along(a, b, plane.normal);
  if (plane.separation >= -tolerance) planes_[at(count_++)] = plane;
}

double separation(const SeparatingPlane& plane, const PlacedShape& a, const PlacedShape& b) {
  const Pose& own = plane.of_first ? a.pose : b.pose;
  return separation_along(a, b, plane.turns ? own.rotation * plane.local : plane.normal);
}

void add_plane_contacts(const SeparatingPlane& plane, const PlacedShape& a, const PlacedShape& b, Patch& patch,
                        Manifold& out) {
  const Vec3 n = plane.normal;
  const PlacedShape &own = plane.of_first ? a : b, &other = plane.of_first ? b : a;
  const Vec3 outward = plane.of_first ? n : -n;
  const ConvexCore core = core_of(*own.shape), facing = core_of(*other.shape);
  const Vec3 face = own.pose * support(core, transpose_times(own.pose.rotation, outward)) + outward * core.radius;
  if (!plane.turns) {  // a curved surface is near its tangent plane at one point only
    const double gap = dot(outward, plane.opposite - face);
    return out.add(plane.opposite - outward * (0.5 * gap), n, gap, mixed_bits(plane.face));
  }
  facing_patch(facing, transpose_times(other.pose.rotation, -outward), patch);
  const double reach = 2 * own.shape->radius;
  const std::size_t stride = (patch.corners.size() + kMostCorners - 1) / kMostCorners;
  for (std::size_t k = 0; k < patch.corners.size(); k += stride) {
    Vec3 corner = other.pose * patch.corners[k].point - outward * facing.radius;
    const Vec3 arm = corner - plane.opposite;
    if (dot(arm, arm) > reach * reach) corner = plane.opposite + arm * (reach / norm(arm));
    const double gap = dot(outward, corner - face);
    out.add(corner - outward * (0.5 * gap), n, gap, mixed_bits(plane.face) ^ patch.corners[k].id);
  }
}

}  // namespace uzawa
