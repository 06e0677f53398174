#include "uzawa/collision/shapes/convex_hull.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/collision/shapes/qhull.hpp"

namespace uzawa {

namespace {

/// Hulls up to this many corners are scanned, four at a time; larger ones are climbed.
constexpr std::size_t kScanLimit = 64;

/// Mesh files hold floats, whose rounding (6e-8 of the size) bends what was flat. A triangle belongs to its neighbour's
/// polygon where its corners are this close to the plane, as a fraction of the size, and its normal this close too: the
/// second keeps the facets of a finely meshed ball apart.
constexpr double kPlaneTolerance = 4e-7, kNormalTolerance = 1e-3;

/// cos of 8 degrees.
constexpr double kAlmostLevel = 0.99;

int diagonal_of(const Vec3& d) { return (d.x() > 0 ? 1 : 0) + (d.y() > 0 ? 2 : 0) + (d.z() > 0 ? 4 : 0); }

using Edge = std::pair<int, int>;

/// The triangle to the left of each directed edge.
std::vector<std::pair<Edge, int>> directed_edges(const std::vector<std::array<int, 3>>& triangles) {
  std::vector<std::pair<Edge, int>> edges;
  edges.reserve(3 * triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      edges.push_back({{triangles[t][k], triangles[t][(k + 1) % 3]}, static_cast<int>(t)});
    }
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

/// Per triangle the three across its edges, -1 where there is none.
std::vector<std::array<int, 3>> adjacency(const std::vector<std::array<int, 3>>& triangles) {
  const auto edges = directed_edges(triangles);
  std::vector<std::array<int, 3>> across(triangles.size(), {-1, -1, -1});
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      const Edge reverse{triangles[t][(k + 1) % 3], triangles[t][k]};
      const auto found = std::lower_bound(edges.begin(), edges.end(), std::pair{reverse, 0});
      if (found != edges.end() && found->first == reverse) across[t][k] = found->second;
    }
  }
  return across;
}

/// Chains directed edges into one loop; empty where they do not form exactly one.
std::vector<int> chain(const std::vector<Edge>& boundary) {
  std::map<int, int> next;
  for (const Edge& edge : boundary) {
    if (!next.insert(edge).second) return {};
  }
  std::vector<int> loop;
  int vertex = boundary.front().first;
  do {
    loop.push_back(vertex);
    const auto found = next.find(vertex);
    if (found == next.end() || loop.size() > boundary.size()) return {};
    vertex = found->second;
  } while (vertex != boundary.front().first);
  if (loop.size() != boundary.size()) return {};
  return loop;
}

}  // namespace

ConvexHull::ConvexHull(std::span<const Vec3> points, const std::string& source, const std::string& element) {
  std::string reason;
  const std::optional<QhullResult> hull = run_qhull(points, reason);
  if (!hull || hull->triangles.size() < 4) {
    throw InputError(source, element, "its points span no volume, so it has no convex hull (" + reason + ")");
  }
  for (const int corner : hull->corners) vertices_.push_back(points[at(corner)]);
  bounds_ = {vertices_.front(), vertices_.front()};
  for (const Vec3& v : vertices_) bounds_ = united(bounds_, {v, v});
  link_vertices(hull->triangles);
  merge_triangles(hull->triangles, hull->normals);
  if (vertices_.size() <= kScanLimit) {
    pack_lanes();
  } else {
    int start = 0;
    for (int i = 0; i < 8; ++i) {
      const Vec3 direction{(i & 1) != 0 ? 1. : -1., (i & 2) != 0 ? 1. : -1., (i & 4) != 0 ? 1. : -1.};
      starts_[at(i)] = start = climb(direction, start);
    }
  }
}

void ConvexHull::link_vertices(const std::vector<std::array<int, 3>>& triangles) {
  const auto edges = directed_edges(triangles);  // sorted by their first vertex
  std::size_t e = 0;
  for (std::size_t v = 0; v < vertices_.size(); ++v) {
    for (; e < edges.size() && edges[e].first.first == static_cast<int>(v); ++e) {
      neighbors_.items.push_back(edges[e].first.second);
    }
    neighbors_.close();
  }
}

void ConvexHull::merge_triangles(const std::vector<std::array<int, 3>>& triangles, const std::vector<Vec3>& normals) {
  const double plane_tolerance = kPlaneTolerance * norm(bounds_.high - bounds_.low);
  const auto across = adjacency(triangles);
  std::vector<int> region(triangles.size(), -1), face_of_seed(triangles.size(), -1), members;
  for (std::size_t seed = 0; seed < triangles.size(); ++seed) {
    if (region[seed] >= 0) continue;
    const Vec3 normal = normals[seed], point = vertices_[at(triangles[seed][0])];
    const auto coplanar = [&](int t) {
      if (dot(normals[at(t)], normal) < 1 - 0.5 * kNormalTolerance * kNormalTolerance) return false;
      return std::all_of(triangles[at(t)].begin(), triangles[at(t)].end(),
                         [&](int v) { return std::abs(dot(vertices_[at(v)] - point, normal)) <= plane_tolerance; });
    };
    members.assign(1, static_cast<int>(seed));
    region[seed] = static_cast<int>(seed);
    for (std::size_t m = 0; m < members.size(); ++m) {
      for (const int t : across[at(members[m])]) {
        if (t < 0 || region[at(t)] >= 0 || !coplanar(t)) continue;
        region[at(t)] = static_cast<int>(seed);
        members.push_back(t);
      }
    }
    std::vector<Edge> boundary;
    for (const int t : members) {
      for (std::size_t k = 0; k < 3; ++k) {
        const int other = across[at(t)][k];
        if (other >= 0 && region[at(other)] == static_cast<int>(seed)) continue;
        boundary.emplace_back(triangles[at(t)][k], triangles[at(t)][(k + 1) % 3]);
      }
    }
    std::vector<int> loop = boundary.size() < 3 ? std::vector<int>{} : chain(boundary);
    if (loop.empty()) loop.assign(triangles[seed].begin(), triangles[seed].end());
    face_of_seed[seed] = faces_.size();
    faces_.items.insert(faces_.items.end(), loop.begin(), loop.end());
    faces_.close();
    normals_.push_back(normal);
    offsets_.push_back(dot(normal, point));
  }
  // Faces of each vertex, also of one that lies within a polygon.
  std::vector<std::pair<int, int>> uses;
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    for (const int v : triangles[t]) uses.emplace_back(v, face_of_seed[at(region[t])]);
  }
  std::sort(uses.begin(), uses.end());
  uses.erase(std::unique(uses.begin(), uses.end()), uses.end());
  std::size_t u = 0;
  for (std::size_t v = 0; v < vertices_.size(); ++v) {
    for (; u < uses.size() && uses[u].first == static_cast<int>(v); ++u) vertex_faces_.items.push_back(uses[u].second);
    vertex_faces_.close();
  }
}

void ConvexHull::pack_lanes() {
  for (std::size_t i = 0; i < vertices_.size(); i += 4) {
    Lanes packed[3];
    for (std::size_t k = 0; k < 4; ++k) {
      const Vec3& v = vertices_[std::min(i + k, vertices_.size() - 1)];
      for (int axis = 0; axis < 3; ++axis) packed[axis][static_cast<int>(k)] = v[axis];
    }
    lanes_.insert(lanes_.end(), packed, packed + 3);
  }
}

int ConvexHull::scan(const Vec3& d) const {
  const Lanes x{d.x(), d.x(), d.x(), d.x()}, y{d.y(), d.y(), d.y(), d.y()}, z{d.z(), d.z(), d.z(), d.z()};
  Lanes best = lanes_[0] * x + lanes_[1] * y + lanes_[2] * z, best_index{0, 1, 2, 3}, index{0, 1, 2, 3};
  const Lanes four{4, 4, 4, 4};
  for (std::size_t i = 3; i < lanes_.size(); i += 3) {
    index += four;
    const Lanes value = lanes_[i] * x + lanes_[i + 1] * y + lanes_[i + 2] * z;
    const auto better = value > best;
    best = better ? value : best;
    best_index = better ? index : best_index;
  }
  int lane = 0;
  for (int k = 1; k < 4; ++k) lane = best[k] > best[lane] ? k : lane;
  return std::min(static_cast<int>(best_index[lane]), static_cast<int>(vertices_.size()) - 1);
}

int ConvexHull::climb(const Vec3& direction, int start) const {
  int best = start;
  double height = dot(vertices_[at(best)], direction);
  for (bool better = true; better;) {
    better = false;
    for (const int v : neighbors_[best]) {
      const double other = dot(vertices_[at(v)], direction);
      if (other <= height) continue;
      height = other;
      best = v;
      better = true;
    }
  }
  return best;
}

int ConvexHull::support(const Vec3& direction, int hint) const {
  if (!lanes_.empty()) return scan(direction);
  return climb(direction, hint >= 0 ? hint : starts_[at(diagonal_of(direction))]);
}

int ConvexHull::best_face(const Vec3& direction, int corner) const {
  int best = vertex_faces_[corner].front();
  double alignment = -2;
  const auto look_around = [&](int v) {
    bool better = false;
    for (const int f : vertex_faces_[v]) {
      const double other = dot(normals_[at(f)], direction);
      if (other <= alignment) continue;
      alignment = other;
      best = f;
      better = true;
    }
    return better;
  };
  // The corner is as far as any, but the face may be a neighbour's where they are almost level.
  for (bool better = look_around(corner); better && alignment > kAlmostLevel;) {
    better = false;
    const int face = best;
    for (const int v : faces_[face]) better = look_around(v) || better;
  }
  return best;
}

}  // namespace uzawa
