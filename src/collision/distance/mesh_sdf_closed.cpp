#include "uzawa/collision/distance/mesh_sdf_closed.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"

namespace uzawa {

namespace {

/// Signed volume of the tetrahedron between a face and a point.
double volume_below(const Surface& mesh, const std::array<int, 3>& face, const Vec3& origin) {
  const Vec3 a = mesh.vertices[at(face[0])] - origin, b = mesh.vertices[at(face[1])] - origin,
             c = mesh.vertices[at(face[2])] - origin;
  return dot(a, cross(b, c)) / 6;
}

/// One side of a face, with its vertices in order.
struct Side {
  int low, high;  ///< vertices
  int face;
  bool forward;  ///< the face runs from low to high
};

std::vector<Side> sorted_sides(const Surface& mesh) {
  std::vector<Side> sides;
  sides.reserve(3 * mesh.faces.size());
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = mesh.faces[f][k], b = mesh.faces[f][(k + 1) % 3];
      sides.push_back({std::min(a, b), std::max(a, b), static_cast<int>(f), a < b});
    }
  }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    if (a.low != b.low) return a.low < b.low;
    return a.high != b.high ? a.high < b.high : a.face < b.face;
  });
  return sides;
}

/// Calls visit(first, last) for the sides of each edge.
template <typename Visit>
void for_each_edge(const std::vector<Side>& sides, Visit&& visit) {
  for (std::size_t first = 0; first < sides.size();) {
    std::size_t last = first + 1;
    while (last < sides.size() && sides[last].low == sides[first].low && sides[last].high == sides[first].high) ++last;
    visit(first, last);
    first = last;
  }
}

/// Faces with the same corners: one of those that look the same way stays; two that look at each other enclose nothing.
void remove_doubled_faces(Surface& mesh) {
  struct Key {
    std::array<int, 3> corner;  ///< in order
    int sign;                   ///< of the order in the face
    int face;
  };
  std::vector<Key> keys;
  keys.reserve(mesh.faces.size());
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    std::array<int, 3> c = mesh.faces[f];
    std::rotate(c.begin(), std::min_element(c.begin(), c.end()), c.end());
    const int sign = c[1] < c[2] ? 1 : -1;
    if (sign < 0) std::swap(c[1], c[2]);
    keys.push_back({c, sign, static_cast<int>(f)});
  }
  std::sort(keys.begin(), keys.end(),
            [](const Key& a, const Key& b) { return a.corner != b.corner ? a.corner < b.corner : a.face < b.face; });
  std::vector<int> kept;
  for (std::size_t first = 0; first < keys.size();) {
    std::size_t last = first;
    bool has[2] = {false, false};
    while (last < keys.size() && keys[last].corner == keys[first].corner) has[keys[last++].sign > 0 ? 1 : 0] = true;
    if (!(has[0] && has[1])) kept.push_back(keys[first].face);
    first = last;
  }
  std::sort(kept.begin(), kept.end());
  std::vector<std::array<int, 3>> faces;
  faces.reserve(kept.size());
  for (const int f : kept) faces.push_back(mesh.faces[at(f)]);
  mesh.faces = std::move(faces);
}

struct EdgeCensus {
  int open = 0;        ///< edges with an odd number of faces
  int unbalanced = 0;  ///< edges along which the faces disagree
  bool manifold = true;
};

EdgeCensus count_edges(const std::vector<Side>& sides) {
  EdgeCensus census;
  for_each_edge(sides, [&](std::size_t first, std::size_t last) {
    int balance = 0;
    for (std::size_t i = first; i < last; ++i) balance += sides[i].forward ? 1 : -1;
    const std::size_t count = last - first;
    census.open += count % 2 == 1 ? 1 : 0;
    census.unbalanced += balance != 0 ? 1 : 0;
    census.manifold = census.manifold && count == 2;
  });
  return census;
}

/// Pieces that hang together over edges, each turned as its first face is and then so that its volume is positive.
/// False where a piece has one side only (a Moebius strip closed by another).
[[nodiscard]] bool make_consistent(Surface& mesh, const std::vector<Side>& sides) {
  struct Neighbour {
    int face;
    bool agrees;
  };
  std::vector<std::array<Neighbour, 3>> neighbours(mesh.faces.size());
  std::vector<int> count(mesh.faces.size(), 0);
  for_each_edge(sides, [&](std::size_t first, std::size_t) {
    const Side &a = sides[first], &b = sides[first + 1];
    neighbours[at(a.face)][at(count[at(a.face)]++)] = {b.face, a.forward != b.forward};
    neighbours[at(b.face)][at(count[at(b.face)]++)] = {a.face, a.forward != b.forward};
  });
  std::vector<int> state(mesh.faces.size(), 0);  // 0: not seen, 1: as it is, -1: turned
  for (std::size_t seed = 0; seed < mesh.faces.size(); ++seed) {
    if (state[seed] != 0) continue;
    std::vector<int> piece{static_cast<int>(seed)};
    state[seed] = 1;
    for (std::size_t i = 0; i < piece.size(); ++i) {
      const int face = piece[i];
      for (int k = 0; k < count[at(face)]; ++k) {
        const Neighbour next = neighbours[at(face)][at(k)];
        const int wanted = next.agrees ? state[at(face)] : -state[at(face)];
        int& known = state[at(next.face)];
        if (known == 0) {
          known = wanted;
          piece.push_back(next.face);
        } else if (known != wanted) {
          return false;
        }
      }
    }
    double volume = 0;
    for (const int face : piece) {
      auto& corner = mesh.faces[at(face)];
      if (state[at(face)] < 0) std::swap(corner[1], corner[2]);
      volume += volume_below(mesh, corner, mesh.vertices.front());
    }
    if (volume < 0) {
      for (const int face : piece) std::swap(mesh.faces[at(face)][1], mesh.faces[at(face)][2]);
    }
  }
  return true;
}

}  // namespace

Surface to_surface(const MeshSpec& mesh) {
  Surface surface;
  for (const auto& v : mesh.vertices) surface.vertices.emplace_back(v[0], v[1], v[2]);
  surface.faces = mesh.faces;
  return surface;
}

double signed_volume(const Surface& mesh) {
  double volume = 0;
  for (const auto& face : mesh.faces) volume += volume_below(mesh, face, mesh.vertices.front());
  return volume;
}

Surface closed_mesh(const Surface& mesh, const std::string& name) {
  const auto refuse = [&](const std::string& reason) { throw InputError("", "mesh '" + name + "'", reason); };
  for (const Vec3& vertex : mesh.vertices) {
    if (!all_finite(vertex)) refuse("a vertex is not finite");
  }
  for (const auto& face : mesh.faces) {
    for (const int vertex : face) {
      if (vertex < 0 || at(vertex) >= mesh.vertices.size()) refuse("a face names a vertex that does not exist");
    }
  }
  const Aabb box = bounds_of(mesh);
  const double size = norm(box.high - box.low);
  if (mesh.faces.empty() || size <= 0) refuse("has no faces, or no size");

  // Mesh files hold single precision: seven digits of the size.
  Surface closed = welded(mesh, 1e-7 * size);
  remove_doubled_faces(closed);
  const std::vector<Side> sides = sorted_sides(closed);
  const EdgeCensus census = count_edges(sides);
  if (closed.faces.empty()) refuse("its faces enclose nothing");
  if (census.open > 0) {
    refuse("is open: " + std::to_string(census.open) + " edges have a face on one side only, and a signed distance " +
           "needs an inside");
  }
  if (census.unbalanced > 0 && (!census.manifold || !make_consistent(closed, sides))) {
    refuse("faces disagree about which side is outside, and turning them does not help");
  }
  const double volume = signed_volume(closed);
  if (std::abs(volume) < 1e-12 * size * size * size) refuse("encloses no volume");
  if (volume < 0) {
    for (auto& face : closed.faces) std::swap(face[1], face[2]);
  }
  return closed;
}

}  // namespace uzawa
