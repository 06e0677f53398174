#include "uzawa/solver/admm/nodal_penalty.hpp"

#include <algorithm>

#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

bool couples(const NodalPattern& pattern, int row, int column) {
  return std::binary_search(pattern.column.begin() + pattern.start[at(row)],
                            pattern.column.begin() + pattern.start[at(row) + 1], column);
}

}  // namespace

bool NodalPenalty::prepare(const NodalMatrix& a, const CompactRows& rows) {
  for (int c = 0; c < rows.constraints(); ++c) {
    const std::span<const int> columns(rows.columns(c), at(rows.width(c)));
    for (const int k : columns) {
      for (const int l : columns) {
        if (k / 3 > l / 3 && !couples(*a.pattern, k / 3, l / 3)) return false;
      }
    }
  }
  factor_.analyse(*a.pattern);
  return true;
}

bool NodalPenalty::factorize(const NodalMatrix& a, const CompactRows& rows, std::span<const double> weights,
                             double beta) {
  sum_ = a;
  for (int c = 0; c < rows.constraints(); ++c) {
    const int* column = rows.columns(c);
    for (int k = 0; k < rows.width(c); ++k) {
      for (int l = 0; l < rows.width(c); ++l) {
        const int row_node = column[k] / 3, column_node = column[l] / 3;
        if (row_node < column_node) continue;
        double sum = 0;
        for (int d = 0; d < rows.dims(c); ++d) sum += rows.row(c, d)[k] * rows.row(c, d)[l];
        sum_.block(a.pattern->place(row_node, column_node))[3 * (column[k] % 3) + column[l] % 3] +=
            beta * weights[at(c)] * sum;
      }
    }
  }
  return factor_.factorize(sum_);
}

}  // namespace uzawa
