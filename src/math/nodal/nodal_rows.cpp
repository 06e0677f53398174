#include "uzawa/math/nodal/nodal_rows.hpp"

#include <utility>
#include <vector>

#include "uzawa/base/at.hpp"

namespace uzawa {

void append_lower_rows(const NodalMatrix& matrix, int offset, SparseRows& out) {
  const NodalPattern& pattern = *matrix.pattern;
  for (int node = 0; node < pattern.nodes(); ++node) {
    for (int row = 0; row < 3; ++row) {
      for (int b = pattern.start[at(node)]; b < pattern.start[at(node) + 1]; ++b) {
        const int column = pattern.column[at(b)];
        const double* value = matrix.block(at(b)) + 3 * row;
        for (int k = 0; k < (column == node ? row + 1 : 3); ++k) {
          out.column.push_back(offset + 3 * column + k);
          out.value.push_back(value[k]);
        }
      }
      out.start.push_back(static_cast<int>(out.column.size()));
    }
  }
}

NodalMatrix nodal_from_lower(const SparseRows& lower) {
  std::vector<std::pair<int, int>> couples;
  for (int r = 0; r < lower.rows(); ++r) {
    for (std::size_t k = lower.begin(r); k < lower.end(r); ++k) couples.emplace_back(r / 3, lower.column[k] / 3);
  }
  NodalMatrix out(std::make_shared<const NodalPattern>(make_nodal_pattern(lower.rows() / 3, std::move(couples))));
  for (int r = 0; r < lower.rows(); ++r) {
    for (std::size_t k = lower.begin(r); k < lower.end(r); ++k) {
      const int c = lower.column[k];
      double* block = out.block(out.pattern->place(r / 3, c / 3));
      block[3 * (r % 3) + c % 3] = lower.value[k];
      if (r / 3 == c / 3) block[3 * (c % 3) + r % 3] = lower.value[k];
    }
  }
  return out;
}

}  // namespace uzawa
