#pragma once

#include "uzawa/collision/distance/surface.hpp"

namespace uzawa {

namespace detail {

/// Root of the function on the segment from a (inside) to b (outside).
template <typename Function>
Vec3 crossing(Vec3 a, Vec3 b, Function&& bound) {
  constexpr int kHalvings = 40;  // a centimetre to 1e-14 m
  for (int i = 0; i < kHalvings; ++i) {
    const Vec3 middle = 0.5 * (a + b);
    (bound(middle) <= 0 ? a : b) = middle;
  }
  return a;
}

/// Cuts one triangle; quarters it first where a straight cut would be off by more than the tolerance.
template <typename Function>
class TriangleCutter {
 public:
  TriangleCutter(Function& bound, double tolerance, Surface& kept)
      : bound_(bound), tolerance_(tolerance), kept_(kept) {}

  void cut(const std::array<Vec3, 3>& corner, int depth) {
    const Vec3 middle[3] = {0.5 * (corner[0] + corner[1]), 0.5 * (corner[1] + corner[2]),
                            0.5 * (corner[2] + corner[0])};
    bool inside[3], crossed = false, all_inside = true, any_inside = false;
    for (std::size_t k = 0; k < 3; ++k) {
      inside[k] = bound_(corner[k]) <= kOnSurface;
      const bool middle_inside = bound_(middle[k]) <= kOnSurface;
      all_inside = all_inside && inside[k] && middle_inside;
      any_inside = any_inside || inside[k] || middle_inside;
      crossed = crossed || (inside[k] != middle_inside && inside[k] == (bound_(corner[(k + 1) % 3]) <= kOnSurface));
    }
    constexpr int kMostQuarterings = 8;
    const bool whole = (all_inside || !any_inside) && (depth == kMostQuarterings || one_sided(corner, all_inside, 0));
    if (whole && all_inside) add(corner);
    if (whole) return;

    // The polygon that is left: inside corners, and a point on each edge that goes through.
    std::array<Vec3, 4> left;
    std::size_t size = 0, cuts = 0;
    Vec3 cut_middle;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t next = (k + 1) % 3;
      if (inside[k]) left[size++] = corner[k];
      if (inside[k] == inside[next]) continue;
      left[size] = inside[k] ? crossing(corner[k], corner[next], bound_) : crossing(corner[next], corner[k], bound_);
      cut_middle += 0.5 * left[size++];
      ++cuts;
    }
    const bool straight = !crossed && cuts > 0 && (cuts != 2 || std::abs(bound_(cut_middle)) < tolerance_);
    if (straight || depth == kMostQuarterings) {
      for (std::size_t k = 2; k < size; ++k) add({left[0], left[k - 1], left[k]});
      return;
    }
    cut({corner[0], middle[0], middle[2]}, depth + 1);
    cut({middle[0], corner[1], middle[1]}, depth + 1);
    cut({middle[2], middle[1], corner[2]}, depth + 1);
    cut({middle[0], middle[1], middle[2]}, depth + 1);
  }

 private:
  /// True where the whole triangle is on one side, to within slivers a 32nd of its size: the function is a distance,
  /// with Lipschitz constant 1.
  bool one_sided(const std::array<Vec3, 3>& corner, bool inside, int depth) const {
    constexpr int kSliver = 5;
    const Vec3 centre = (corner[0] + corner[1] + corner[2]) * (1. / 3);
    double reach = 0;
    for (const Vec3& c : corner) reach = std::max(reach, norm(c - centre));
    const double value = inside ? bound_(centre) : -bound_(centre);
    if (value > kOnSurface) return false;
    if (value + reach <= 0 || depth == kSliver) return true;
    const Vec3 middle[3] = {0.5 * (corner[0] + corner[1]), 0.5 * (corner[1] + corner[2]),
                            0.5 * (corner[2] + corner[0])};
    return one_sided({corner[0], middle[0], middle[2]}, inside, depth + 1) &&
           one_sided({middle[0], corner[1], middle[1]}, inside, depth + 1) &&
           one_sided({middle[2], middle[1], corner[2]}, inside, depth + 1) &&
           one_sided({middle[0], middle[1], middle[2]}, inside, depth + 1);
  }

  /// Roots of the function are found to this; a patch that lies in the other's surface stays.
  static constexpr double kOnSurface = 1e-10;

  void add(const std::array<Vec3, 3>& corner) {
    const int first = static_cast<int>(kept_.vertices.size());
    kept_.vertices.insert(kept_.vertices.end(), corner.begin(), corner.end());
    kept_.faces.push_back({first, first + 1, first + 2});
  }

  Function& bound_;
  double tolerance_;
  Surface& kept_;
};

}  // namespace detail

template <typename Function>
void trim(Surface& surface, double tolerance, Function&& bound) {
  Surface kept;
  detail::TriangleCutter<Function> cutter(bound, tolerance, kept);
  for (const auto& face : surface.faces) {
    const auto vertex = [&](std::size_t k) { return surface.vertices[static_cast<std::size_t>(face[k])]; };
    cutter.cut({vertex(0), vertex(1), vertex(2)}, 0);
  }
  surface = std::move(kept);
}

}  // namespace uzawa
