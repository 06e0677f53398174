#include "uzawa/model/mesh_check.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"

namespace uzawa {

namespace {

std::string tet_name(std::size_t index) { return "tetrahedron " + std::to_string(index); }

void check_tets(const TetMesh& mesh, const std::string& source) {
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
    if (!all_finite(mesh.nodes[i])) throw InputError(source, "node " + std::to_string(i), "is not finite");
  }
  if (mesh.tets.empty()) throw InputError(source, "mesh", "has no tetrahedra");
  for (std::size_t i = 0; i < mesh.tets.size(); ++i) {
    for (const int node : mesh.tets[i]) {
      if (node < 0 || at(node) >= mesh.nodes.size()) {
        throw InputError(source, tet_name(i), "has node " + std::to_string(node) + ", which does not exist");
      }
    }
    if (is_flat(mesh, mesh.tets[i])) throw InputError(source, tet_name(i), "is degenerate: it has no volume");
  }
}

int turn_inverted(TetMesh& mesh) {
  int turned = 0;
  for (std::array<int, 4>& tet : mesh.tets) {
    if (signed_volume(mesh, tet) > 0) continue;
    std::swap(tet[2], tet[3]);
    ++turned;
  }
  return turned;
}

/// Elements by the nodes they have, so that equal ones are neighbours.
template <std::size_t kNodes>
struct Sorted {
  std::array<int, kNodes> nodes;
  std::size_t element;
  auto operator<=>(const Sorted&) const = default;
};

int drop_repeated(TetMesh& mesh) {
  std::vector<Sorted<4>> sorted;
  sorted.reserve(mesh.tets.size());
  for (std::size_t i = 0; i < mesh.tets.size(); ++i) {
    sorted.push_back({mesh.tets[i], i});
    std::sort(sorted.back().nodes.begin(), sorted.back().nodes.end());
  }
  std::sort(sorted.begin(), sorted.end());
  std::vector<char> repeated(mesh.tets.size(), 0);
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i].nodes == sorted[i - 1].nodes) repeated[sorted[i].element] = 1;
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < mesh.tets.size(); ++i) {
    if (repeated[i] == 0) mesh.tets[kept++] = mesh.tets[i];
  }
  const std::size_t dropped = mesh.tets.size() - kept;
  mesh.tets.resize(kept);
  return static_cast<int>(dropped);
}

void check_faces(const TetMesh& mesh, const std::string& source) {
  std::vector<Sorted<3>> faces;
  faces.reserve(4 * mesh.tets.size());
  for (std::size_t i = 0; i < mesh.tets.size(); ++i) {
    for (std::size_t k = 0; k < 4; ++k) {
      const std::array<int, 4>& tet = mesh.tets[i];
      faces.push_back({{tet[(k + 1) % 4], tet[(k + 2) % 4], tet[(k + 3) % 4]}, i});
      std::sort(faces.back().nodes.begin(), faces.back().nodes.end());
    }
  }
  std::sort(faces.begin(), faces.end());
  for (std::size_t i = 2; i < faces.size(); ++i) {
    if (faces[i].nodes == faces[i - 2].nodes) {
      throw InputError(source, tet_name(faces[i].element), "shares a face with two others, so they overlap");
    }
  }
}

int drop_unused_nodes(TetMesh& mesh) {
  std::vector<int> number(mesh.nodes.size(), -1);
  for (const std::array<int, 4>& tet : mesh.tets) {
    for (const int node : tet) number[at(node)] = 0;
  }
  int kept = 0;
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
    if (number[i] < 0) continue;
    number[i] = kept;
    mesh.nodes[at(kept++)] = mesh.nodes[i];
  }
  const int dropped = static_cast<int>(mesh.nodes.size()) - kept;
  mesh.nodes.resize(at(kept));
  for (std::array<int, 4>& tet : mesh.tets) {
    for (int& node : tet) node = number[at(node)];
  }
  return dropped;
}

int count_coincident(const TetMesh& mesh) {
  std::vector<std::array<double, 3>> places;
  places.reserve(mesh.nodes.size());
  for (const Vec3& node : mesh.nodes) places.push_back({node.x(), node.y(), node.z()});
  std::sort(places.begin(), places.end());
  return static_cast<int>(places.end() - std::unique(places.begin(), places.end()));
}

int count_pieces(const TetMesh& mesh) {
  std::vector<int> leader(mesh.nodes.size());
  std::iota(leader.begin(), leader.end(), 0);
  const auto find = [&](int node) {
    while (leader[at(node)] != node) node = leader[at(node)] = leader[at(leader[at(node)])];
    return node;
  };
  int pieces = static_cast<int>(mesh.nodes.size());
  for (const std::array<int, 4>& tet : mesh.tets) {
    for (std::size_t k = 1; k < 4; ++k) {
      const int a = find(tet[0]), b = find(tet[k]);
      if (a == b) continue;
      leader[at(std::max(a, b))] = std::min(a, b);
      --pieces;
    }
  }
  return pieces;
}

}  // namespace

bool is_flat(const TetMesh& mesh, const std::array<int, 4>& tet) {
  double longest = 0;  // squared
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Vec3 edge = mesh.nodes[at(tet[i])] - mesh.nodes[at(tet[j])];
      longest = std::max(longest, dot(edge, edge));
    }
  }
  return !(std::abs(signed_volume(mesh, tet)) > kFlat * longest * std::sqrt(longest));
}

MeshReport check_mesh(TetMesh& mesh, const std::string& source) {
  check_tets(mesh, source);
  MeshReport report;
  report.inverted = turn_inverted(mesh);
  report.repeated = drop_repeated(mesh);
  check_faces(mesh, source);
  report.unused_nodes = drop_unused_nodes(mesh);
  report.coincident_nodes = count_coincident(mesh);
  report.pieces = count_pieces(mesh);
  return report;
}

std::vector<std::string> MeshReport::notes() const {
  std::vector<std::string> lines;
  const auto note = [&](int count, const char* one, const char* many, const std::string& what) {
    if (count > 0) lines.push_back(std::to_string(count) + ' ' + (count == 1 ? one : many) + ' ' + what);
  };
  note(inverted, "tetrahedron", "tetrahedra", "inside out: turned");
  note(repeated, "tetrahedron", "tetrahedra", "listed before: dropped");
  note(unused_nodes, "node", "nodes", "of no tetrahedron: dropped");
  note(coincident_nodes, "node", "nodes", "at the place of another: not joined");
  if (pieces > 1) lines.push_back(std::to_string(pieces) + " pieces that share no node");
  return lines;
}

}  // namespace uzawa
