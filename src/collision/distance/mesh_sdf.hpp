#pragma once

#include <cstdint>
#include <vector>

#include "uzawa/collision/distance/surface.hpp"

namespace uzawa {

/// Exact signed distance to a closed mesh (see closed_mesh): the nearest triangle by a tree of boxes, the sign by the
/// normal of the nearest face, edge or vertex, the latter weighted by angles (Baerentzen and Aanaes, "Signed distance
/// computation using the angle weighted pseudonormal", 2005). Microseconds a point: for sampling, not for stepping.
class MeshSdf final : public SignedDistance {
 public:
  explicit MeshSdf(Surface closed);

  Sample evaluate(const Vec3& point) const override { return evaluate_within(point, 1e30); }
  Aabb bounds() const override { return nodes_.empty() ? Aabb{} : nodes_.front().box; }
  /// Faster where the distance is known to be at most `reach`.
  Sample evaluate_within(const Vec3& point, double reach) const;

  const Surface& surface() const { return surface_; }

 private:
  struct Node {
    Aabb box;
    int begin = 0, end = 0;  ///< triangles_
    int right = 0;           ///< second child; the first follows its parent; 0: leaf
  };
  struct Triangle {
    Vec3 a, ab, ac;
    int face = 0;
  };
  /// The nearest point of a triangle and its feature: 0..2 corners, 3..5 the edges after them, 6 the inside.
  struct Nearest {
    double square = 0;
    Vec3 away;
    int face = 0, feature = 6;
  };

  int build(int begin, int end, const std::vector<Vec3>& centres);
  void build_normals();
  static Nearest nearest_of(const Triangle& triangle, const Vec3& point);

  Surface surface_;
  std::vector<Node> nodes_;
  std::vector<Triangle> triangles_;
  std::vector<Vec3> face_normals_, vertex_normals_;
  std::vector<std::array<Vec3, 3>> edge_normals_;  ///< by face; entry k belongs to the side from corner k to k + 1
};

}  // namespace uzawa
