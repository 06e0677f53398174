#pragma once

#include <array>
#include <vector>

#include "uzawa/model/soft_spec.hpp"

namespace uzawa {

/// Surface of a soft body, by which it is touched and drawn. Indices are nodes of the soft body.
struct SoftSkin {
  /// Triangles, counter-clockwise from outside; a stretch of a cord is a face whose third node is -1.
  std::vector<std::array<int, 3>> faces;
  std::vector<int> vertices;              ///< nodes of the skin, ascending
  std::vector<std::array<int, 2>> edges;  ///< of the faces, each once, the smaller node first, ascending
  std::vector<int> vertex_face;           ///< per entry of `vertices`: the first face that has it
  bool closed = false;                    ///< it encloses a solid; else both sides are outside
};

/// Faces of the tetrahedra that no other shares, then the triangles; edges of soft bodies without either.
SoftSkin make_skin(const SoftBodySpec& body);

}  // namespace uzawa
