#pragma once

#include <string>

#include "uzawa/meshing/mesh_quality.hpp"

namespace uzawa::test {

struct Boundary {
  std::vector<std::array<int, 3>> faces;  ///< counter-clockwise from outside
  std::string defect;                     ///< why it is not a closed 2-manifold; empty: it is one
  int euler = 0;                          ///< vertices - edges + faces: 2 for a ball, 0 for a ring
  double volume = 0;                      ///< m^3, that it encloses, by the divergence theorem
};

/// Of the solid. Throws where a face belongs to more than two tetrahedra.
Boundary boundary_of(const TetMesh& mesh);

double degrees(double radians);

}  // namespace uzawa::test
