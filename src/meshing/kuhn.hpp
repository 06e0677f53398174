#pragma once

#include <array>

#include "uzawa/model/tet_mesh.hpp"

namespace uzawa {

using CellCorner = std::array<int, 3>;  ///< 0 or 1 along each axis

/// Kuhn's partition of a cube: one tetrahedron for each order of the axes, along the way from corner (0, 0, 0) to
/// (1, 1, 1). Cubes beside each other match as they are. A distorted cube's tetrahedra are turned by add_tet.
template <typename Function>
void for_each_kuhn_tet(Function&& function) {
  constexpr std::array<std::array<std::size_t, 3>, 6> kOrders = {
      {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};
  for (const auto& order : kOrders) {
    std::array<CellCorner, 4> corners{};
    for (std::size_t step = 0; step < 3; ++step) {
      corners[step + 1] = corners[step];
      corners[step + 1][order[step]] = 1;
    }
    function(corners);
  }
}

/// Appends a tetrahedron the right way round.
inline void add_tet(TetMesh& mesh, std::array<int, 4> tet) {
  if (signed_volume(mesh, tet) < 0) std::swap(tet[2], tet[3]);
  mesh.tets.push_back(tet);
}

}  // namespace uzawa
