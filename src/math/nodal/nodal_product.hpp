#pragma once

#include <memory>
#include <span>
#include <vector>

#include "uzawa/math/nodal/nodal_matrix.hpp"

namespace uzawa {

/// y = A x of a matrix of 3x3 blocks, some rows at a time: several threads may work on different rows, and a row is
/// added up in the same order by all of them. NodalMatrix::multiply reads each block once for both triangles and is the
/// faster one for a single thread; here a block below the diagonal is read twice.
class NodalProduct {
 public:
  /// Finds what stands in the columns below each diagonal block; nothing where the pattern is the last one.
  void prepare(const std::shared_ptr<const NodalPattern>& pattern);
  /// Nodes [begin, end) of y = A x.
  void multiply(const NodalMatrix& matrix, int begin, int end, const double* x, double* y) const;
  /// Calls visit(other, block, transposed) for each block of the whole row of a node: its own row, then the blocks of
  /// its column below the diagonal, whose transposes stand in the row.
  template <typename Visit>
  void for_each_block(const NodalMatrix& matrix, int node, Visit&& visit) const {
    const auto i = static_cast<std::size_t>(node);
    for (int k = pattern_->start[i]; k < pattern_->start[i + 1]; ++k) {
      const auto place = static_cast<std::size_t>(k);
      visit(pattern_->column[place], matrix.block(place), false);
    }
    for (int k = below_start_[i]; k < below_start_[i + 1]; ++k) {
      const Below& b = below_[static_cast<std::size_t>(k)];
      visit(b.row, matrix.block(static_cast<std::size_t>(b.place)), true);
    }
  }

 private:
  struct Below {
    int row, place;  ///< node of the row, and the block
  };
  std::shared_ptr<const NodalPattern> pattern_;
  std::vector<int> below_start_;
  std::vector<Below> below_;  ///< of each node, rows ascending
};

}  // namespace uzawa
