#include "uzawa/meshing/grids.hpp"

#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/meshing/grid_limits.hpp"
#include "uzawa/meshing/kuhn.hpp"

namespace uzawa {

namespace {

/// Six tetrahedra for each cell of a grid whose nodes are numbered by node(i, j, k).
template <typename Node>
void add_cells(TetMesh& mesh, const std::array<int, 3>& cells, Node&& node) {
  for (int k = 0; k < cells[2]; ++k) {
    for (int j = 0; j < cells[1]; ++j) {
      for (int i = 0; i < cells[0]; ++i) {
        for_each_kuhn_tet([&](const std::array<CellCorner, 4>& corners) {
          std::array<int, 4> tet;
          for (std::size_t c = 0; c < 4; ++c) tet[c] = node(i + corners[c][0], j + corners[c][1], k + corners[c][2]);
          add_tet(mesh, tet);
        });
      }
    }
  }
}

}  // namespace

TetMesh box_mesh(const Vec3& size, const std::array<int, 3>& cells) {
  const GridLimits limits("box mesh");
  for (int d = 0; d < 3; ++d) limits.positive("size", size[d]);
  limits.cells({cells[0], cells[1], cells[2]});
  TetMesh mesh;
  for (int k = 0; k <= cells[2]; ++k) {
    for (int j = 0; j <= cells[1]; ++j) {
      for (int i = 0; i <= cells[0]; ++i) {
        mesh.nodes.push_back({size.x() * (static_cast<double>(i) / cells[0] - 0.5),
                              size.y() * (static_cast<double>(j) / cells[1] - 0.5),
                              size.z() * (static_cast<double>(k) / cells[2] - 0.5)});
      }
    }
  }
  add_cells(mesh, cells, [&](int i, int j, int k) { return (k * (cells[1] + 1) + j) * (cells[0] + 1) + i; });
  return mesh;
}

TetMesh tube_mesh(double inner_radius, double outer_radius, double length, const TubeCells& cells) {
  const GridLimits limits("tube mesh");
  limits.positive("inner radius", inner_radius);
  limits.positive("thickness of the wall", outer_radius - inner_radius);
  limits.positive("length", length);
  limits.cells({cells.across, cells.around, cells.along});
  limits.require(cells.around >= 3, "needs at least 3 cells around");
  TetMesh mesh;
  for (int k = 0; k <= cells.along; ++k) {
    for (int j = 0; j < cells.around; ++j) {
      const double angle = 2 * M_PI * j / cells.around;
      for (int i = 0; i <= cells.across; ++i) {
        const double radius = inner_radius + (outer_radius - inner_radius) * i / cells.across;
        mesh.nodes.push_back({radius * std::cos(angle), radius * std::sin(angle),
                              length * (static_cast<double>(k) / cells.along - 0.5)});
      }
    }
  }
  add_cells(mesh, {cells.across, cells.around, cells.along},
            [&](int i, int j, int k) { return (k * cells.around + j % cells.around) * (cells.across + 1) + i; });
  return mesh;
}

}  // namespace uzawa
