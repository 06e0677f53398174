#pragma once

#include <string>

#include "uzawa/model/tet_mesh.hpp"

/// The formats that read_tet_file reads, written from their documentation.
namespace uzawa::test {

enum class Encoding { Text, Binary, SwappedBinary };

/// Nodes are numbered from `first_tag`; a triangle and a point come along, which are to be left out.
std::string gmsh2_file(const TetMesh& mesh, Encoding encoding, int first_tag = 1);
std::string gmsh4_file(const TetMesh& mesh, Encoding encoding, int first_tag = 1);
/// Binary VTK files have big-endian numbers. Version 5: offsets and connectivity.
std::string vtk_file(const TetMesh& mesh, bool binary, int version, const std::string& point_type = "double");

}  // namespace uzawa::test
