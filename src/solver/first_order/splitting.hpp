#pragma once

#include <span>
#include <vector>

#include "uzawa/problem/prepared_problem.hpp"

namespace uzawa {

/// The weight Q of a splitting v = z of the velocities that constraints touch, and the linear solve that comes with it:
///
///     (A + Q) v = b + J^T lambda + Q z.
///
/// Q is diagonal at nodes, in proportion to the nodes' diagonal blocks of A, so that constraints at different nodes do
/// not feel each other through Q; a multiple of A in the blocks of bodies and trees, which have no nodes; zero where no
/// constraint takes hold. The unit of Q is what the nodes of a block resist with on average, neighbours included: 1
/// over the mean diagonal of A^-1 there, which is far below the diagonal of A in stiff bodies. Setting it up again for
/// a problem of the same shape allocates nothing.
class ConstraintSplitting {
 public:
  void prepare(PreparedProblem& prepared);
  /// Q = `penalty` units; factorises A + Q. False where that is not positive definite.
  [[nodiscard]] bool set_penalty(double penalty);
  /// v: b + J^T lambda on entry.
  void solve(std::span<const double> z, std::span<double> v) const;
  /// Some constraints feel each other through Q: they share a dof of a node, or there are bodies or trees.
  bool couples_constraints() const { return couples_; }
  /// Per dof; for DelassusOperator::build_simple.
  std::span<const double> weight() const { return weight_; }

 private:
  bool is_node_block(const Block& block) const {
    return block.kind == BlockKind::Nodal || block.kind == BlockKind::Sparse;
  }
  void find_scales();
  double yielding(int block);

  PreparedProblem* prepared_ = nullptr;
  double penalty_ = 0;
  bool couples_ = false;
  std::vector<double> scale_;   ///< per dof: the weight at penalty 1 as a mass, zero where nothing takes hold
  std::vector<double> probe_;   ///< scratch, a block
  std::vector<double> weight_;  ///< per dof
  Problem nodes_;               ///< A + Q of the blocks with nodes
  BlockFactor factor_;
  std::vector<int> place_;  ///< per block of the problem: its place in nodes_
};

}  // namespace uzawa
