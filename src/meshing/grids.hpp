#pragma once

#include <array>

#include "uzawa/model/tet_mesh.hpp"

/// Tetrahedra of simple solids, centred at the origin, axes along z. Smallest dihedral angles are those of the shapes
/// whose cells are about as long as wide. Sizes that are not positive and too many cells throw InputError.
namespace uzawa {

/// A box of the given edge lengths. Cubes of six tetrahedra, all alike (Kuhn): dihedral angles of 45, 60 and 90
/// degrees.
TetMesh box_mesh(const Vec3& size, const std::array<int, 3>& cells);

/// A solid cylinder: rings of almost regular triangles (six around the centre), prisms of three tetrahedra.
TetMesh cylinder_mesh(double radius, double length, int rings, int layers);

/// A ball: the twenty tetrahedra between the centre and the faces of an icosahedron, cut into layers.
TetMesh ball_mesh(double radius, int layers);

/// A hollow cylinder: bent cells of six tetrahedra.
struct TubeCells {
  int across = 1;   ///< of the wall
  int around = 12;  ///< at least 3
  int along = 1;
};
TetMesh tube_mesh(double inner_radius, double outer_radius, double length, const TubeCells& cells);

}  // namespace uzawa
