#include <algorithm>
#include <cmath>
#include <map>

#include "uzawa/base/at.hpp"
#include "uzawa/meshing/grid_limits.hpp"
#include "uzawa/meshing/grids.hpp"
#include "uzawa/meshing/kuhn.hpp"

namespace uzawa {

namespace {

struct Icosahedron {
  std::array<Vec3, 12> corners;
  std::vector<std::array<int, 3>> faces;

  Icosahedron() {
    const double golden = (1 + std::sqrt(5.0)) / 2;
    for (int i = 0; i < 12; ++i) {  // (0, +-1, +-golden) and its cyclic shifts: edges have length 2
      Vec3 corner{0, i & 1 ? 1. : -1., i & 2 ? golden : -golden};
      for (int shift = 0; shift < i / 4; ++shift) corner = yzx(corner);
      corners[at(i)] = corner;
    }
    const auto joined = [&](int a, int b) { return norm(corners[at(a)] - corners[at(b)]) < 2.1; };
    for (int a = 0; a < 12; ++a) {
      for (int b = a + 1; b < 12; ++b) {
        for (int c = b + 1; c < 12; ++c) {
          if (joined(a, b) && joined(b, c) && joined(a, c)) faces.push_back({a, b, c});
        }
      }
    }
  }
};

/// Nodes by their place on the icosahedron, so that neighbouring faces share them.
class BallNodes {
 public:
  BallNodes(TetMesh& mesh, double radius, int layers) : mesh_(mesh), radius_(radius), layers_(layers) {}

  /// A node on layer weights[0] + weights[1] + weights[2], in the direction of the weighted corners.
  int node(const std::array<int, 3>& face, const std::array<int, 3>& weights) {
    std::array<std::pair<int, int>, 3> key{};  // corners with a weight, from the smallest
    std::size_t used = 0;
    Vec3 direction;
    int layer = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      layer += weights[k];
      if (weights[k] == 0) continue;
      direction += weights[k] * solid_.corners[at(face[k])];
      key[used++] = {face[k] + 1, weights[k]};
    }
    const auto [place, is_new] = numbers_.try_emplace(key, static_cast<int>(mesh_.nodes.size()));
    if (is_new) {
      mesh_.nodes.push_back(layer == 0 ? Vec3{} : direction * (radius_ * layer / layers_ / norm(direction)));
    }
    return place->second;
  }

  const std::vector<std::array<int, 3>>& faces() const { return solid_.faces; }

 private:
  TetMesh& mesh_;
  double radius_;
  int layers_;
  Icosahedron solid_;
  std::map<std::array<std::pair<int, int>, 3>, int> numbers_;
};

}  // namespace

TetMesh ball_mesh(double radius, int layers) {
  const GridLimits limits("ball mesh");
  limits.positive("radius", radius);
  limits.cells({20, layers, layers, layers});
  TetMesh mesh;
  BallNodes nodes(mesh, radius, layers);
  // 0 <= z <= y <= x <= layers is one tetrahedron of a large Kuhn cube, and the small cubes' tetrahedra fill it: n^3 of
  // equal volume, with the same triangles on all faces.
  const auto add_part = [&](const std::array<int, 3>& face, const CellCorner& cell) {
    for_each_kuhn_tet([&](const std::array<CellCorner, 4>& corners) {
      std::array<std::array<int, 3>, 4> weights{};
      for (std::size_t c = 0; c < 4; ++c) {
        const int x = cell[0] + corners[c][0], y = cell[1] + corners[c][1], z = cell[2] + corners[c][2];
        if (x > layers || y > x || z > y) return;
        weights[c] = {x - y, y - z, z};
      }
      std::array<int, 4> tet{};
      for (std::size_t c = 0; c < 4; ++c) tet[c] = nodes.node(face, weights[c]);
      add_tet(mesh, tet);
    });
  };
  for (const std::array<int, 3>& face : nodes.faces()) {
    for (int x = 0; x < layers; ++x) {
      for (int y = 0; y <= x; ++y) {
        for (int z = 0; z <= y; ++z) add_part(face, {x, y, z});
      }
    }
  }
  return mesh;
}

}  // namespace uzawa
