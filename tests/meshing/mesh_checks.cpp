#include "mesh_checks.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "uzawa/base/at.hpp"

namespace uzawa::test {

namespace {

/// The faces around a vertex must be one fan: from each face over its two edges at the vertex, all others are reached.
bool is_fan(int vertex, const std::vector<std::array<int, 3>>& faces) {
  std::map<int, int> next;  // from one neighbour to the following one, over a face
  for (const auto& face : faces) {
    for (std::size_t k = 0; k < 3; ++k) {
      if (face[k] == vertex) next[face[(k + 1) % 3]] = face[(k + 2) % 3];
    }
  }
  if (next.size() != faces.size()) return false;
  std::size_t steps = 0;
  const int start = next.begin()->first;
  for (int at_node = start; steps < faces.size() && next.count(at_node) == 1;) {
    at_node = next[at_node];
    ++steps;
    if (at_node == start) break;
  }
  return steps == faces.size();
}

}  // namespace

double degrees(double radians) { return radians * 180 / M_PI; }

Boundary boundary_of(const TetMesh& mesh) {
  constexpr std::size_t kFaces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  std::map<std::array<int, 3>, std::pair<std::array<int, 3>, int>> seen;
  for (const auto& tet : mesh.tets) {
    for (const auto& f : kFaces) {
      const std::array<int, 3> face = {tet[f[0]], tet[f[1]], tet[f[2]]};
      std::array<int, 3> key = face;
      std::sort(key.begin(), key.end());
      const auto place = seen.try_emplace(key, face, 0).first;
      if (++place->second.second > 2) throw std::runtime_error("a face of three tetrahedra");
    }
  }
  Boundary boundary;
  std::map<std::pair<int, int>, int> edges;  // directed
  std::map<int, std::vector<std::array<int, 3>>> around;
  for (const auto& [key, entry] : seen) {
    const auto& [face, count] = entry;
    if (count == 2) continue;
    boundary.faces.push_back(face);
    const auto node = [&](std::size_t k) { return mesh.nodes[at(face[k])]; };
    boundary.volume += dot(cross(node(0), node(1)), node(2)) / 6;
    for (std::size_t k = 0; k < 3; ++k) {
      ++edges[{face[k], face[(k + 1) % 3]}];
      around[face[k]].push_back(face);
    }
  }
  for (const auto& [edge, count] : edges) {
    const auto back = edges.find({edge.second, edge.first});
    if (count != 1) boundary.defect = "an edge of more than two faces";
    if (back == edges.end()) boundary.defect = "an open edge";
  }
  for (const auto& [vertex, faces] : around) {
    if (boundary.defect.empty() && !is_fan(vertex, faces)) boundary.defect = "a vertex where two parts meet";
  }
  boundary.euler =
      static_cast<int>(around.size()) - static_cast<int>(edges.size() / 2) + static_cast<int>(boundary.faces.size());
  return boundary;
}

}  // namespace uzawa::test
