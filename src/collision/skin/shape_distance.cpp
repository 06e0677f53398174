#include "uzawa/collision/skin/shape_distance.hpp"

#include <algorithm>

#include "uzawa/collision/convex/gjk.hpp"
#include "uzawa/collision/distance/surface_distance.hpp"
#include "uzawa/collision/sdf/sdf_shape.hpp"
#include "uzawa/collision/skin/field_distance.hpp"

namespace uzawa {

namespace {

/// sin of the angle between a face and a direction that enters by it, at the least.
constexpr double kEnters = 0.3;
/// As of proximity(): GJK's on a polytope ends exactly before.
constexpr double kGjkTolerance = 1e-14;

SignedDistance::Sample sample(const SurfaceDistance& s) { return {s.distance, s.outward}; }

SignedDistance::Sample unit(SignedDistance::Sample s) {
  const double size = norm(s.gradient);
  s.gradient = size > 1e-9 ? s.gradient * (1 / size) : Vec3{0, 0, 1};  // flat: the middle of a solid
  return s;
}

/// The nearest of the faces that a direction enters by.
class WayOut {
 public:
  explicit WayOut(const Vec3& direction) : direction_(direction) {}
  void offer(double distance, const Vec3& outward) {
    if (dot(outward, direction_) > -kEnters || distance <= best_.distance) return;
    best_ = {distance, outward};
  }
  /// The other where there is none.
  SignedDistance::Sample or_else(const SignedDistance::Sample& other) const {
    return best_.distance > -1e299 ? best_ : other;
  }

 private:
  Vec3 direction_;
  SignedDistance::Sample best_{-1e300, {}};
};

}  // namespace

SignedDistance::Sample ShapeDistance::evaluate(const Vec3& p) const {
  if (shape_.collides_as_sdf) return unit(shape_.sdf->distance()->evaluate(p));
  const Vec3& size = shape_.size;
  switch (shape_.type) {
    case ShapeType::Plane: return {p.z(), {0, 0, 1}};
    case ShapeType::Sphere: return sample(distance_from_point(p, size.x(), {1, 0, 0}));
    case ShapeType::Capsule: {
      const double along = std::clamp(p.z(), -size.y(), size.y());
      return sample(distance_from_point(p - Vec3{0, 0, along}, size.x(), {1, 0, 0}));
    }
    case ShapeType::Ellipsoid: return sample(distance_from_ellipsoid(p, size));
    case ShapeType::Cylinder: return sample(distance_from_cylinder(p, size.x(), size.y()));
    case ShapeType::Box: return sample(distance_from_box(p, size));
    case ShapeType::Mesh: return from_hull(p);
    case ShapeType::HeightField: return sample(distance_from_field(*shape_.field, p, reach_));
    case ShapeType::Skin: break;
  }
  return {1e300, {0, 0, 1}};
}

SignedDistance::Sample ShapeDistance::from_hull(const Vec3& p) const {
  const ConvexHull& hull = *shape_.hull;
  std::size_t face = 0;
  double highest = -1e300;
  for (std::size_t f = 0; f < hull.face_normals().size(); ++f) {
    const double height = dot(hull.face_normals()[f], p) - hull.face_offsets()[f];
    if (height > highest) highest = height, face = f;
  }
  if (highest > 0) {
    const ConvexCore core = core_of(shape_), point;
    Simplex simplex;
    const Proximity found = gjk({core, point, {Mat3::identity(), p}}, 1e300, kGjkTolerance, simplex);
    if (found.state == Proximity::State::Apart) return {found.gap, found.normal};
  }
  return {highest, hull.face_normals()[face]};
}

SignedDistance::Sample ShapeDistance::way_out(const Vec3& p, const Vec3& direction) const {
  const Sample nearest = evaluate(p);
  if (shape_.collides_as_sdf || nearest.distance >= 0) return nearest;
  WayOut out(direction);
  const Vec3& size = shape_.size;
  if (shape_.type == ShapeType::Box) {
    for (int axis = 0; axis < 3; ++axis) {
      out.offer(p[axis] - size[axis], Vec3::unit(axis));
      out.offer(-p[axis] - size[axis], -Vec3::unit(axis));
    }
  } else if (shape_.type == ShapeType::Cylinder) {
    const double across = length(p.x(), p.y());
    if (across > 1e-15) out.offer(across - size.x(), {p.x() / across, p.y() / across, 0});
    out.offer(p.z() - size.y(), {0, 0, 1});
    out.offer(-p.z() - size.y(), {0, 0, -1});
  } else if (shape_.type == ShapeType::Mesh) {
    const ConvexHull& hull = *shape_.hull;
    for (std::size_t f = 0; f < hull.face_normals().size(); ++f) {
      out.offer(dot(hull.face_normals()[f], p) - hull.face_offsets()[f], hull.face_normals()[f]);
    }
  }
  return out.or_else(nearest);
}

}  // namespace uzawa
