#pragma once

#include <span>
#include <vector>

namespace uzawa {

/// Inverse of a small dense matrix K whose rows and columns come and go one at a time, as pivoting asks for: O(k^2) a
/// change, each a rank-one update, O(k^3) to invert anew. Row c of the inverse belongs to column c of K and the other
/// way round. Memory is for `most` rows from the start: changes allocate nothing.
class UpdatedInverse {
 public:
  void reserve(int most);
  int size() const { return size_; }
  void clear() { size_ = 0; }

  /// Inverts K (row-major, size x size, overwritten) by Gauss-Jordan elimination with row pivoting. False where a pivot
  /// is below `least` times the largest entry of K.
  [[nodiscard]] bool invert(std::span<double> k, int size, double least);

  /// x = K^-1 b.
  void solve(std::span<const double> b, std::span<double> x) const;
  /// x^T = b^T K^-1.
  void solve_transposed(std::span<const double> b, std::span<double> x) const;

  /// K gets another row and column. `column`: K^-1 times the new column; `row`: the new row times K^-1; `pivot`: Schur
  /// complement of the corner.
  void grow(std::span<const double> column, std::span<const double> row, double pivot);
  /// Column c of K is replaced by one for which K^-1 times it is `column`.
  void replace_column(int c, std::span<const double> column);
  /// Row r of K is replaced by one for which it times K^-1 is `row`.
  void replace_row(int r, std::span<const double> row);
  /// K loses column c and row r; the last column and row take their places.
  void shrink(int c, int r);

 private:
  double* line(int c) { return inverse_.data() + static_cast<std::size_t>(c) * stride_; }
  const double* line(int c) const { return inverse_.data() + static_cast<std::size_t>(c) * stride_; }

  int size_ = 0;
  std::size_t stride_ = 0;
  std::vector<double> inverse_;  ///< row-major
  std::vector<int> swapped_;     ///< scratch of invert: row that came into place p
  std::vector<double> scratch_;
};

}  // namespace uzawa
