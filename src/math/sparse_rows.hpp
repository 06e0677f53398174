#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace uzawa {

/// Sparse matrix by rows (CSR).
struct SparseRows {
  int columns = 0;
  std::vector<int> start{0};  ///< rows + 1
  std::vector<int> column;    ///< per entry, increasing within a row
  std::vector<double> value;  ///< per entry

  /// No rows; the memory stays.
  void clear(int new_columns) {
    columns = new_columns;
    start.assign(1, 0);
    column.clear();
    value.clear();
  }

  int rows() const { return static_cast<int>(start.size()) - 1; }
  std::size_t begin(int row) const { return static_cast<std::size_t>(start[static_cast<std::size_t>(row)]); }
  std::size_t end(int row) const { return static_cast<std::size_t>(start[static_cast<std::size_t>(row) + 1]); }

  /// y = A x
  void multiply(std::span<const double> x, std::span<double> y) const;
  /// y += A^T x
  void add_transposed(std::span<const double> x, std::span<double> y) const;
};

}  // namespace uzawa
