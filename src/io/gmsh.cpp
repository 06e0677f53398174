/// Gmsh's .msh files: sections between "$Name" and "$EndName"; those of nodes and elements count.
/// https://gmsh.info/doc/texinfo/gmsh.html, "MSH file format".
#include <cmath>

#include "uzawa/io/gmsh_elements.hpp"

namespace uzawa {

namespace {

/// The head of the file; returns the version's main number.
int read_head(MeshCursor& cursor) {
  cursor.require(cursor.word() == "$MeshFormat", "is not a Gmsh file: it does not start with $MeshFormat");
  const double version = cursor.number();
  const bool two = version >= 2 && version < 3, four = std::abs(version - 4.1) < 1e-9;
  cursor.require(two || four, "is of a version of Gmsh's format other than 2.2 and 4.1: save it as one of these");
  const std::int64_t binary = cursor.integer(), size = cursor.integer();
  cursor.require(binary == 0 || binary == 1, "is neither text (0) nor binary (1)");
  cursor.line();
  if (binary == 1) {
    cursor.require(size == 8, "has binary numbers of a size other than 8 bytes");
    const std::int32_t one = cursor.value<std::int32_t>();
    cursor.require(one == 1 || one == 0x01000000, "has an unknown byte order");
    cursor.swapped = one != 1;
  }
  cursor.require(cursor.word() == "$EndMeshFormat", "has no $EndMeshFormat");
  cursor.binary = binary == 1;
  return two ? 2 : 4;
}

}  // namespace

RawTets read_gmsh(MeshCursor& cursor) {
  const int version = read_head(cursor);
  GmshMesh mesh;
  bool nodes = false, elements = false;
  while (!cursor.at_end()) {
    const std::string_view section = cursor.word();
    cursor.require(section.size() > 1 && section[0] == '$', "has something other than a $Section here");
    const std::string end = "$End" + std::string(section.substr(1));
    if (section == "$Nodes") {
      cursor.require(!nodes, "has $Nodes twice");
      nodes = true;
      version == 2 ? read_gmsh2_nodes(cursor, mesh) : read_gmsh4_nodes(cursor, mesh);
      cursor.require(cursor.word() == end, "has no $EndNodes where it should be");
    } else if (section == "$Elements") {
      cursor.require(nodes, "has elements before nodes");
      cursor.require(!elements, "has $Elements twice");
      elements = true;
      version == 2 ? read_gmsh2_elements(cursor, mesh) : read_gmsh4_elements(cursor, mesh);
      cursor.require(cursor.word() == end, "has no $EndElements where it should be");
    } else {
      if (!cursor.skip_past(end)) cursor.fail("has a section without an end");
    }
  }
  cursor.require(elements, "has no $Elements");
  return mesh.finish(cursor);
}

}  // namespace uzawa
