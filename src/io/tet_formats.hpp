#pragma once

#include "uzawa/io/mesh_cursor.hpp"
#include "uzawa/model/tet_mesh.hpp"

/// Readers behind read_tet_file, one a format; the cursor is at the start of the file. The mesh is as the file has it.
namespace uzawa {

struct RawTets {
  TetMesh mesh;
  int higher_order = 0;  ///< tetrahedra with more nodes than four
};

RawTets read_gmsh(MeshCursor& cursor);
RawTets read_vtk(MeshCursor& cursor);

}  // namespace uzawa
