#include "uzawa/collision/shapes/shape.hpp"

namespace uzawa {

namespace {

/// Row r of the rotation, lane by lane, is what the box's sides add up to along axis r.
Vec3 absolute_product(const Mat3& r, const Vec3& half) {
  return absolute(r.col[0]) * half.x() + absolute(r.col[1]) * half.y() + absolute(r.col[2]) * half.z();
}

}  // namespace

Aabb world_bounds(const PlacedShape& placed) {
  const Shape& shape = *placed.shape;
  const Mat3& r = placed.pose.rotation;
  Vec3 half, center = placed.pose.position;
  switch (shape.collides_as_sdf ? ShapeType::Mesh : shape.type) {
    case ShapeType::Sphere: half = Vec3{1, 1, 1} * shape.size.x(); break;
    case ShapeType::Capsule: half = absolute(r.col[2]) * shape.size.y() + Vec3{1, 1, 1} * shape.size.x(); break;
    case ShapeType::Cylinder: {
      // A disc with normal a reaches sqrt(1 - a_i^2) of its radius along axis i.
      const Vec3 square = scaled(r.col[0], r.col[0]) + scaled(r.col[1], r.col[1]);
      const Vec3 disc{std::sqrt(square.x()), std::sqrt(square.y()), std::sqrt(square.z())};
      half = absolute(r.col[2]) * shape.size.y() + disc * shape.size.x();
      break;
    }
    case ShapeType::Ellipsoid: {
      Vec3 square;
      for (int k = 0; k < 3; ++k) square += scaled(r.col[k], r.col[k]) * (shape.size[k] * shape.size[k]);
      half = {std::sqrt(square.x()), std::sqrt(square.y()), std::sqrt(square.z())};
      break;
    }
    default:
      half = absolute_product(r, shape.bounds.half());
      center = placed.pose * shape.bounds.center();
      break;
  }
  return {center - half, center + half};
}

}  // namespace uzawa
