#include "uzawa/io/gmsh_elements.hpp"

#include <array>
#include <climits>
#include <string>

namespace uzawa {

namespace {

/// By Gmsh's numbers, from 1; corners come first in all of them.
constexpr std::array<GmshElementType, 32> kTypes = {{{},
                                                     {2, 1, "line"},
                                                     {3, 2, "triangle"},
                                                     {4, 2, "quadrangle"},
                                                     {4, 3, "tetrahedron"},
                                                     {8, 3, "hexahedron"},
                                                     {6, 3, "prism"},
                                                     {5, 3, "pyramid"},
                                                     {3, 1, "line"},
                                                     {6, 2, "triangle"},
                                                     {9, 2, "quadrangle"},
                                                     {10, 3, "tetrahedron"},
                                                     {27, 3, "hexahedron"},
                                                     {18, 3, "prism"},
                                                     {14, 3, "pyramid"},
                                                     {1, 0, "point"},
                                                     {8, 2, "quadrangle"},
                                                     {20, 3, "hexahedron"},
                                                     {15, 3, "prism"},
                                                     {13, 3, "pyramid"},
                                                     {9, 2, "triangle"},
                                                     {10, 2, "triangle"},
                                                     {12, 2, "triangle"},
                                                     {15, 2, "triangle"},
                                                     {15, 2, "triangle"},
                                                     {21, 2, "triangle"},
                                                     {4, 1, "line"},
                                                     {5, 1, "line"},
                                                     {6, 1, "line"},
                                                     {20, 3, "tetrahedron"},
                                                     {35, 3, "tetrahedron"},
                                                     {56, 3, "tetrahedron"}}};

}  // namespace

const GmshElementType& gmsh_element_type(const MeshCursor& cursor, std::int64_t type) {
  if (type < 1 || type >= static_cast<std::int64_t>(kTypes.size())) {
    cursor.fail("has elements of type " + std::to_string(type) + ", which is unknown");
  }
  const GmshElementType& found = kTypes[static_cast<std::size_t>(type)];
  if (found.dimension == 3 && std::string_view(found.name) != "tetrahedron") {
    cursor.fail(std::string("has a ") + found.name + "; only tetrahedra are supported");
  }
  return found;
}

void GmshMesh::reserve_nodes(std::size_t count) {
  numbers_.reserve(count);
  raw_.mesh.nodes.reserve(count);
}

void GmshMesh::add_node(const MeshCursor& cursor, std::int64_t tag, const Vec3& place) {
  if (!numbers_.try_emplace(tag, static_cast<int>(raw_.mesh.nodes.size())).second) {
    cursor.fail("has node " + std::to_string(tag) + " twice");
  }
  cursor.require(raw_.mesh.nodes.size() < INT_MAX, "has too many nodes");
  raw_.mesh.nodes.push_back(place);
}

void GmshMesh::add_tet(const MeshCursor& cursor, const std::array<std::int64_t, 4>& tags, bool higher_order) {
  std::array<int, 4> tet{};
  for (std::size_t k = 0; k < 4; ++k) {
    const auto node = numbers_.find(tags[k]);
    if (node == numbers_.end())
      cursor.fail("a tetrahedron has node " + std::to_string(tags[k]) + ", which is not there");
    tet[k] = node->second;
  }
  raw_.mesh.tets.push_back(tet);
  raw_.higher_order += higher_order ? 1 : 0;
}

RawTets GmshMesh::finish(const MeshCursor& cursor) {
  cursor.require(!raw_.mesh.nodes.empty(), "has no nodes");
  return std::move(raw_);
}

}  // namespace uzawa
