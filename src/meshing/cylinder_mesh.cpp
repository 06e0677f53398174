#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/meshing/grid_limits.hpp"
#include "uzawa/meshing/grids.hpp"
#include "uzawa/meshing/kuhn.hpp"

namespace uzawa {

namespace {

/// Ring k of a disc has 6 k nodes; ring 0 is the centre.
int ring_node(int ring, int index) { return ring == 0 ? 0 : 1 + 3 * ring * (ring - 1) + index % (6 * ring); }

/// Triangles of a disc between its rings, six equal sectors.
std::vector<std::array<int, 3>> disc_triangles(int rings) {
  std::vector<std::array<int, 3>> triangles;
  for (int ring = 1; ring <= rings; ++ring) {
    for (int sector = 0; sector < 6; ++sector) {
      const int outer = sector * ring, inner = sector * (ring - 1);
      for (int i = 0; i < ring; ++i) {
        triangles.push_back(
            {ring_node(ring, outer + i), ring_node(ring, outer + i + 1), ring_node(ring - 1, inner + i)});
        if (i + 1 == ring) continue;
        triangles.push_back(
            {ring_node(ring - 1, inner + i), ring_node(ring, outer + i + 1), ring_node(ring - 1, inner + i + 1)});
      }
    }
  }
  return triangles;
}

}  // namespace

TetMesh cylinder_mesh(double radius, double length, int rings, int layers) {
  const GridLimits limits("cylinder mesh");
  limits.positive("radius", radius);
  limits.positive("length", length);
  limits.cells({rings, rings, 3, layers});
  TetMesh mesh;
  const int disc_nodes = ring_node(rings + 1, 0);
  for (int layer = 0; layer <= layers; ++layer) {
    const double z = length * (static_cast<double>(layer) / layers - 0.5);
    mesh.nodes.push_back({0, 0, z});
    for (int ring = 1; ring <= rings; ++ring) {
      for (int i = 0; i < 6 * ring; ++i) {
        const double r = radius * ring / rings, angle = 2 * M_PI * i / (6 * ring);
        mesh.nodes.push_back({r * std::cos(angle), r * std::sin(angle), z});
      }
    }
  }
  for (std::array<int, 3> triangle : disc_triangles(rings)) {
    // Diagonals go up from the smaller number, on both sides of every wall between prisms.
    std::sort(triangle.begin(), triangle.end());
    for (int layer = 0; layer < layers; ++layer) {
      const auto low = [&](std::size_t k) { return layer * disc_nodes + triangle[k]; };
      const auto high = [&](std::size_t k) { return low(k) + disc_nodes; };
      add_tet(mesh, {low(0), low(1), low(2), high(2)});
      add_tet(mesh, {low(0), low(1), high(1), high(2)});
      add_tet(mesh, {low(0), high(0), high(1), high(2)});
    }
  }
  return mesh;
}

}  // namespace uzawa
