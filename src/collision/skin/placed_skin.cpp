#include "uzawa/collision/skin/placed_skin.hpp"

#include <algorithm>

namespace uzawa {

namespace {

Vec3 unit_or_zero(const Vec3& v) {
  const double size = norm(v);
  return size > 1e-150 ? v * (1 / size) : Vec3{};
}

}  // namespace

PlacedSkin::PlacedSkin(const SkinShape& shape)
    : shape_(&shape), positions_(shape.rest), velocities_(shape.rest.size()) {}

void PlacedSkin::place(std::span<const Pose> link_poses, std::span<const Vec3> linear, std::span<const Vec3> angular) {
  const SkinShape& s = *shape_;
  double square = 0;
  for (std::size_t v = 0; v < s.link.size(); ++v) {
    const int link = s.link[v];
    if (link < 0) {
      positions_[v] = s.point[v];
      velocities_[v] = {};
    } else {
      const Pose& pose = link_poses[at(link)];
      const Vec3 arm = pose.rotation * s.point[v];
      positions_[v] = pose.position + arm;
      velocities_[v] = linear.empty() ? Vec3{} : linear[at(link)] + cross(angular[at(link)], arm);
      square = std::max(square, dot(velocities_[v], velocities_[v]));
    }
    bounds_ = v == 0 ? Aabb{positions_[0], positions_[0]} : united(bounds_, {positions_[v], positions_[v]});
  }
  speed_ = std::sqrt(square);
}

Vec3 PlacedSkin::area_normal(int face) const {
  const SkinFace& f = shape_->faces[at(face)];
  if (f[2] < 0) return {};
  const Vec3& a = positions_[at(f[0])];
  return cross(positions_[at(f[1])] - a, positions_[at(f[2])] - a);
}

Vec3 PlacedSkin::vertex_normal(int vertex) const {
  Vec3 sum;
  for (const int face : shape_->vertex_faces[vertex]) {
    const SkinFace& f = shape_->faces[at(face)];
    if (f[2] < 0) continue;
    const int k = f[0] == vertex ? 0 : f[1] == vertex ? 1 : 2;
    const Vec3& here = positions_[at(vertex)];
    const Vec3 next = positions_[at(f[at((k + 1) % 3)])] - here, last = positions_[at(f[at((k + 2) % 3)])] - here;
    const Vec3 n = cross(next, last);
    sum += unit_or_zero(n) * std::atan2(norm(n), dot(next, last));
  }
  return unit_or_zero(sum);
}

Vec3 PlacedSkin::edge_normal(int edge) const {
  Vec3 sum;
  for (const int face : shape_->edge_faces[at(edge)]) {
    if (face >= 0) sum += unit_or_zero(area_normal(face));
  }
  return unit_or_zero(sum);
}

Vec3 PlacedSkin::normal_at(int face, const TrianglePoint& foot) const {
  if (foot.corners == 3) return area_normal(face);
  if (foot.corners == 2) {
    const int edge = foot.weight.z() == 0 ? 0 : foot.weight.x() == 0 ? 1 : 2;
    return edge_normal(shape_->face_edges[at(face)][at(edge)]);
  }
  return vertex_normal(corner_at(shape_->faces[at(face)], foot));
}

Vec3 PlacedSkin::into_face(int edge, int side) const {
  const int face = shape_->edge_faces[at(edge)][at(side)];
  if (face < 0 || shape_->faces[at(face)][2] < 0) return {};
  const auto [a, b] = shape_->edges[at(edge)];
  int third = 0;
  for (const int corner : shape_->faces[at(face)]) third = corner != a && corner != b ? corner : third;
  const Vec3 along = unit_or_zero(positions_[at(b)] - positions_[at(a)]),
             to = positions_[at(third)] - positions_[at(a)];
  return unit_or_zero(to - along * dot(to, along));
}

}  // namespace uzawa
