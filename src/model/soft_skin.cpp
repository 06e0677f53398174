#include "uzawa/model/soft_skin.hpp"

#include <algorithm>
#include <map>

#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

/// Faces of the tetrahedra that belong to one of them alone, in the order of the tetrahedra.
std::vector<std::array<int, 3>> outer_faces(const std::vector<std::array<int, 4>>& tets) {
  // Of a positively oriented tetrahedron a b c d, seen from outside.
  constexpr int kFaces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  struct Face {
    std::array<int, 3> sorted;
    std::size_t index;
    auto operator<=>(const Face&) const = default;
  };
  std::vector<std::array<int, 3>> faces;
  std::vector<Face> order;
  for (const std::array<int, 4>& tet : tets) {
    for (const auto& corner : kFaces) {
      faces.push_back({tet[at(corner[0])], tet[at(corner[1])], tet[at(corner[2])]});
      order.push_back({faces.back(), order.size()});
      std::sort(order.back().sorted.begin(), order.back().sorted.end());
    }
  }
  std::sort(order.begin(), order.end());
  std::vector<std::size_t> outer;
  for (std::size_t i = 0, next = 0; i < order.size(); i = next) {
    while (next < order.size() && order[next].sorted == order[i].sorted) ++next;
    if (next == i + 1) outer.push_back(order[i].index);
  }
  std::sort(outer.begin(), outer.end());
  std::vector<std::array<int, 3>> out;
  for (const std::size_t i : outer) out.push_back(faces[i]);
  return out;
}

void list_edges_and_vertices(SoftSkin& skin) {
  std::map<int, int> first_face;
  for (int f = 0; f < static_cast<int>(skin.faces.size()); ++f) {
    const std::array<int, 3>& face = skin.faces[at(f)];
    const int corners = face[2] < 0 ? 2 : 3;
    for (int k = 0; k < corners; ++k) {
      first_face.emplace(face[at(k)], f);
      if (corners == 2 && k == 1) break;
      const auto [low, high] = std::minmax(face[at(k)], face[at((k + 1) % corners)]);
      skin.edges.push_back({low, high});
    }
  }
  std::sort(skin.edges.begin(), skin.edges.end());
  skin.edges.erase(std::unique(skin.edges.begin(), skin.edges.end()), skin.edges.end());
  for (const auto& [node, face] : first_face) {
    skin.vertices.push_back(node);
    skin.vertex_face.push_back(face);
  }
}

}  // namespace

SoftSkin make_skin(const SoftBodySpec& body) {
  SoftSkin skin;
  skin.faces = outer_faces(body.tets);
  skin.closed = !body.tets.empty() && body.triangles.empty();
  skin.faces.insert(skin.faces.end(), body.triangles.begin(), body.triangles.end());
  if (skin.faces.empty()) {
    for (const std::array<int, 2>& edge : body.edges) skin.faces.push_back({edge[0], edge[1], -1});
  }
  list_edges_and_vertices(skin);
  return skin;
}

}  // namespace uzawa
