#pragma once

#include "uzawa/model/tet_mesh.hpp"

namespace uzawa {

struct MeshQuality {
  double volume = 0;                           ///< m^3
  double smallest_volume = 0;                  ///< m^3, of a tetrahedron; negative: it is inverted
  double smallest_dihedral = 0;                ///< rad, between two faces of a tetrahedron
  double largest_dihedral = 0;                 ///< rad
  double shortest_edge = 0, longest_edge = 0;  ///< m
};

MeshQuality quality_of(const TetMesh& mesh);

}  // namespace uzawa
