#pragma once

#include <array>
#include <span>
#include <vector>

#include "uzawa/base/at.hpp"
#include "uzawa/collision/shapes/aabb.hpp"

namespace uzawa {

/// Corners of a face; the third is -1 where the face is a stretch of a cord.
using SkinFace = std::array<int, 3>;
inline int corner_count(const SkinFace& face) { return face[2] < 0 ? 2 : 3; }

/// Which faces are near each other: a tree over the faces of a skin. Neighbours on a skin stay neighbours however it
/// deforms, so the tree is built once, at the reference shape, and only its boxes are fitted to the current shape.
class SkinTree {
 public:
  SkinTree() = default;
  SkinTree(std::span<const SkinFace> faces, std::span<const Vec3> positions);

  /// Boxes of the nodes about the faces as they are now; `boxes` keeps its memory.
  void fit(std::span<const SkinFace> faces, std::span<const Vec3> positions, std::vector<Aabb>& boxes) const;

  /// Calls see(face) for each face of a leaf whose box meets the given one, in an order that depends on the tree alone.
  template <typename See>
  void for_each_near(std::span<const Aabb> boxes, const Aabb& box, See&& see) const {
    for (std::size_t i = 0; i < nodes_.size();) {
      const Node& node = nodes_[i];
      if (!overlap(boxes[i], box)) {
        i = at(node.skip);
        continue;
      }
      for (int k = node.begin; k < node.end; ++k) see(order_[at(k)]);
      ++i;
    }
  }

 private:
  /// Nodes are in depth-first order: the first child follows its parent, `skip` is the node after the whole subtree.
  struct Node {
    int skip = 0;
    int begin = 0, end = 0;  ///< order_; empty: inner node
  };
  void build(int begin, int end, std::span<const Vec3> centers);

  std::vector<Node> nodes_;
  std::vector<int> order_;  ///< faces in the order of the leaves
};

}  // namespace uzawa
