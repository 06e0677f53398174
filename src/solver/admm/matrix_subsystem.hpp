#pragma once

#include <span>
#include <vector>

#include "uzawa/problem/compact_rows.hpp"
#include "uzawa/problem/problem.hpp"
#include "uzawa/solver/admm/nodal_penalty.hpp"
#include "uzawa/solver/linear/newton_matrix.hpp"

namespace uzawa {

/// A subsystem without structure to keep: A_j + beta sum J_ij^T J_ij with explicit rows, dense or sparse as its size
/// asks for ([SUB] eq. 15), or in the pattern of A_j if it is a soft body or a rod. It has one block of the problem or
/// several; with all blocks it is the system matrix of [AL] eq. 29.
class MatrixSubsystem {
 public:
  /// Blocks [first, end) of the problem.
  void start(const Problem& problem, int first, int end);
  /// Adds a constraint's rows on these blocks; its index i is the number of calls before. `j`: all of J.
  void add(const Problem& problem, const SparseRows& j, int constraint);
  void finish();

  /// Penalty of the i-th added constraint, in multiples of beta.
  void set_weight(int i, double weight);
  [[nodiscard]] bool factorize(double beta);
  /// v <- (A + beta J^T J)^-1 (b + J^T g) on the subsystem's part of v; g per constraint, n in z.
  void solve(const Problem& problem, const Vec3* g, double* v);
  /// J_i v of the i-th added constraint; of a scalar one in z.
  Vec3 velocity(int i, const double* v) const;

 private:
  int offset_ = 0;   ///< first dof in v
  Problem part_;     ///< blocks and kinds of the constraints; rows_ in place of attachments
  SparseRows rows_;  ///< J of the part
  CompactRows compact_;
  NewtonMatrix matrix_;
  LawDerivatives weights_;  ///< weights of the constraints, in place of D
  bool nodal_ = false;      ///< penalty_ is used in place of matrix_
  NodalPenalty penalty_;
  std::vector<double> plain_weights_;  ///< one a constraint
};

}  // namespace uzawa
