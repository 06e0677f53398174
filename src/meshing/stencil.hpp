#pragma once

#include "uzawa/meshing/bcc_lattice.hpp"
#include "uzawa/model/tet_mesh.hpp"

namespace uzawa {

/// A tetrahedron of the lattice that the isosurface may cut.
struct CutTet {
  std::array<BccLattice::Place, 4> places;
  std::array<int, 4> side;   ///< of each corner: 1 inside, 0 on the surface, -1 outside
  std::array<int, 4> nodes;  ///< of corners that are inside or on the surface
  /// Nodes where the surface cuts the edge between two corners, one of them inside and one outside.
  std::array<std::array<int, 4>, 4> cuts;
};

/// Fills the part of a lattice tetrahedron that is inside with tetrahedra, as [LS]: F. Labelle, J. R. Shewchuk,
/// "Isosurface stuffing: fast tetrahedral meshes with good dihedral angles", 2007.
void fill_cut_tet(TetMesh& mesh, const CutTet& tet);

}  // namespace uzawa
