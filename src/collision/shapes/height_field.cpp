#include "uzawa/collision/shapes/height_field.hpp"

#include <algorithm>
#include <cmath>

namespace uzawa {

HeightField::HeightField(const HeightFieldSpec& spec)
    : rows_(spec.rows),
      columns_(spec.columns),
      cell_x_(2 * spec.size[0] / (spec.columns - 1)),
      cell_y_(2 * spec.size[1] / (spec.rows - 1)),
      height_(spec.elevation) {
  for (float& h : height_) h = static_cast<float>(h * spec.size[2]);
  const float top = *std::max_element(height_.begin(), height_.end());
  bounds_ = {{-spec.size[0], -spec.size[1], -spec.size[3]}, {spec.size[0], spec.size[1], top}};
}

Vec3 HeightField::point(int row, int column) const {
  const auto i = static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(column);
  return {bounds_.low.x() + cell_x_ * column, bounds_.low.y() + cell_y_ * row, height_[i]};
}

HeightField::Cells HeightField::cells_under(const Aabb& box) const {
  if (box.low.z() > bounds_.high.z() || box.high.z() < bounds_.low.z()) return {};
  // The clamp is on doubles: a far-away box has no cell number that fits an int.
  const auto cell = [](double position, double low, double size, int count) {
    return static_cast<int>(std::clamp(std::floor((position - low) / size), -1.0, static_cast<double>(count)));
  };
  Cells cells;
  cells.row_begin = std::max(0, cell(box.low.y(), bounds_.low.y(), cell_y_, rows_));
  cells.row_end = std::min(rows_ - 1, cell(box.high.y(), bounds_.low.y(), cell_y_, rows_) + 1);
  cells.column_begin = std::max(0, cell(box.low.x(), bounds_.low.x(), cell_x_, columns_));
  cells.column_end = std::min(columns_ - 1, cell(box.high.x(), bounds_.low.x(), cell_x_, columns_) + 1);
  return cells;
}

HeightField::Triangle HeightField::triangle(int row, int column, int which) const {
  Triangle t;
  const auto edge = [&](int k, int r, int c) {
    const auto i = static_cast<std::size_t>(k);
    t.has_across[i] = r >= 0 && r < rows_ && c >= 0 && c < columns_;
    if (t.has_across[i]) t.across[i] = point(r, c);
  };
  if (which == 0) {
    t.corner = {point(row, column), point(row, column + 1), point(row + 1, column + 1)};
    edge(0, row - 1, column);      // over the edge at -y
    edge(1, row + 1, column + 2);  // over the edge at +x
    edge(2, row + 1, column);      // over the diagonal
  } else {
    t.corner = {point(row, column), point(row + 1, column + 1), point(row + 1, column)};
    edge(0, row, column + 1);      // over the diagonal
    edge(1, row + 2, column + 1);  // over the edge at +y
    edge(2, row, column - 1);      // over the edge at -x
  }
  return t;
}

}  // namespace uzawa
