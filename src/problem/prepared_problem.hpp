#pragma once

#include <span>
#include <vector>

#include "uzawa/problem/block_matrix.hpp"
#include "uzawa/problem/compact_rows.hpp"
#include "uzawa/problem/delassus.hpp"
#include "uzawa/problem/mobility.hpp"
#include "uzawa/problem/problem.hpp"

namespace uzawa {

/// A problem with the data that methods and judge derive from it: factors of A, J as explicit rows, the velocities
/// without impulses, and, on demand, J in dense pieces, the Delassus operator and the mobility of each constraint. Made
/// once a problem, however many methods work on it. Preparing again allocates only for problems larger than before.
class PreparedProblem {
 public:
  PreparedProblem() = default;
  explicit PreparedProblem(const Problem& problem) { prepare(problem); }
  /// Factorises A. `problem` must outlive the use of the prepared data, and must not change. Throws InputError where A
  /// is not positive definite. `may_iterate`: see BlockFactor; for methods that solve few systems with A.
  void prepare(const Problem& problem, bool may_iterate = false);
  /// Prepares all but the factors of A and what is computed by them, for methods that may do without. The judge can't.
  void prepare_rows(const Problem& problem);
  /// Factorises A where that was left out.
  void factorize(bool may_iterate = false);

  const Problem& problem() const { return *problem_; }
  const BlockFactor& factor() const { return factor_; }  ///< of A
  const SparseRows& rows() const { return rows_; }       ///< J
  /// A^-1 b, n, and J A^-1 b, rows; by iterations to six digits: they are what velocities are measured by.
  std::span<const double> free_velocity() const { return free_velocity_; }
  std::span<const double> free_constraint_velocity() const { return free_u_; }
  /// v = A^-1 (b + J^T lambda)
  void velocity(std::span<const double> lambda, std::span<double> v) const;
  /// u = J v
  void constraint_velocity(std::span<const double> v, std::span<double> u) const;
  /// Wall time that prepare() took, s: a part of the time of every solve.
  double seconds() const { return seconds_; }

  // Computed at the first call; not to be called by several threads at once.
  const CompactRows& compact_rows();
  const DelassusOperator& delassus(DelassusForm form);
  /// trace(J_i A^-1 J_i^T) of each constraint; see Mobility.
  std::span<const double> mobility();
  /// The same of one constraint, where few are asked for: computed in each call.
  double mobility_of(int constraint);

 private:
  const Problem* problem_ = nullptr;
  BlockFactor factor_;
  SparseRows rows_;
  std::vector<double> free_velocity_, free_u_;
  mutable std::vector<double> last_v_;  ///< of the last impulses: where iterations start; empty: none
  double seconds_ = 0;
  bool factorized_ = false;

  struct Made {
    bool compact_rows = false, delassus = false, mobility = false;
    DelassusForm form = DelassusForm::Automatic;  ///< of the operator
  } made_;
  CompactRows compact_rows_;
  DelassusOperator delassus_;
  Mobility mobility_;
};

}  // namespace uzawa
