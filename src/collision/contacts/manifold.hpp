#pragma once

#include <cstdint>
#include <vector>

#include "uzawa/math/vec3.hpp"

namespace uzawa {

/// A point of contact of one pair of shapes, in world axes.
struct ManifoldPoint {
  Vec3 position;              ///< midway between the surfaces, m
  Vec3 normal;                ///< unit, from the first shape to the second
  double gap = 0;             ///< m
  std::uint64_t feature = 0;  ///< identifies the touching features, the same from step to step
};

/// The contacts of one pair. Keeps its memory.
struct Manifold {
  std::vector<ManifoldPoint> points;
  int left_out = 0;  ///< faces of a sampled surface that were near but not searched, because others promise more

  void add(const Vec3& position, const Vec3& normal, double gap, std::uint64_t feature) {
    points.push_back({position, normal, gap, feature});
  }
};

/// Feature ids depend on the shapes alone, not on the search: a corner of the first shape, a corner of the second, or
/// an edge of each. Corner and edge ids come from the shapes.
namespace feature {
inline std::uint64_t corner1(std::uint64_t id) { return (1ULL << 62) | id; }
inline std::uint64_t corner2(std::uint64_t id) { return (2ULL << 62) | id; }
inline std::uint64_t edges(std::uint64_t id1, std::uint64_t id2) {
  return (3ULL << 62) | ((id1 & 0x7FFFFFFF) << 31) | (id2 & 0x7FFFFFFF);
}
/// An edge from its two corners, in either order.
inline std::uint64_t edge_id(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t low = a < b ? a : b, high = a < b ? b : a;
  return low * 0x9E3779B1ULL + high;
}
}  // namespace feature

}  // namespace uzawa
