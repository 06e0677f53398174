#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace uzawa {

/// Which nodes of a soft body or rod are coupled: the lower triangle of a symmetric matrix of 3x3 blocks, by block
/// rows. Columns ascend within a row, and the diagonal is always there, as the last of its row.
struct NodalPattern {
  std::vector<int> start{0};  ///< per node, and one more: the first block of its row
  std::vector<int> column;    ///< per block

  int nodes() const { return static_cast<int>(start.size()) - 1; }
  std::size_t blocks() const { return column.size(); }
  /// The block (row, column), row >= column, which must be there.
  std::size_t place(int row, int column_of_block) const;
  std::size_t diagonal(int node) const {
    return static_cast<std::size_t>(start[static_cast<std::size_t>(node) + 1]) - 1;
  }

  bool operator==(const NodalPattern&) const = default;
};

/// `couples`: pairs of nodes, in any order, possibly more than once or of a node with itself.
NodalPattern make_nodal_pattern(int nodes, std::vector<std::pair<int, int>> couples);

}  // namespace uzawa
