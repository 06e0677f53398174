/// Version 4.1 of the Gmsh format: nodes and elements in blocks, one a geometric entity.
#include "uzawa/io/gmsh_elements.hpp"

namespace uzawa {

namespace {

/// Bytes that a block's head and a node or element take at least, in text or binary.
constexpr std::size_t kBlockBytes = 8, kNodeBytes = 8, kElementBytes = 4;

struct Sizes {
  std::size_t blocks = 0, items = 0;
};

Sizes read_sizes(MeshCursor& cursor, std::size_t item_bytes, const char* what) {
  Sizes sizes;
  if (cursor.binary) cursor.line();  // what is left of that of the section's name
  sizes.blocks = cursor.count(cursor.integer_as<std::uint64_t>(), kBlockBytes, "blocks");
  sizes.items = cursor.count(cursor.integer_as<std::uint64_t>(), item_bytes, what);
  cursor.integer_as<std::uint64_t>();  // smallest tag
  cursor.integer_as<std::uint64_t>();  // largest tag
  return sizes;
}

}  // namespace

void read_gmsh4_nodes(MeshCursor& cursor, GmshMesh& mesh) {
  const Sizes sizes = read_sizes(cursor, kNodeBytes, "nodes");
  mesh.reserve_nodes(sizes.items);
  std::vector<std::int64_t> tags;
  std::size_t read = 0;
  for (std::size_t block = 0; block < sizes.blocks; ++block) {
    const std::int64_t dimension = cursor.integer_as<std::int32_t>();
    cursor.require(dimension >= 0 && dimension <= 3, "has an entity of a dimension other than 0 to 3");
    cursor.integer_as<std::int32_t>();  // entity
    const std::int64_t parameters = cursor.integer_as<std::int32_t>() != 0 ? dimension : 0;
    const std::size_t count = cursor.count(cursor.integer_as<std::uint64_t>(), kNodeBytes, "nodes in a block");
    cursor.require(count <= sizes.items - read, "has more nodes than it says");
    read += count;
    tags.resize(count);
    for (std::int64_t& tag : tags) tag = cursor.integer_as<std::uint64_t>();
    for (const std::int64_t tag : tags) {
      const double x = cursor.coordinate(), y = cursor.coordinate(), z = cursor.coordinate();
      for (std::int64_t k = 0; k < parameters; ++k) cursor.coordinate();
      mesh.add_node(cursor, tag, {x, y, z});
    }
  }
  cursor.require(read == sizes.items, "has fewer nodes than it says");
}

void read_gmsh4_elements(MeshCursor& cursor, GmshMesh& mesh) {
  const Sizes sizes = read_sizes(cursor, kElementBytes, "elements");
  std::size_t read = 0;
  for (std::size_t block = 0; block < sizes.blocks; ++block) {
    cursor.integer_as<std::int32_t>();  // dimension
    cursor.integer_as<std::int32_t>();  // entity
    const GmshElementType& type = gmsh_element_type(cursor, cursor.integer_as<std::int32_t>());
    const std::size_t count = cursor.count(cursor.integer_as<std::uint64_t>(), kElementBytes, "elements in a block");
    cursor.require(count <= sizes.items - read, "has more elements than it says");
    read += count;
    for (std::size_t i = 0; i < count; ++i) {
      cursor.integer_as<std::uint64_t>();  // its tag
      mesh.read_element<std::uint64_t>(cursor, type);
    }
  }
  cursor.require(read == sizes.items, "has fewer elements than it says");
}

}  // namespace uzawa
