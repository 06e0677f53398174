#pragma once

#include <span>
#include <vector>

#include "uzawa/problem/block_matrix.hpp"
#include "uzawa/problem/compact_rows.hpp"
#include "uzawa/problem/problem.hpp"

namespace uzawa {

/// trace(J_i A^-1 J_i^T) of each constraint, 1/kg: how easily impulses of the constraint move its bodies; 0 where
/// nothing moves. dims/trace is the effective mass of a constraint. Computed in closed form for free bodies and along
/// paths of trees, at a fraction of the cost of the blocks of the Delassus operator.
class Mobility {
 public:
  void build(const Problem& problem, const BlockFactor& factor, const CompactRows& rows);
  std::span<const double> traces() const { return traces_; }
  /// Of one constraint, where few are asked for.
  double trace(const Problem& problem, const BlockFactor& factor, const CompactRows& rows, int c);

 private:
  std::vector<double> traces_;
  std::vector<double> x_;  ///< scratch over the dofs, zero between uses
};

}  // namespace uzawa
