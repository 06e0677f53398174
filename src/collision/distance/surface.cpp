#include "uzawa/collision/distance/surface.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>

#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

/// Finds an earlier vertex near a new one: a hash of cells that are large against the tolerance, so that a neighbouring
/// cell is looked into only from near its border.
class VertexGrid {
 public:
  explicit VertexGrid(double tolerance) : tolerance_(tolerance), cell_(64 * tolerance) {}

  /// Index of a vertex within the tolerance, or of this one, which is then added.
  int find_or_add(const Vec3& vertex, std::vector<Vec3>& vertices) {
    std::int64_t own[3], low[3], high[3];
    for (int k = 0; k < 3; ++k) {
      own[k] = cell_of(vertex[k]);
      low[k] = cell_of(vertex[k] - tolerance_);
      high[k] = cell_of(vertex[k] + tolerance_);
    }
    for (std::int64_t x = low[0]; x <= high[0]; ++x) {
      for (std::int64_t y = low[1]; y <= high[1]; ++y) {
        for (std::int64_t z = low[2]; z <= high[2]; ++z) {
          const auto range = cells_.equal_range(hash(x, y, z));
          for (auto it = range.first; it != range.second; ++it) {
            if (norm(vertices[at(it->second)] - vertex) <= tolerance_) return it->second;
          }
        }
      }
    }
    const int added = static_cast<int>(vertices.size());
    vertices.push_back(vertex);
    cells_.emplace(hash(own[0], own[1], own[2]), added);
    return added;
  }

 private:
  std::int64_t cell_of(double coordinate) const { return static_cast<std::int64_t>(std::floor(coordinate / cell_)); }
  static std::uint64_t hash(std::int64_t x, std::int64_t y, std::int64_t z) {
    std::uint64_t h = 0;
    for (const std::int64_t c : {x, y, z}) h = (h ^ static_cast<std::uint64_t>(c)) * 0x9E3779B97F4A7C15ULL + (h >> 29);
    return h;
  }

  double tolerance_, cell_;
  std::unordered_multimap<std::uint64_t, int> cells_;
};

}  // namespace

int arc_steps(double radius, double angle, const SurfaceResolution& resolution) {
  const double by_edge = std::abs(angle) * radius / resolution.longest_edge;
  // Half the allowance: a cell's diagonal may bulge in the other direction too.
  const double sagitta = std::min(resolution.chord_error / 2, radius / 2);
  const double by_chord = radius > 0 ? std::abs(angle) / (2 * std::acos(1 - sagitta / radius)) : 0;
  return std::max(1, static_cast<int>(std::ceil(std::max(by_edge, by_chord) - 1e-9)));
}

Surface welded(const Surface& surface, double tolerance) {
  Surface result;
  VertexGrid grid(tolerance);
  std::vector<int> renamed(surface.vertices.size(), -1);
  result.faces.reserve(surface.faces.size());
  for (const auto& face : surface.faces) {
    std::array<int, 3> corner{};
    for (std::size_t k = 0; k < 3; ++k) {
      int& name = renamed[at(face[k])];
      if (name < 0) name = grid.find_or_add(surface.vertices[at(face[k])], result.vertices);
      corner[k] = name;
    }
    if (corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0]) continue;
    result.faces.push_back(corner);
  }
  return result;
}

void orient(Surface& surface, const SignedDistance& shape) {
  for (auto& face : surface.faces) {
    const Vec3 &a = surface.vertices[at(face[0])], &b = surface.vertices[at(face[1])],
               &c = surface.vertices[at(face[2])];
    const Vec3 normal = cross(b - a, c - a);
    if (dot(normal, shape.evaluate((a + b + c) * (1. / 3)).gradient) < 0) std::swap(face[1], face[2]);
  }
}

void append(Surface& surface, const Surface& more, const Pose& pose) {
  const int first = static_cast<int>(surface.vertices.size());
  for (const Vec3& vertex : more.vertices) surface.vertices.push_back(pose * vertex);
  for (const auto& face : more.faces) surface.faces.push_back({face[0] + first, face[1] + first, face[2] + first});
}

Aabb bounds_of(const Surface& surface) {
  if (surface.vertices.empty()) return {};
  Aabb box{surface.vertices.front(), surface.vertices.front()};
  for (const Vec3& vertex : surface.vertices) box = united(box, {vertex, vertex});
  return box;
}

}  // namespace uzawa
