#pragma once

#include <array>
#include <cstdint>

#include "uzawa/base/at.hpp"
#include "uzawa/collision/shapes/aabb.hpp"

namespace uzawa {

/// Body-centred cubic lattice: corners and centres of cubes. Its Delaunay tetrahedra have dihedral angles of 60 and 90
/// degrees; each has two long edges (along an axis, from corner to corner or from centre to centre) and four short ones
/// (from a corner to a centre).
class BccLattice {
 public:
  using Id = std::int64_t;
  /// In units of half a cell: all even for a corner, all odd for a centre.
  using Place = std::array<int, 3>;

  BccLattice(const Vec3& origin, double cell, const std::array<int, 3>& cells)
      : origin_(origin), cell_(cell), cells_(cells) {
    corners_ = count({cells[0] + 1, cells[1] + 1, cells[2] + 1});
    size_ = corners_ + count(cells);
  }

  Id size() const { return size_; }
  const std::array<int, 3>& cells() const { return cells_; }
  bool is_corner(Id id) const { return id < corners_; }

  bool contains(const Place& place) const {
    const int odd = place[0] & 1;
    for (std::size_t d = 0; d < 3; ++d) {
      if (place[d] < odd || place[d] > 2 * cells_[d] - odd) return false;
    }
    return true;
  }
  Id id(const Place& place) const {
    const int odd = place[0] & 1;
    const auto index = [&](std::size_t d) { return static_cast<Id>((place[d] - odd) / 2); };
    const Id width = cells_[0] + 1 - odd, height = cells_[1] + 1 - odd;
    return (odd != 0 ? corners_ : 0) + (index(2) * height + index(1)) * width + index(0);
  }
  Place place(Id id) const {
    const int odd = id < corners_ ? 0 : 1;
    const Id index = id - (odd != 0 ? corners_ : 0), width = cells_[0] + 1 - odd, height = cells_[1] + 1 - odd;
    return {static_cast<int>(2 * (index % width)) + odd, static_cast<int>(2 * (index / width % height)) + odd,
            static_cast<int>(2 * (index / (width * height))) + odd};
  }
  Vec3 point(const Place& place) const {
    return origin_ + 0.5 * cell_ * Vec3{double(place[0]), double(place[1]), double(place[2])};
  }

  /// Places of the neighbours: six along the axes, eight along the diagonals.
  static const std::array<Place, 14>& neighbours() {
    static constexpr std::array<Place, 14> kNeighbours = {{{2, 0, 0},
                                                           {-2, 0, 0},
                                                           {0, 2, 0},
                                                           {0, -2, 0},
                                                           {0, 0, 2},
                                                           {0, 0, -2},
                                                           {1, 1, 1},
                                                           {-1, 1, 1},
                                                           {1, -1, 1},
                                                           {-1, -1, 1},
                                                           {1, 1, -1},
                                                           {-1, 1, -1},
                                                           {1, -1, -1},
                                                           {-1, -1, -1}}};
    return kNeighbours;
  }

  /// Calls function(centre, next centre, corner, next corner): the two long edges of each tetrahedron.
  template <typename Function>
  void for_each_tet(Function&& function) const {
    for (int k = 0; k < cells_[2]; ++k) {
      for (int j = 0; j < cells_[1]; ++j) {
        for (int i = 0; i < cells_[0]; ++i) {
          const Place centre = {2 * i + 1, 2 * j + 1, 2 * k + 1};
          for (std::size_t axis = 0; axis < 3; ++axis) {
            if (centre[axis] + 2 < 2 * cells_[axis]) for_each_tet_around(centre, axis, function);
          }
        }
      }
    }
  }

 private:
  static Id count(const std::array<int, 3>& n) { return static_cast<Id>(n[0]) * n[1] * n[2]; }

  /// The four tetrahedra around the long edge from a centre along an axis.
  template <typename Function>
  static void for_each_tet_around(const Place& centre, std::size_t axis, Function&& function) {
    const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
    Place next = centre;
    next[axis] += 2;
    Place corner = centre;
    corner[axis] += 1;
    constexpr std::array<std::array<int, 2>, 5> kAround = {{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}}};
    for (std::size_t side = 0; side < 4; ++side) {
      Place a = corner, b = corner;
      a[u] += kAround[side][0];
      a[v] += kAround[side][1];
      b[u] += kAround[side + 1][0];
      b[v] += kAround[side + 1][1];
      function(centre, next, a, b);
    }
  }

  Vec3 origin_;
  double cell_;
  std::array<int, 3> cells_;
  Id corners_ = 0, size_ = 0;
};

}  // namespace uzawa
