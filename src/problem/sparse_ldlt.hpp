#pragma once

#include <span>
#include <vector>

#include "uzawa/math/sparse_rows.hpp"

namespace uzawa {

/// L D L^T of a sparse symmetric positive definite matrix (up-looking, Davis, Direct Methods for Sparse Linear Systems,
/// section 4.8; ordering by approximate minimum degree). While the pattern stays the same, neither factorising again
/// nor solving allocates. L keeps the matrix's own numbering, so that solve works in place, without a permuted copy.
class SparseLdlt {
 public:
  /// `lower`: lower triangle by rows, diagonal last. False where it is not positive definite to working precision.
  [[nodiscard]] bool factorize(const SparseRows& lower);
  /// x <- A^-1 x
  void solve(std::span<double> x) const;

 private:
  void analyse(const SparseRows& lower);
  void order(const SparseRows& lower);
  void distribute_entries(const SparseRows& lower);
  void count_factor();
  /// Pivots that row k of L has entries at, in an order in which they can be eliminated: reach_[top...].
  int find_reach(int k);

  std::vector<int> analysed_start_, analysed_column_;  ///< the pattern that was analysed
  std::vector<int> pivot_, position_;                  ///< pivot k is dof pivot_[k]; dof i is pivot position_[i]
  std::vector<int> parent_;                            ///< elimination tree, by pivots
  // Entries of A by the later of their two pivots: the earlier one, and where the value is in `lower`.
  std::vector<int> entry_start_, entry_pivot_, entry_source_;
  // L by columns, one a pivot: dofs and values. column_size_ is the number of entries filled so far while factorising.
  std::vector<int> column_start_, column_size_, row_;
  std::vector<double> value_, inverse_diagonal_;
  // scratch
  std::vector<double> y_;
  std::vector<int> reach_, mark_;
};

}  // namespace uzawa
