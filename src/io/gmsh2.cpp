/// Version 2 of the Gmsh format: a list of nodes, a list of elements.
#include "uzawa/io/gmsh_elements.hpp"

namespace uzawa {

namespace {

constexpr std::size_t kShortestLine = 8, kNodeBytes = 28, kElementBytes = 8;

void read_text_elements(MeshCursor& cursor, GmshMesh& mesh, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    cursor.integer();  // its number
    const GmshElementType& type = gmsh_element_type(cursor, cursor.integer());
    const std::size_t tags = cursor.count(cursor.integer(), 2, "tags of an element");
    for (std::size_t k = 0; k < tags; ++k) cursor.integer();
    mesh.read_element<std::int32_t>(cursor, type);
  }
}

/// Blocks of elements of one type.
void read_binary_elements(MeshCursor& cursor, GmshMesh& mesh, std::size_t count) {
  for (std::size_t read = 0; read < count;) {
    const GmshElementType& type = gmsh_element_type(cursor, cursor.value<std::int32_t>());
    const std::size_t block = cursor.count(cursor.value<std::int32_t>(), kElementBytes, "elements in a block");
    const std::size_t tags = cursor.count(cursor.value<std::int32_t>(), 4, "tags of an element");
    cursor.require(block > 0 && block <= count - read, "has a block of a wrong number of elements");
    for (std::size_t i = 0; i < block; ++i) {
      cursor.skip(4 * (1 + tags));
      mesh.read_element<std::int32_t>(cursor, type);
    }
    read += block;
  }
}

}  // namespace

void read_gmsh2_nodes(MeshCursor& cursor, GmshMesh& mesh) {
  const bool binary = cursor.binary;
  cursor.binary = false;
  const std::size_t count = cursor.count(cursor.integer(), binary ? kNodeBytes : kShortestLine, "nodes");
  cursor.line();
  cursor.binary = binary;
  mesh.reserve_nodes(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t tag = cursor.integer_as<std::int32_t>();
    const double x = cursor.coordinate(), y = cursor.coordinate(), z = cursor.coordinate();
    mesh.add_node(cursor, tag, {x, y, z});
  }
}

void read_gmsh2_elements(MeshCursor& cursor, GmshMesh& mesh) {
  const bool binary = cursor.binary;
  cursor.binary = false;
  const std::size_t count = cursor.count(cursor.integer(), kElementBytes, "elements");
  cursor.line();
  cursor.binary = binary;
  if (binary) {
    read_binary_elements(cursor, mesh, count);
  } else {
    read_text_elements(cursor, mesh, count);
  }
}

}  // namespace uzawa
