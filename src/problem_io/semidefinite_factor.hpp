#pragma once

#include <string>
#include <vector>

#include "uzawa/math/sparse_rows.hpp"

namespace uzawa {

/// W = L L^T of a symmetric positive semidefinite matrix, whatever its rank.
struct SemidefiniteFactor {
  SparseRows rows;         ///< L, size x rank
  std::vector<int> pivot;  ///< per column: the row that was eliminated; L[pivot] is the column's first nonzero
  double remainder =
      0;             ///< largest |W - L L^T| left at the end, relative to sqrt(w_ii w_jj), as the elimination saw it
  double shift = 0;  ///< share of each diagonal entry that was added to it: see below
  int rank() const { return static_cast<int>(pivot.size()); }
};

/// Sparse Cholesky with dynamic pivoting. Contact matrices W = J A^-1 J^T have far more rows than rank (a box on four
/// points: 12 rows, rank 6), and their small eigenvalues may be real: so the pivot must be large for stability, but
/// among the large ones (within a factor of 20 of the largest, each measured by its own diagonal of W) the one with the
/// fewest neighbours keeps L sparse. Entries that cancel to rounding are dropped, so that a body's rows vanish after
/// its six pivots. Stops when no diagonal is above size * epsilon of its original value.
///
/// A file's own rounding errors may leave W with small negative eigenvalues beside the real ones (-7e-11 beside 7e-4 in
/// seven digits), which elimination turns into negative pivots of any size. Where it fails the diagonal is raised, by
/// no more than the last of seven digits: the factor is that of a matrix that rounds to the same file.
///
/// `lower`: lower triangle by rows, diagonal last. Throws InputError for `source`, `element` where W has a clearly
/// negative pivot or a row with entries but no diagonal.
SemidefiniteFactor factor_semidefinite(const SparseRows& lower, const std::string& source, const std::string& element);

}  // namespace uzawa
