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

}  // namespace uzawa
