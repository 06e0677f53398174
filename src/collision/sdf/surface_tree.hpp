#pragma once

#include <vector>

#include "uzawa/collision/distance/surface.hpp"

namespace uzawa {

/// A surface, prepared for searching: a hierarchy of spheres over its faces, and which edge each side of a face is.
class SurfaceTree {
 public:
  struct Node {
    Vec3 centre;             ///< of a sphere that holds the node's faces, m
    double radius = 0;       ///< m
    int begin = 0, end = 0;  ///< faces()
    int right = 0;           ///< second child; the first follows its parent; 0: leaf
  };
  struct Face {
    std::array<int, 3> vertex;  ///< of the surface
    std::array<int, 3> edge;    ///< edge k is opposite to vertex k
    int index = 0;              ///< of the surface
    double reach = 0;           ///< m; every point of the face is within this of one of its vertices
  };

  SurfaceTree() = default;
  /// Throws InputError where a vertex is not finite or a face names one that is not there.
  explicit SurfaceTree(Surface surface);

  const Surface& surface() const { return surface_; }
  const std::vector<Node>& nodes() const { return nodes_; }
  /// In the order of the leaves.
  const std::vector<Face>& faces() const { return faces_; }
  /// The places in faces() of the faces beside each edge: the first two of them; -1: none.
  const std::vector<std::array<int, 2>>& edges() const { return edges_; }

 private:
  int build(int begin, int end, std::vector<Vec3>& centres);
  void number_edges();

  Surface surface_;
  std::vector<Node> nodes_;
  std::vector<Face> faces_;
  std::vector<std::array<int, 2>> edges_;
};

}  // namespace uzawa
