/// Peaks of a height field against faces of a skin.
#include "uzawa/collision/skin/rigid_contacts.hpp"
#include "uzawa/collision/skin/triangle_point.hpp"

namespace uzawa {

namespace {

/// Relative to the step to the neighbour: how much nearer than a neighbour a peak is to what it pokes into.
constexpr double kHigher = 1e-9;

/// True where a grid point is further along a direction than its neighbours, or as far as some.
bool is_peak(const HeightField& field, int row, int column, const Vec3& direction) {
  const Vec3 here = field.point(row, column);
  bool stands_out = false;
  for (int dr = -1; dr <= 1; ++dr) {
    for (int dc = -1; dc <= 1; ++dc) {
      const int r = row + dr, c = column + dc;
      // Edges of the triangles: along the grid, and along the diagonal from (-x, -y) to (+x, +y).
      if ((dr == 0 && dc == 0) || dr * dc < 0 || r < 0 || c < 0 || r >= field.rows() || c >= field.columns()) continue;
      const Vec3 to = field.point(r, c) - here;
      const double rise = dot(to, direction), size = kHigher * norm(to);
      if (rise > size) return false;
      stands_out = stands_out || rise < -size;
    }
  }
  return stands_out;
}

}  // namespace

void SkinRigidContacts::meet_peaks(const Search& s, int face, double reach) const {
  const HeightField& field = *s.other.placed.shape->field;
  const SampledTriangle corner = corners_of(s.shape().faces[at(face)]);
  const Vec3 &a = corner[0]->position, &b = corner[1]->position, &c = corner[2]->position;
  Vec3 normal = cross(b - a, c - a);
  const double size = norm(normal);
  if (size < 1e-150) return;
  normal = normal * (1 / size);
  if (!s.shape().closed && normal.z() > 0) normal = -normal;  // towards the field
  if (normal.z() >= 0) return;
  const Aabb box{smaller(smaller(a, b), c), larger(larger(a, b), c)};
  const HeightField::Cells cells =
      field.cells_under({{box.low.x(), box.low.y(), field.bounds().low.z()}, {box.high.x(), box.high.y(), 1e300}});
  for (int row = cells.row_begin; row <= cells.row_end; ++row) {
    for (int column = cells.column_begin; column <= cells.column_end; ++column) {
      const Vec3 peak = field.point(row, column);
      const double gap = dot(peak - a, normal) - s.shape().radius;
      if (gap >= reach || !is_peak(field, row, column, -normal)) continue;
      const TrianglePoint foot = nearest_on_triangle(a, b, c, peak);
      if (foot.corners < 3) continue;
      const int id = row * field.columns() + column;
      s.list.add_rigid(s.pose() * (peak - normal * (0.5 * gap)), s.pose().rotation * normal, gap,
                       {face, {foot.weight.x(), foot.weight.y()}},
                       skin_feature(SkinFeature::Corner, face, static_cast<std::uint64_t>(id)));
    }
  }
}

}  // namespace uzawa
