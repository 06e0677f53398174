#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "uzawa/math/tree_matrix.hpp"
#include "uzawa/problem/block_matrix.hpp"
#include "uzawa/problem/compact_rows.hpp"
#include "uzawa/problem/problem.hpp"

namespace uzawa {

/// The lower triangle of A by rows, diagonal last in each.
class LowerTriangle {
 public:
  /// Fills in A; allocates only where it is larger than any before. `known`: the trees' blocks, or null: they are
  /// assembled.
  void build(const Problem& problem, const BlockFactor* known);
  const SparseRows& rows() const { return rows_; }

 private:
  void add_row(int offset, std::span<const int> columns, const double* values);
  void add_body(const Block& block, const SpatialInertia& inertia);
  void add_tree(const Block& block, const TreeMatrix& matrix);
  const TreeMatrix& assembled(const TreeInertia& tree);

  SparseRows rows_;
  TreeMatrix tree_matrix_;
  std::vector<SpatialInertia> composite_;
};

/// Splits the dofs into nodes for BlockSparse, each a run of dofs that are coupled with the same others: a free body;
/// an unbranched stretch of a tree, so that eliminating limbs before trunk keeps the tree's sparsity; in a sparse
/// block, dofs that share their neighbours in A and their constraints (the three of a mesh node, say).
class NodePartition {
 public:
  void build(const Problem& problem, const SparseRows& a, const CompactRows& rows);
  /// Node k: dofs [start[k], start[k + 1]).
  std::span<const int> start() const { return start_; }
  int node_of(int dof) const { return node_of_[static_cast<std::size_t>(dof)]; }

 private:
  void split_tree(const Block& block, const TreeTopology& topology);
  void split_dense(const Block& block);
  void split_sparse(const Block& block);
  void hash_neighbours(const SparseRows& a, const CompactRows& rows);

  std::vector<int> start_, node_of_, children_;
  std::vector<std::uint64_t> neighbours_,
      constraints_;  ///< per dof: hashes of its neighbours in A and of its constraints
};

}  // namespace uzawa
