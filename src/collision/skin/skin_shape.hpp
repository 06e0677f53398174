#pragma once

#include <array>
#include <vector>

#include "uzawa/collision/shapes/convex_hull.hpp"
#include "uzawa/collision/skin/skin_tree.hpp"
#include "uzawa/model/model.hpp"

namespace uzawa {

/// Where a contact takes hold of a skin: as in Contact.
struct SkinSpot {
  int face = -1;
  std::array<double, 2> weights{};
};

/// Immutable collision data of a geom of ShapeType::Skin. Vertices are those of SoftSkin::vertices, by their place in
/// that list; faces and edges have the numbers of SoftSkin, with vertices for nodes.
class SkinShape {
 public:
  SkinShape(const Model& model, int geom);

  int geom = 0;
  double radius = 0;            ///< m, around the surface
  bool closed = false;          ///< faces have an outside; else both sides are outside
  bool self_contact = false;    ///< of the soft body
  double depth = 0;             ///< m, mean length of the edges at rest: how deep one skin is looked for in another
  std::vector<int> body, link;  ///< per vertex: what carries it; link -1: the ground
  std::vector<Vec3> point;      ///< per vertex: m, in the frame of its link (of the world for -1)
  std::vector<Vec3> rest;       ///< per vertex: m, world, at the reference configuration
  std::vector<SkinFace> faces;  ///< counter-clockwise from outside
  std::vector<std::array<int, 3>> face_edges;  ///< edge k is from corner k to k + 1; -1: none
  std::vector<std::array<int, 2>> edges;
  std::vector<std::array<int, 2>> edge_faces;  ///< the first two that have the edge; -1: none
  IntLists vertex_faces;
  SkinTree tree;

  SkinSpot at_vertex(int vertex) const;
  /// `share`: 0 at the edge's first vertex, 1 at its second.
  SkinSpot on_edge(int edge, double share) const;

 private:
  void list_edges(const SoftSkin& skin, const std::vector<int>& vertex_of);
  int corner_of(int face, int vertex) const;
};

}  // namespace uzawa
