#pragma once

#include <string>
#include <vector>

#include "uzawa/model/tet_mesh.hpp"

namespace uzawa {

/// What check_mesh found and did.
struct MeshReport {
  int inverted = 0;          ///< tetrahedra turned the right way round
  int repeated = 0;          ///< tetrahedra that were there already: dropped
  int unused_nodes = 0;      ///< nodes of no tetrahedron: dropped
  int coincident_nodes = 0;  ///< nodes at the place of another one: kept, and nothing joins the two
  int pieces = 0;            ///< parts that share no node with each other

  /// A sentence each, for what is not as one would expect.
  std::vector<std::string> notes() const;
};

/// Flatter than this, volume over the cube of the longest edge, an element is degenerate: the condition number of its
/// stiffness is near the square of the inverse, where double precision ends. (Of a regular one it is 0.12.)
inline constexpr double kFlat = 1e-8;
bool is_flat(const TetMesh& mesh, const std::array<int, 4>& tet);

/// Repairs what can be repaired without guessing, and counts it. Throws InputError that names the source and the
/// element (counted from 0) where a node is not finite or not there, an element is degenerate, or a face belongs to
/// three elements.
MeshReport check_mesh(TetMesh& mesh, const std::string& source);

}  // namespace uzawa
