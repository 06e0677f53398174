#pragma once

#include <span>
#include <vector>

#include "uzawa/math/nodal/nodal_solver.hpp"
#include "uzawa/problem/compact_rows.hpp"

namespace uzawa {

/// A + beta sum w_i J_i^T J_i of a soft body or rod, in the pattern of A: a constraint holds a node, the corners of a
/// face, or the two nodes of a link, and A couples those already. So its factor is as sparse as that of A; where even
/// that is dear, each system is solved by iterations from the solution of the last one.
class NodalPenalty {
 public:
  /// False where a constraint couples nodes that A does not: nothing may be factorised then.
  [[nodiscard]] bool prepare(const NodalMatrix& a, const CompactRows& rows);
  /// `weights`: one a constraint. False where the sum is not positive definite.
  [[nodiscard]] bool factorize(const NodalMatrix& a, const CompactRows& rows, std::span<const double> weights,
                               double beta);
  void solve(std::span<double> x);

 private:
  NodalMatrix sum_;
  NodalSolver solver_;
  std::vector<double> last_;  ///< solution; empty: none with this matrix
  double scale_ = 0;          ///< energy size of the first right side
};

}  // namespace uzawa
