#pragma once

#include <cstdint>
#include <unordered_map>

#include "uzawa/io/tet_formats.hpp"

/// What versions 2 and 4 of the Gmsh format share.
namespace uzawa {

struct GmshElementType {
  int nodes = 0;
  int dimension = 0;
  const char* name = "";
};
/// Fails where the type is unknown, or a solid that is no tetrahedron.
const GmshElementType& gmsh_element_type(const MeshCursor& cursor, std::int64_t type);

/// Nodes by their tags, and elements as they come.
class GmshMesh {
 public:
  void reserve_nodes(std::size_t count);
  void add_node(const MeshCursor& cursor, std::int64_t tag, const Vec3& place);
  /// Reads the node tags of an element, as binary values of type T or as text, and keeps a tetrahedron.
  template <typename T>
  void read_element(MeshCursor& cursor, const GmshElementType& type) {
    std::array<std::int64_t, 4> corners{};
    for (int k = 0; k < type.nodes; ++k) {
      const std::int64_t tag = cursor.integer_as<T>();
      if (k < 4) corners[static_cast<std::size_t>(k)] = tag;
    }
    if (type.dimension == 3) add_tet(cursor, corners, type.nodes > 4);
  }
  RawTets finish(const MeshCursor& cursor);

 private:
  void add_tet(const MeshCursor& cursor, const std::array<std::int64_t, 4>& tags, bool higher_order);

  std::unordered_map<std::int64_t, int> numbers_;
  RawTets raw_;
};

/// Sections of the two versions, behind "$Nodes" and "$Elements".
void read_gmsh2_nodes(MeshCursor& cursor, GmshMesh& mesh);
void read_gmsh2_elements(MeshCursor& cursor, GmshMesh& mesh);
void read_gmsh4_nodes(MeshCursor& cursor, GmshMesh& mesh);
void read_gmsh4_elements(MeshCursor& cursor, GmshMesh& mesh);

}  // namespace uzawa
