#pragma once

#include <array>
#include <vector>

#include "uzawa/math/vec3.hpp"

namespace uzawa {

/// A solid cut into tetrahedra: what builders, readers of mesh files and the isosurface mesher make, and what a soft
/// body is built from.
struct TetMesh {
  std::vector<Vec3> nodes;               ///< m
  std::vector<std::array<int, 4>> tets;  ///< positively oriented: (b - a) x (c - a) . (d - a) > 0
};

/// A surface of triangles: a shell or a piece of cloth.
struct TriangleMesh {
  std::vector<Vec3> nodes;  ///< m
  std::vector<std::array<int, 3>> triangles;
};

/// Stretches between nodes: a cord or a net.
struct CordMesh {
  std::vector<Vec3> nodes;  ///< m
  std::vector<std::array<int, 2>> edges;
};

/// m^3, negative where the tetrahedron is inside out.
inline double signed_volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return dot(cross(b - a, c - a), d - a) / 6;
}
inline double signed_volume(const TetMesh& mesh, const std::array<int, 4>& tet) {
  const auto node = [&](std::size_t k) { return mesh.nodes[static_cast<std::size_t>(tet[k])]; };
  return signed_volume(node(0), node(1), node(2), node(3));
}

}  // namespace uzawa
