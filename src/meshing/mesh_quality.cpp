#include "uzawa/meshing/mesh_quality.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

/// Angle between the faces that meet in the edge from a to b, with c and d the other corners.
double dihedral(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 along = b - a, first = cross(along, c - a), second = cross(along, d - a);
  return std::atan2(norm(cross(first, second)), dot(first, second));
}

}  // namespace

MeshQuality quality_of(const TetMesh& mesh) {
  MeshQuality quality;
  if (mesh.tets.empty()) return quality;
  quality.smallest_volume = quality.smallest_dihedral = quality.shortest_edge = std::numeric_limits<double>::infinity();
  constexpr std::array<std::array<std::size_t, 4>, 6> kEdges = {
      {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2}, {1, 2, 0, 3}, {1, 3, 0, 2}, {2, 3, 0, 1}}};
  for (const std::array<int, 4>& tet : mesh.tets) {
    const double volume = signed_volume(mesh, tet);
    quality.volume += volume;
    quality.smallest_volume = std::min(quality.smallest_volume, volume);
    for (const auto& edge : kEdges) {
      const auto corner = [&](std::size_t k) { return mesh.nodes[at(tet[edge[k]])]; };
      const double angle = dihedral(corner(0), corner(1), corner(2), corner(3)), length = norm(corner(1) - corner(0));
      quality.smallest_dihedral = std::min(quality.smallest_dihedral, angle);
      quality.largest_dihedral = std::max(quality.largest_dihedral, angle);
      quality.shortest_edge = std::min(quality.shortest_edge, length);
      quality.longest_edge = std::max(quality.longest_edge, length);
    }
  }
  return quality;
}

}  // namespace uzawa
