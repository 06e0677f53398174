#include "uzawa/collision/convex/convex_core.hpp"

#include <cassert>

namespace uzawa {

ConvexCore core_of(const Shape& shape) {
  ConvexCore core;
  core.size = shape.size;
  core.hull = shape.hull;
  core.extent = shape.radius;
  switch (shape.type) {
    case ShapeType::Sphere: core.radius = shape.size.x(); break;
    case ShapeType::Capsule:
      core.kind = ConvexCore::Kind::Segment;
      core.radius = shape.size.x();
      break;
    case ShapeType::Box: core.kind = ConvexCore::Kind::Box; break;
    case ShapeType::Cylinder: core.kind = ConvexCore::Kind::Cylinder; break;
    case ShapeType::Ellipsoid: core.kind = ConvexCore::Kind::Ellipsoid; break;
    case ShapeType::Mesh: core.kind = ConvexCore::Kind::Hull; break;
    default: assert(false && "planes and height fields are not convex bodies"); break;
  }
  return core;
}

Mat3 support_derivative(const ConvexCore& core, const Vec3& d) {
  if (core.kind == ConvexCore::Kind::Cylinder) {
    const double across = length(d.x(), d.y());
    if (across < 1e-12) return {};
    const double x = d.x() / across, y = d.y() / across, scale = core.size.x() / across;
    return {{Vec3{1 - x * x, -x * y, 0} * scale, Vec3{-x * y, 1 - y * y, 0} * scale, Vec3{}}};
  }
  if (core.kind != ConvexCore::Kind::Ellipsoid) return {};
  // h = |S d|, S the diagonal of the half sizes; h'' = (S^2 - p p^T) / h with p = h' = S^2 d / h.
  const double h = norm(scaled(core.size, d));
  if (h < 1e-150) return {};
  const Vec3 squares = scaled(core.size, core.size), p = scaled(squares, d) * (1 / h);
  Mat3 m;
  for (int k = 0; k < 3; ++k) m.col[k] = (Vec3::unit(k) * squares[k] - p * p[k]) * (1 / h);
  return m;
}

}  // namespace uzawa
