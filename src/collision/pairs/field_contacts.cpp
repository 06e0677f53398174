#include <algorithm>

#include "uzawa/collision/pairs/contact_functions.hpp"

/// A height field against a convex shape: one prism after the other of those under the shape. A prism's sides and
/// bottom are not there, but for the rim of the field: a normal that comes from them is replaced or dropped.
namespace uzawa::contacts {

namespace {

/// cos: a normal this close to the triangle's is the triangle's.
constexpr double kOnTop = 1 - 1e-9;
/// sin of the angle up to which a direction does not lean towards a neighbour.
constexpr double kLevel = 1e-9;
/// Barycentric weight below which the nearest point lies on the edge across from that corner.
constexpr double kOnEdge = 1e-6;

struct Prism {
  std::array<Vec3, 6> corners;
  Vec3 normal;  ///< of the top
};

Prism prism_over(const HeightField::Triangle& t, double base) {
  Prism prism;
  for (std::size_t k = 0; k < 3; ++k) {
    prism.corners[k] = t.corner[k];
    prism.corners[k + 3] = {t.corner[k].x(), t.corner[k].y(), base};
  }
  const Vec3 n = cross(t.corner[1] - t.corner[0], t.corner[2] - t.corner[0]);
  prism.normal = n * (1 / norm(n));
  return prism;
}

/// Weights of the three corners at a point, seen from above.
Vec3 weights_at(const HeightField::Triangle& t, const Vec3& p) {
  const Vec3 a = t.corner[0], u = t.corner[1] - a, v = t.corner[2] - a, d = p - a;
  const double area = u.x() * v.y() - u.y() * v.x();
  const double second = (d.x() * v.y() - d.y() * v.x()) / area, third = (u.x() * d.y() - u.y() * d.x()) / area;
  return {1 - second - third, second, third};
}

/// Whether the neighbour over edge k lets a direction be a normal of that edge: the normals of an edge end with the
/// neighbour's own (Voronoi), so the direction must not lean towards it, along its plane and away from the edge. None
/// passes at a level seam or in a valley.
bool neighbor_allows(const HeightField::Triangle& t, std::size_t k, const Vec3& direction) {
  if (!t.has_across[k]) return true;  // the rim of the field
  const Vec3 edge = t.corner[(k + 1) % 3] - t.corner[k], to = t.across[k] - t.corner[k];
  const Vec3 away = to - edge * (dot(to, edge) / dot(edge, edge));
  return dot(direction, away) <= kLevel * norm(away);
}

/// True where a normal other than the top's is due to an edge that sticks out, not to the seam between two triangles.
bool edge_sticks_out(const HeightField::Triangle& t, const Prism& prism, const Proximity& found) {
  const Vec3 weight = weights_at(t, found.on_a);
  for (std::size_t k = 0; k < 3; ++k) {
    if (weight[static_cast<int>((k + 2) % 3)] > kOnEdge) continue;  // not on edge k, from corner k to k + 1
    const Vec3 outward = cross(t.corner[(k + 1) % 3] - t.corner[k], prism.normal);
    const bool leans_over_it = dot(found.normal, outward) > kLevel * norm(outward);
    if (leans_over_it && !neighbor_allows(t, k, found.normal)) return false;
  }
  return true;
}

/// True where no neighbour of a triangle is further along a direction than the triangle's own furthest corner.
bool is_locally_furthest(const HeightField::Triangle& t, const Vec3& direction) {
  std::size_t top = 0;
  for (std::size_t k = 1; k < 3; ++k) {
    if (dot(t.corner[k] - t.corner[top], direction) > 0) top = k;
  }
  return neighbor_allows(t, top, direction) && neighbor_allows(t, (top + 2) % 3, direction);
}

/// One height field, one convex shape; in the field's frame.
class FieldContacts {
 public:
  FieldContacts(const PlacedShape& a, const PlacedShape& b, double margin, NarrowWorkspace& w, Manifold& out)
      : field_(*a.shape->field),
        pose_a_(a.pose),
        core_b_(core_of(*b.shape)),
        b_in_a_(relative(a.pose, b.pose)),
        margin_(margin),
        box_(world_bounds({b.shape, b_in_a_}).grown(std::max(margin, 0.))),
        w_(w),
        out_(out) {}

  void run() {
    const HeightField::Cells cells = field_.cells_under(box_);
    for (int row = cells.row_begin; row < cells.row_end; ++row) {
      for (int column = cells.column_begin; column < cells.column_end; ++column) {
        for (int which = 0; which < 2; ++which) run_triangle(row, column, which);
      }
    }
  }

 private:
  void run_triangle(int row, int column, int which) {
    const HeightField::Triangle t = field_.triangle(row, column, which);
    if (std::max({t.corner[0].z(), t.corner[1].z(), t.corner[2].z()}) < box_.low.z()) return;
    const Prism prism = prism_over(t, field_.bounds().low.z());
    ConvexCore core;
    core.kind = ConvexCore::Kind::Corners;
    core.corners = prism.corners;
    core.extent = norm(prism.corners[0] - prism.corners[4]);
    const ConvexPair pair{core, core_b_, b_in_a_};
    Proximity found = proximity(pair, margin_ + core_b_.radius, w_.epa);
    if (found.state == Proximity::State::Far) return;
    if (dot(found.normal, prism.normal) < kOnTop) {
      if (found.state == Proximity::State::Apart && !edge_sticks_out(t, prism, found)) return;
      if (found.state == Proximity::State::Overlap && !push_out_of_top(pair, t, prism, found)) {
        if (add_overlap(pair, t, prism, {row, column, which})) return;
        if (found.normal.z() <= 0 || !edge_sticks_out(t, prism, found)) return;
      }
    }
    const auto cell = static_cast<std::uint64_t>(row) * static_cast<std::uint64_t>(field_.columns()) +
                      static_cast<std::uint64_t>(column);
    if (dot(found.normal, prism.normal) >= kOnTop && add_patch(pair, t, prism, {row, column, which})) return;
    const double gap = found.gap - core_b_.radius;
    if (gap >= margin_) return;
    const Vec3 middle = 0.5 * (found.on_a + found.on_b - found.normal * core_b_.radius);
    out_.add(pose_a_ * middle, pose_a_.rotation * found.normal, gap,
             feature::edges(2 * cell + static_cast<std::uint64_t>(which), 0));
  }

  /// The shortest way out of a prism may be through its side; the field's is through the top. False where the deepest
  /// point is under another triangle.
  static bool push_out_of_top(const ConvexPair& pair, const HeightField::Triangle& t, const Prism& prism,
                              Proximity& found) {
    const DifferencePoint deepest = pair.support(prism.normal);
    const Vec3 weight = weights_at(t, deepest.b);
    if (weight.x() < 0 || weight.y() < 0 || weight.z() < 0) return false;
    found.normal = prism.normal;
    found.gap = -dot(deepest.w, prism.normal);
    found.on_b = deepest.b;
    found.on_a = deepest.b - prism.normal * found.gap;
    return true;
  }

  struct Place {
    int row, column, which;
  };

  /// Where the deepest point is under another triangle: a ridge or peak that pokes into a face of the other shape is
  /// cut to that face; else the part of the face over the triangle is pushed along the triangle's normal.
  /// False where neither has a point.
  bool add_overlap(const ConvexPair& pair, const HeightField::Triangle& t, const Prism& prism, const Place& place) {
    face_other_shape(prism);
    const Vec3 out_of_face = -w_.patch2.normal;
    const bool pokes = w_.patch2.is_face() && out_of_face.z() > 0 && is_locally_furthest(t, out_of_face);
    if (!pokes) return add_patch(pair, t, prism, place);
    list_corners(t, prism, place);
    const std::size_t before = out_.points.size();
    add_face_contacts(pair, out_of_face, false, pose_a_, margin_, w_, out_);
    return out_.points.size() > before;
  }

  /// The face or segment of the other shape over the triangle, corner by corner. False where it is a point.
  bool add_patch(const ConvexPair& pair, const HeightField::Triangle& t, const Prism& prism, const Place& place) {
    face_other_shape(prism);
    if (w_.patch2.corners.size() < 2) return false;
    list_corners(t, prism, place);
    const std::size_t before = out_.points.size();
    add_face_contacts(pair, prism.normal, true, pose_a_, margin_, w_, out_);
    return out_.points.size() > before;
  }

  /// The second patch: what faces the triangle.
  void face_other_shape(const Prism& prism) {
    facing_patch(core_b_, transpose_times(b_in_a_.rotation, -prism.normal), w_.patch2);
    transform(b_in_a_, w_.patch2);
  }

  /// The first patch: the triangle.
  void list_corners(const HeightField::Triangle& t, const Prism& prism, const Place& place) {
    w_.patch1.normal = prism.normal;
    w_.patch1.corners.clear();
    const int corner[2][3][2] = {{{0, 0}, {0, 1}, {1, 1}}, {{0, 0}, {1, 1}, {1, 0}}};
    for (std::size_t k = 0; k < 3; ++k) {
      const int* offset = corner[place.which][k];
      const auto id = static_cast<std::uint64_t>(place.row + offset[0]) * static_cast<std::uint64_t>(field_.columns()) +
                      static_cast<std::uint64_t>(place.column + offset[1]);
      w_.patch1.corners.push_back({t.corner[k], id});
    }
  }

  const HeightField& field_;
  Pose pose_a_;
  ConvexCore core_b_;
  Pose b_in_a_;
  double margin_;
  Aabb box_;
  NarrowWorkspace& w_;
  Manifold& out_;
};

}  // namespace

void field_convex(const PlacedShape& a, const PlacedShape& b, double margin, NarrowWorkspace& w, Manifold& out) {
  FieldContacts(a, b, margin, w, out).run();
}

}  // namespace uzawa::contacts
