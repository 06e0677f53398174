#include "uzawa/collision/convex/clipping.hpp"

#include <algorithm>

#include "uzawa/base/at.hpp"
#include "uzawa/collision/contacts/manifold.hpp"

namespace uzawa {

namespace {

/// Points on the rim of a cylinder's cap that stand for it. Three of them are MuJoCo's triangle.
constexpr int kRimPoints = 6;
constexpr double kHalfRoot3 = 0.8660254037844386;
constexpr double kHexagon[kRimPoints][2] = {{1, 0},  {0.5, kHalfRoot3},   {-0.5, kHalfRoot3},
                                            {-1, 0}, {-0.5, -kHalfRoot3}, {0.5, -kHalfRoot3}};
/// cos: a face leans less than 45 degrees.
constexpr double kCapRatherThanSide = 0.7071067811865476;
/// sin of the angle below which the lowest point of a rim has no direction of its own.
constexpr double kUpright = 1e-7;
/// Distance from an edge of the reference up to which a segment is within it, relative to the edge's length.
constexpr double kOnEdge = 1e-10;
/// sin of the angle between an edge and the tangent plane up to which the edge lies in it.
constexpr double kEdgeTolerance = 1e-4;

void box_face(const ConvexCore& core, const Vec3& d, Patch& patch) {
  const Vec3 size = absolute(d);
  const int axis = size.x() >= size.y() ? (size.x() >= size.z() ? 0 : 2) : (size.y() >= size.z() ? 1 : 2);
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  const double side = d[axis] < 0 ? -1 : 1;
  patch.normal = Vec3::unit(axis) * side;
  // (u, v) turns about +axis; from outside of the negative side it must turn the other way.
  constexpr int kTurn[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  for (int k = 0; k < 4; ++k) {
    const int* sign = kTurn[side > 0 ? k : 3 - k];
    Vec3 p;
    p.set(axis, side * core.size[axis]);
    p.set(u, sign[0] * core.size[u]);
    p.set(v, sign[1] * core.size[v]);
    const int id = (p.x() > 0 ? 1 : 0) + (p.y() > 0 ? 2 : 0) + (p.z() > 0 ? 4 : 0);
    patch.corners.push_back({p, static_cast<std::uint64_t>(id)});
  }
}

void cylinder_patch(const ConvexCore& core, const Vec3& d, Patch& patch) {
  if (std::abs(d.z()) > kCapRatherThanSide) return cylinder_cap(core, d, patch);
  const double radius = core.size.x(), half = core.size.y(), across = length(d.x(), d.y());
  const double x = d.x() / across, y = d.y() / across;
  patch.normal = {x, y, 0};
  patch.corners.push_back({{x * radius, y * radius, -half}, 0});
  patch.corners.push_back({{x * radius, y * radius, half}, 1});
}

void hull_face(const ConvexHull& hull, const Vec3& d, int hint, Patch& patch) {
  const int face = hull.best_face(d, hull.support(d, hint));
  patch.normal = hull.face_normals()[at(face)];
  for (const int v : hull.faces()[face])
    patch.corners.push_back({hull.vertices()[at(v)], static_cast<std::uint64_t>(v)});
}

}  // namespace

void cylinder_cap(const ConvexCore& core, const Vec3& d, Patch& patch) {
  const double radius = core.size.x(), side = d.z() < 0 ? -1 : 1, across = length(d.x(), d.y());
  const double x = across > kUpright ? d.x() / across : 1, y = across > kUpright ? d.y() / across : 0;
  patch.corners.clear();
  patch.normal = {0, 0, side};
  for (int k = 0; k < kRimPoints; ++k) {
    const double c = kHexagon[k][0], s = side * kHexagon[k][1];
    const auto id = static_cast<std::uint64_t>(k + (side > 0 ? 2 + kRimPoints : 2));
    patch.corners.push_back({{radius * (c * x - s * y), radius * (s * x + c * y), side * core.size.y()}, id});
  }
}

void facing_patch(const ConvexCore& core, const Vec3& d, Patch& patch) {
  patch.corners.clear();
  patch.normal = d;
  switch (core.kind) {
    case ConvexCore::Kind::Box: return box_face(core, d, patch);
    case ConvexCore::Kind::Cylinder: return cylinder_patch(core, d, patch);
    case ConvexCore::Kind::Hull: return hull_face(*core.hull, d, core.hint, patch);
    case ConvexCore::Kind::Segment:
      patch.corners.push_back({{0, 0, -core.size.y()}, 0});
      patch.corners.push_back({{0, 0, core.size.y()}, 1});
      return;
    default: patch.corners.push_back({support(core, d), 0}); return;
  }
}

bool facing_edge(const ConvexCore& core, const Vec3& d, Patch& patch) {
  patch.corners.clear();
  patch.normal = d;
  switch (core.kind) {
    case ConvexCore::Kind::Box: {
      const Vec3 corner = support(core, d);
      for (int axis = 0; axis < 3; ++axis) {
        if (std::abs(d[axis]) > kEdgeTolerance) continue;
        Vec3 low = corner, high = corner;
        low.set(axis, -core.size[axis]);
        high.set(axis, core.size[axis]);
        patch.corners.push_back({low, static_cast<std::uint64_t>(2 * axis)});
        patch.corners.push_back({high, static_cast<std::uint64_t>(2 * axis + 1)});
        return true;
      }
      return false;
    }
    case ConvexCore::Kind::Cylinder:
      if (std::abs(d.z()) > kEdgeTolerance) return false;
      cylinder_patch(core, d, patch);
      return true;
    case ConvexCore::Kind::Segment:
      if (std::abs(d.z()) > kEdgeTolerance) return false;
      facing_patch(core, d, patch);
      return true;
    case ConvexCore::Kind::Hull: {
      const int corner = core.hull->support(d, core.hint);
      const Vec3 from = core.hull->vertices()[at(corner)];
      for (const int v : core.hull->neighbors()[corner]) {
        const Vec3 edge = core.hull->vertices()[at(v)] - from;
        if (std::abs(dot(edge, d)) > kEdgeTolerance * norm(edge)) continue;
        patch.corners.push_back({from, static_cast<std::uint64_t>(corner)});
        patch.corners.push_back({from + edge, static_cast<std::uint64_t>(v)});
        return true;
      }
      return false;
    }
    default: return false;
  }
}

void transform(const Pose& pose, Patch& patch) {
  patch.normal = pose.rotation * patch.normal;
  for (Patch::Corner& corner : patch.corners) corner.point = pose * corner.point;
}

Clipper::Vertex Clipper::crossing(const Vertex& from, const Vertex& to, int edge) const {
  Vertex v;
  v.point = from.point + (to.point - from.point) * (from.side / (from.side - to.side));
  // The side from -> to is an incident edge, or the remains of an earlier cut.
  if (from.next_edge >= 0) {
    v.on_edge = from.next_edge;
    v.cut1 = edge;
  } else {
    v.cut1 = -2 - from.next_edge;
    v.cut2 = edge;
  }
  return v;
}

void Clipper::cut(const Patch& reference, const Vec3& outward, int edge) {
  const std::size_t count = reference.corners.size();
  const Vec3 start = reference.corners[at(edge)].point;
  const Vec3 along = reference.corners[(at(edge) + 1) % count].point - start;
  const Vec3 inward = cross(outward, along);
  for (Vertex& v : polygon_) v.side = dot(v.point - start, inward);
  next_.clear();
  for (std::size_t i = 0; i < polygon_.size(); ++i) {
    const Vertex &v = polygon_[i], &w = polygon_[(i + 1) % polygon_.size()];
    if (v.side >= 0) next_.push_back(v);
    if ((v.side >= 0) == (w.side >= 0)) continue;
    Vertex c = crossing(v, w, edge);
    // Leaving: what follows runs along the cut. Entering: along the side that was cut.
    c.next_edge = v.side >= 0 ? -2 - edge : v.next_edge;
    next_.push_back(c);
  }
  polygon_.swap(next_);
}

void Clipper::clip_polygon(const Patch& polygon, const Patch& reference, const Vec3& outward) {
  polygon_.clear();
  for (std::size_t k = 0; k < polygon.corners.size(); ++k) {
    Vertex v;
    v.point = polygon.corners[k].point;
    v.corner = v.next_edge = static_cast<int>(k);
    polygon_.push_back(v);
  }
  for (int e = 0; e < static_cast<int>(reference.corners.size()) && !polygon_.empty(); ++e) cut(reference, outward, e);
}

void Clipper::clip_segment(const Patch& segment, const Patch& reference, const Vec3& outward) {
  const Vec3 p = segment.corners.front().point, along = segment.corners.back().point - p;
  double low = 0, high = 1;
  int low_edge = -1, high_edge = -1;
  const std::size_t count = reference.corners.size();
  for (std::size_t e = 0; e < count; ++e) {
    const Vec3 start = reference.corners[e].point;
    const Vec3 edge = reference.corners[(e + 1) % count].point - start, inward = cross(outward, edge);
    // A segment along an edge is on it, whatever rounding says: without area, it would be cut off as a whole.
    const double at_start = dot(p - start, inward) + kOnEdge * dot(edge, edge), slope = dot(along, inward);
    if (slope == 0 && at_start < 0) low = 2;
    const double t = -at_start / slope;
    if (slope > 0 && t > low) low = t, low_edge = static_cast<int>(e);
    if (slope < 0 && t < high) high = t, high_edge = static_cast<int>(e);
  }
  polygon_.clear();
  if (low > high) return;
  const auto add = [&](double t, int cut_edge, int corner) {
    Vertex v;
    v.point = p + along * t;
    v.corner = cut_edge < 0 ? corner : -1;
    v.on_edge = 0;
    v.cut1 = cut_edge;
    polygon_.push_back(v);
  };
  add(low, low_edge, 0);
  add(high, high_edge, 1);
}

std::uint64_t Clipper::name(const Vertex& v, const Patch& incident, const Patch& reference,
                            bool reference_first) const {
  if (v.corner >= 0) {
    const std::uint64_t id = incident.corners[at(v.corner)].id;
    return reference_first ? feature::corner2(id) : feature::corner1(id);
  }
  const auto edge_of = [](const Patch& patch, int k) {
    const std::size_t count = patch.corners.size();
    return feature::edge_id(patch.corners[at(k) % count].id, patch.corners[(at(k) + 1) % count].id);
  };
  if (v.on_edge >= 0) {
    const std::uint64_t mine = edge_of(incident, v.on_edge), other = edge_of(reference, v.cut1);
    return reference_first ? feature::edges(other, mine) : feature::edges(mine, other);
  }
  // Where two sides of the reference meet there is its corner (edges k - 1 and k meet at corner k).
  const int count = static_cast<int>(reference.corners.size());
  const int corner = (v.cut1 + 1) % count == v.cut2 ? v.cut2 : v.cut1;
  const std::uint64_t id = reference.corners[at(corner)].id;
  return reference_first ? feature::corner1(id) : feature::corner2(id);
}

const std::vector<Clipper::Point>& Clipper::clip(const Patch& incident, const Patch& reference, const Vec3& outward,
                                                 bool reference_first) {
  out_.clear();
  polygon_.clear();
  if (incident.is_face()) {
    clip_polygon(incident, reference, outward);
  } else if (incident.corners.size() == 2) {
    clip_segment(incident, reference, outward);
  }
  for (const Vertex& v : polygon_) out_.push_back({v.point, name(v, incident, reference, reference_first)});
  return out_;
}

}  // namespace uzawa
