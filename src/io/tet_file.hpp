#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "uzawa/model/tet_mesh.hpp"

namespace uzawa {

struct TetFile {
  TetMesh mesh;                    ///< checked and repaired (check_mesh)
  std::vector<std::string> notes;  ///< what was left out or repaired, a sentence each
};

/// Reads the tetrahedra of a mesh file: Gmsh .msh 2.x and 4.1 (ASCII and binary), legacy VTK unstructured grids (ASCII
/// and binary, with either layout of the cells). The format is told from the content. Points, lines and triangles are
/// left out; of tetrahedra of higher order the corners are taken, with a note; other solids (hexahedra, ...) are
/// refused by name. Throws InputError with file, place and reason.
TetFile read_tet_file(const std::filesystem::path& path);
/// The same for the content of a file; `name` is for messages.
TetFile parse_tet_file(std::string_view content, const std::string& name);

}  // namespace uzawa
