#pragma once

#include <span>
#include <vector>

#include "uzawa/problem/judge.hpp"
#include "uzawa/solver/compact_rows.hpp"

namespace uzawa {

/// W = J A^-1 J^T as an operator that changes with one constraint at a time, which is what Gauss-Seidel needs: it keeps
/// J v up to date while impulses change. Two forms, the cheaper one is taken: matrix-free (keeps v, and the response
/// A^-1 J_i^T of each constraint) or explicit (keeps J v, and the blocks of W).
class DelassusOperator {
 public:
  enum class Form { Automatic, MatrixFree, Explicit };

  void prepare(const Problem& problem, const Judge& judge, const CompactRows& rows, Form form = Form::Automatic);
  /// Sets J v for these impulses.
  void reset(const Problem& problem, const Judge& judge, const CompactRows& rows, std::span<const double> lambda);
  /// J_i v of one constraint.
  void constraint_velocity(const CompactRows& rows, int c, double* u) const;
  /// The impulse of one constraint changes by `delta`.
  void apply(const CompactRows& rows, int c, const double* delta);
  /// J_i A^-1 J_i^T: dims x dims, row-major.
  const double* diagonal(int c) const { return diagonal_.data() + 9 * static_cast<std::size_t>(c); }
  bool is_explicit() const { return explicit_; }

 private:
  void build_responses(const Problem& problem, const Judge& judge, const CompactRows& rows);
  void build_explicit(const Problem& problem, const CompactRows& rows);

  bool explicit_ = false;
  std::vector<double> v_, u_, diagonal_;
  // Response A^-1 J_i^T over the dofs it reaches, dims x width, row after row.
  std::vector<int> response_start_, response_column_;
  std::vector<std::size_t> response_value_start_;
  std::vector<double> response_;
  // Column i of W by blocks: which constraints feel i, and their dims_j x dims_i block, row-major.
  std::vector<int> neighbour_start_, neighbour_;
  std::vector<std::size_t> coupling_start_;
  std::vector<double> coupling_;
};

}  // namespace uzawa
