#pragma once

#include <array>

#include "uzawa/collision/shapes/aabb.hpp"
#include "uzawa/model/spec.hpp"

namespace uzawa {

/// Elevations over a grid as a solid: two triangular prisms a cell, from the base up. As in MuJoCo, the diagonal of a
/// cell runs from its (-x, -y) to its (+x, +y) corner.
class HeightField {
 public:
  explicit HeightField(const HeightFieldSpec& spec);

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  const Aabb& bounds() const { return bounds_; }

  /// The surface point at a grid position.
  Vec3 point(int row, int column) const;

  /// Cells whose columns may meet a box: [first, last), empty where first >= last.
  struct Cells {
    int row_begin = 0, row_end = 0, column_begin = 0, column_end = 0;
  };
  Cells cells_under(const Aabb& box) const;

  /// One of the two triangles of a cell, counter-clockwise from above, and its neighbours across the edges.
  struct Triangle {
    std::array<Vec3, 3> corner;
    std::array<Vec3, 3> across;  ///< the corner of the neighbour over edge k (corner k to k + 1) that is not ours
    std::array<bool, 3> has_across{};
  };
  Triangle triangle(int row, int column, int which) const;

 private:
  int rows_, columns_;
  double cell_x_, cell_y_;  ///< m
  Aabb bounds_;
  std::vector<float> height_;  ///< m, row-major
};

}  // namespace uzawa
