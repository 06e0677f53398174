#pragma once

#include <span>
#include <vector>

#include "uzawa/problem/prepared_problem.hpp"

namespace uzawa {

/// Velocities of the constraints as a function of all impulses at once, u = J A^-1 (b + J^T lambda): what gradient
/// methods on the Delassus operator evaluate. Matrix-free (a solve with the factor of A) or with all entries of
/// J A^-1 J^T.
class ConstraintVelocity {
 public:
  /// Explicit: computes the entries; otherwise matrix-free.
  void prepare(PreparedProblem& prepared, DelassusForm form);
  void evaluate(std::span<const double> lambda, std::vector<double>& u);

 private:
  const PreparedProblem* prepared_ = nullptr;
  const CompactRows* rows_ = nullptr;
  const DelassusOperator* delassus_ = nullptr;  ///< null: matrix-free
  std::vector<double> v_;
  DelassusOperator::Velocities velocities_;
};

/// Effective mass of each constraint for each of its rows, dims / trace(J_i diag(A)^-1 J_i^T), kg: an estimate without
/// a solve a row. 1 where nothing moves. `diagonal`: scratch.
void estimate_masses(PreparedProblem& prepared, std::vector<double>& diagonal, std::vector<double>& masses);

}  // namespace uzawa
