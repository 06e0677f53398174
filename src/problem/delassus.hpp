#pragma once

#include <span>
#include <vector>

#include "uzawa/problem/block_matrix.hpp"
#include "uzawa/problem/compact_rows.hpp"
#include "uzawa/problem/problem.hpp"

namespace uzawa {

/// How J A^-1 J^T is kept. Automatic: the form with fewer numbers to read in a sweep over all constraints.
enum class DelassusForm { Automatic, MatrixFree, Explicit };

/// W = J A^-1 J^T as an operator that is applied to one constraint at a time, as Gauss-Seidel does: velocities are
/// updated with each change of an impulse. Two forms: matrix-free (v, and the response A^-1 J_i^T of each constraint)
/// or explicit (J v, and the blocks of W). Fixed once it is built; building again for a problem of the same shape
/// allocates nothing.
class DelassusOperator {
 public:
  /// Velocities for a method's present impulses; only the member that the form uses is kept up to date.
  struct Velocities {
    std::vector<double> v;  ///< n; matrix-free
    std::vector<double> u;  ///< J v, rows; explicit
  };

  void build(const Problem& problem, const BlockFactor& factor, const CompactRows& rows, DelassusForm form);
  /// Matrix-free J Q^-1 J^T with a simpler Q in place of A: `weight` times A in the blocks of bodies and trees,
  /// diagonal with the entries `weight` (per dof) in the others, where constraints then feel each other through shared
  /// nodes only. Zero weights: dofs that no constraint touches.
  void build_simple(const Problem& problem, const BlockFactor& factor, const CompactRows& rows,
                    std::span<const double> weight);
  /// Velocities for these impulses.
  static void reset(const Problem& problem, const BlockFactor& factor, const CompactRows& rows,
                    std::span<const double> lambda, Velocities& velocities);
  /// J_i v of one constraint.
  void constraint_velocity(const CompactRows& rows, int c, const Velocities& velocities, double* u) const;
  /// The impulse of one constraint changes by `delta`.
  void apply(const CompactRows& rows, int c, const double* delta, Velocities& velocities) const;
  /// J_i A^-1 J_i^T: dims x dims, row-major.
  const double* diagonal(int c) const { return diagonal_.data() + 9 * static_cast<std::size_t>(c); }
  bool is_explicit() const { return explicit_; }

 private:
  /// Dofs that an impulse of a constraint moves: a block of A that it is attached to, or a part of it.
  struct Touched {
    int block, offset, size;
  };
  std::span<const Touched> touched(int c) const {
    const auto begin = static_cast<std::size_t>(touched_start_[static_cast<std::size_t>(c)]);
    return {touched_.data() + begin, static_cast<std::size_t>(touched_start_[static_cast<std::size_t>(c) + 1]) - begin};
  }
  void find_touched(const Problem& problem);
  void find_constraints_of_blocks(const Problem& problem);
  void find_touched_parts(const Problem& problem, const CompactRows& rows);
  template <typename Solve>
  void build_responses(const CompactRows& rows, Solve&& solve);
  bool is_explicit_cheaper(const CompactRows& rows);
  void build_explicit(const Problem& problem, const CompactRows& rows);
  void find_neighbours(int c);

  bool explicit_ = false;
  std::vector<double> diagonal_;
  std::vector<int> touched_start_;
  std::vector<Touched> touched_;  ///< by constraint, each block once, in order
  // Response A^-1 J_i^T by constraint and touched block: dims x size, row after row.
  std::vector<std::size_t> response_start_;
  std::vector<double> response_;
  // Column i of W by blocks: constraints j with W_ji != 0, and their dims_j x dims_i block, row-major.
  std::vector<int> neighbour_start_, neighbour_;
  std::vector<std::size_t> coupling_start_;
  std::vector<double> coupling_;
  // scratch
  std::vector<int> block_start_, block_constraint_, next_, mark_, felt_;
  std::vector<double> unit_, spread_;
};

}  // namespace uzawa
