#include "uzawa/collision/skin/field_distance.hpp"

#include <algorithm>

#include "uzawa/base/at.hpp"
#include "uzawa/collision/skin/triangle_point.hpp"

namespace uzawa {

namespace {

/// The triangle over or under a point of the field, and the height of the surface there.
struct Under {
  double height = 0;  ///< m
  Vec3 normal;        ///< upward, unit
};

Vec3 normal_of(const HeightField::Triangle& t) {
  const Vec3 n = cross(t.corner[1] - t.corner[0], t.corner[2] - t.corner[0]);
  return n * (1 / norm(n));
}

/// `p` is within the field's outline.
Under surface_at(const HeightField& field, const Vec3& p) {
  const HeightField::Cells cells = field.cells_under({{p.x(), p.y(), field.bounds().low.z()}, {p.x(), p.y(), 1e300}});
  const int row = std::min(cells.row_begin, field.rows() - 2);
  const int column = std::min(cells.column_begin, field.columns() - 2);
  // Of the two triangles of the cell, the one on the point's side of the diagonal.
  const Vec3 low = field.point(row, column), high = field.point(row + 1, column + 1);
  const bool above = (p.y() - low.y()) * (high.x() - low.x()) > (p.x() - low.x()) * (high.y() - low.y());
  const HeightField::Triangle t = field.triangle(row, column, above ? 1 : 0);
  const Vec3 n = normal_of(t);
  const Vec3 d = p - t.corner[0];
  return {t.corner[0].z() - (n.x() * d.x() + n.y() * d.y()) / n.z(), n};
}

/// The nearest point of the surface, no further than `reach`.
Vec3 nearest_on_field(const HeightField& field, const Vec3& p, double reach, const Vec3& first) {
  const Aabb box = Aabb{p, p}.grown(reach);
  const HeightField::Cells cells = field.cells_under({box.low, {box.high.x(), box.high.y(), 1e300}});
  Vec3 nearest = first;
  double square = dot(first - p, first - p);
  for (int row = cells.row_begin; row < cells.row_end; ++row) {
    for (int column = cells.column_begin; column < cells.column_end; ++column) {
      for (int which = 0; which < 2; ++which) {
        const auto [a, b, c] = field.triangle(row, column, which).corner;
        const Vec3 weight = nearest_on_triangle(a, b, c, p).weight;
        const Vec3 point = a * weight.x() + b * weight.y() + c * weight.z();
        const double other = dot(point - p, point - p);
        if (other < square) square = other, nearest = point;
      }
    }
  }
  return nearest;
}

}  // namespace

SurfaceDistance distance_from_field(const HeightField& field, const Vec3& p, double reach) {
  const Aabb& box = field.bounds();
  if (p.z() - box.high.z() > reach) return {p.z() - box.high.z(), {0, 0, 1}};
  const Vec3 inside{std::clamp(p.x(), box.low.x(), box.high.x()), std::clamp(p.y(), box.low.y(), box.high.y()), p.z()};
  const Under under = surface_at(field, inside);
  const double beside = length(p.x() - inside.x(), p.y() - inside.y());
  if (beside > 0 && p.z() <= under.height) return {beside, (p - inside) * (1 / beside)};  // before a wall
  const Vec3 over{inside.x(), inside.y(), under.height};
  const bool outside = p.z() > under.height;
  const double search = outside ? std::min(norm(p - over), reach) : norm(p - over);
  const Vec3 nearest = nearest_on_field(field, p, search, over);
  const Vec3 d = outside ? p - nearest : nearest - p;
  const double distance = norm(d);
  if (distance < 1e-12) return {outside ? distance : -distance, under.normal};
  return {outside ? distance : -distance, d * (1 / distance)};
}

}  // namespace uzawa
