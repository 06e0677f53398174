#pragma once

#include <vector>

#include "uzawa/problem/problem.hpp"

namespace uzawa {

/// J by constraint: the columns that a constraint touches, and its dims x columns entries as one dense piece, row after
/// row. The Newton methods and Gauss-Seidel compute J^T D J and J v from it.
class CompactRows {
 public:
  /// `rows`: J of the problem. Building again for as many entries allocates nothing.
  void build(const Problem& problem, const SparseRows& rows);

  /// Sparsity pattern of J.
  struct Pattern {
    std::vector<int> dims, first_row, column_start, columns;
    bool operator==(const Pattern&) const = default;
  };
  const Pattern& pattern() const { return pattern_; }

  int constraints() const { return static_cast<int>(pattern_.column_start.size()) - 1; }
  int dims(int c) const { return pattern_.dims[static_cast<std::size_t>(c)]; }
  int width(int c) const {
    return pattern_.column_start[static_cast<std::size_t>(c) + 1] - pattern_.column_start[static_cast<std::size_t>(c)];
  }
  const int* columns(int c) const {
    return pattern_.columns.data() + pattern_.column_start[static_cast<std::size_t>(c)];
  }
  /// Row d of the piece.
  const double* row(int c, int d) const {
    return values_.data() + value_start_[static_cast<std::size_t>(c)] + static_cast<std::size_t>(d * width(c));
  }
  /// First row of the constraint in lambda.
  int first_row(int c) const { return pattern_.first_row[static_cast<std::size_t>(c)]; }

  /// u = J v
  void multiply(const double* v, double* u) const;
  /// v += J^T lambda
  void add_transposed(const double* lambda, double* v) const;

 private:
  static bool same_columns(const SparseRows& rows, int first, int dims);
  void copy_piece(const SparseRows& rows, int first, int dims);
  void gather_piece(const SparseRows& rows, int first, int dims);

  Pattern pattern_;
  std::vector<std::size_t> value_start_;
  std::vector<double> values_;
};

}  // namespace uzawa
