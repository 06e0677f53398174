#pragma once

#include <memory>
#include <span>
#include <vector>

#include "uzawa/math/nodal/nodal_cholesky.hpp"
#include "uzawa/problem/problem.hpp"

namespace uzawa {

/// A problem without the nodes of soft bodies that no constraint touches. With c the touched nodes of a block and i the
/// others, A v = b + J^T lambda is equivalent to
///
///     (A_cc - A_ci A_ii^-1 A_ic) v_c = b_c - A_ci A_ii^-1 b_i + J_c^T lambda,      A_ii v_i = b_i - A_ic v_c
///
/// exactly: constraints, impulses and residuals are the same, and a method that factorises once an iteration does so
/// with a few hundred dofs in place of thousands. A block is condensed where that is less work than the sparse factor
/// of the whole: not where most of its nodes are touched, and not if it is a rod.
class Condensation {
 public:
  /// True where some block is condensed; then `reduced` is the problem to solve. False (nothing to do) otherwise, and
  /// where a block is not positive definite. `may_iterate`: a soft body by itself stays as it is where iterations are
  /// cheaper than any factor (NodalSolver).
  [[nodiscard]] bool condense(const Problem& whole, bool may_iterate = false);
  const Problem& reduced() const { return reduced_; }
  /// v of the whole problem for a solution of the reduced one.
  void expand(const Problem& whole, std::span<const double> reduced_v, std::span<double> v);

 private:
  struct Slot {
    std::vector<int> touched;  ///< nodes, ascending
    std::vector<int> place;    ///< per node: among `touched`, -1: condensed
    NodalCholesky factor;      ///< of the whole block, touched nodes last
    NodalCholesky plain;       ///< analysed only: what the sparse factor of the whole would cost
    std::vector<double> b;     ///< of the touched nodes
    bool condensed = false;
  };
  void find_touched(const Problem& whole);
  bool is_worth_it(const NodalMatrix& matrix, bool may_iterate, Slot& slot) const;
  [[nodiscard]] bool reduce_blocks(const Problem& whole);
  static void write_dense(const Slot& slot, SparseRows& lower);
  void copy_constraints(const Problem& whole);

  std::vector<std::unique_ptr<Slot>> slots_;  ///< per nodal block
  Problem reduced_;
  std::vector<NodalMatrix> spare_nodal_;
  std::vector<SparseBlock> spare_sparse_;
};

}  // namespace uzawa
