#pragma once

#include <string>
#include <vector>

#include "uzawa/math/sparse_rows.hpp"

namespace uzawa {

/// A matrix in triplet form, as in files: one (row, column, value) an entry, in any order. Entries at the same place
/// add up, as in every triplet format we know of, in the order of the file.
struct Triplets {
  int rows = 0, columns = 0;
  std::vector<int> i, j;
  std::vector<double> x;

  void add(int row, int column, double value) {
    i.push_back(row);
    j.push_back(column);
    x.push_back(value);
  }
};

/// The same by rows, columns increasing. Zeros that are written out stay entries. Indices must be within the shape.
SparseRows compress(const Triplets& triplets);
/// The inverse of compress.
Triplets expand(const SparseRows& rows);

SparseRows without_zeros(const SparseRows& rows);

/// The lower triangle of a symmetric matrix, diagonal last in each row; the diagonal is always there. Differences
/// within rounding (1e-9 of sqrt(a_ii a_jj)) are averaged; beyond, throws InputError for `source`, `element`.
SparseRows lower_triangle(const SparseRows& matrix, const std::string& source, const std::string& element);
/// The whole matrix from its lower triangle.
SparseRows from_lower_triangle(const SparseRows& lower);

}  // namespace uzawa
