#pragma once

#include <span>
#include <vector>

#include "uzawa/collision/skin/skin_shape.hpp"
#include "uzawa/collision/skin/triangle_point.hpp"
#include "uzawa/math/pose.hpp"

namespace uzawa {

/// The corner of a face that a point on it is.
inline int corner_at(const SkinFace& face, const TrianglePoint& foot) {
  return face[foot.weight.x() == 1 ? 0 : foot.weight.y() == 1 ? 1 : 2];
}

/// A skin in its current shape. Keeps its memory.
class PlacedSkin {
 public:
  explicit PlacedSkin(const SkinShape& shape);

  /// `linear`, `angular`: per link, as in Speculation; empty: at rest.
  void place(std::span<const Pose> link_poses, std::span<const Vec3> linear, std::span<const Vec3> angular);
  /// Fits the boxes of the tree.
  void fit() { shape_->tree.fit(shape_->faces, positions_, boxes_); }

  const SkinShape& shape() const { return *shape_; }
  std::span<const Vec3> positions() const { return positions_; }    ///< per vertex, m
  std::span<const Vec3> velocities() const { return velocities_; }  ///< per vertex, m/s
  const Aabb& bounds() const { return bounds_; }                    ///< of the vertices
  double speed() const { return speed_; }                           ///< m/s, of the fastest vertex

  template <typename See>
  void for_each_face_near(const Aabb& box, See&& see) const {
    shape_->tree.for_each_near(boxes_, box, see);
  }
  /// Of a face, by its corners as they are now, times twice its area; zero for stretches of cords.
  Vec3 area_normal(int face) const;
  /// Outward, unit: of the faces around a vertex, weighted by their angles there (Baerentzen and Aanaes 2005); zero
  /// where there is none.
  Vec3 vertex_normal(int vertex) const;
  /// Of the faces beside an edge, unit; zero where there is none.
  Vec3 edge_normal(int edge) const;
  /// Outward, of any length: of the face, edge or vertex that a point of a face belongs to. With the normal of the
  /// feature that is nearest to it, a place is inside where it is behind (Baerentzen and Aanaes 2005).
  Vec3 normal_at(int face, const TrianglePoint& foot) const;
  /// In the plane of a face beside an edge, from the edge into the face, at right angles to it, unit; zero where the
  /// edge has no such face. `side`: 0 or 1.
  Vec3 into_face(int edge, int side) const;

 private:
  const SkinShape* shape_;
  std::vector<Vec3> positions_, velocities_;
  std::vector<Aabb> boxes_;  ///< of the tree's nodes
  Aabb bounds_;
  double speed_ = 0;
};

}  // namespace uzawa
