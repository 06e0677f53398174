#pragma once

#include <span>
#include <utility>
#include <vector>

#include "uzawa/base/aligned_vector.hpp"
#include "uzawa/base/deadline.hpp"
#include "uzawa/math/elimination_order.hpp"

namespace uzawa {

/// A square matrix of small dense blocks with a symmetric pattern, factorised with no fill-in beyond that of the block
/// pattern. A node is a run of at most eight consecutive unknowns (a free body, a limb of a tree, a few dofs of a
/// mesh), so that a column of a block fits two registers of four lanes and elimination is a stream of small products.
///
/// H = L D U with unit block-triangular L, U: D_k is inverted with pivoting inside the block only. For symmetric
/// positive definite H that is all that is needed; a general H may lose accuracy, which the caller can check.
class BlockSparse {
 public:
  static constexpr int kStride = 8;  ///< rows of a stored block; those beyond the node's size stay zero

  /// Takes the nodes (node k: unknowns [start[k], start[k + 1])) and the pairs of coupled nodes (i, j), i > j, sorted,
  /// each once. Computes elimination order and fill-in. Does nothing where the input is the same as in the last call.
  void analyse(std::span<const int> start, std::span<const std::pair<int, int>> coupled);

  /// Factorisations of more than a few columns fail from then on.
  void set_deadline(const Deadline& deadline) { deadline_ = deadline; }

  int nodes() const { return static_cast<int>(start_.size()) - 1; }
  /// Multiply-adds of one factorisation, symmetric.
  double work() const { return work_; }

  /// Where block (i, j) is kept, i != j: `offset` into lower() or upper(). Transposed where j is eliminated after i.
  struct Place {
    std::size_t offset;
    bool transposed;
  };
  Place place(int i, int j) const;
  std::size_t diagonal_offset(int node) const { return diagonal_offset_[static_cast<std::size_t>(node)]; }

  /// Zero everywhere; to be filled through the pointers below. A block is kept by columns, kStride numbers each. Upper
  /// blocks are kept transposed, so that a symmetric pair of blocks has the same place and the same numbers.
  void clear(bool general);
  double* diagonal() { return diagonal_.data(); }
  double* lower() { return lower_.data(); }
  double* upper() { return upper_.data(); }

  /// Eliminates. False where a diagonal block is singular (symmetric: not positive definite) to working precision.
  [[nodiscard]] bool factorize_symmetric();
  [[nodiscard]] bool factorize_general();
  /// x <- H^-1 x
  void solve(std::span<double> x);

 private:
  int width(int position) const;
  void place_columns();
  void plan_updates();
  bool factorize(bool general);

  std::vector<int> start_;
  std::vector<std::pair<int, int>> coupled_;  ///< input of the last analysis
  EliminationOrder order_;
  std::vector<int> node_at_, position_;  ///< order of elimination, and its inverse
  // Column p (a position): the later positions it is coupled with, ascending, and where those blocks start.
  std::vector<int> column_start_, row_;
  std::vector<std::size_t> block_offset_, diagonal_offset_;
  /// For each column, for each pair (i >= j) of its rows: where the product goes (diagonal if i = j).
  std::vector<std::size_t> update_start_, update_offset_;
  AlignedVector<double> diagonal_, inverse_, lower_, upper_, eliminated_, x_;
  double work_ = 0;
  bool general_ = false;
  Deadline deadline_;
};

}  // namespace uzawa
