#pragma once

#include <span>
#include <string>
#include <vector>

#include "uzawa/problem/constraint_law.hpp"
#include "uzawa/problem/problem.hpp"

/// Conversion of matrices, as in problem files of other projects, to a Problem with its subsystems.
namespace uzawa {

/// A constraint with its rows of J: 3 x n or 1 x n.
struct MatrixConstraint {
  ConstraintLaw law;
  SparseRows rows;
};

/// Where to cut v into blocks: 0 = first < ... < last = n.
///
/// A block is a range of consecutive dofs, so that v keeps the file's order; interleaved components of A therefore
/// end up in one block. The rule, with the first that leaves no constraint on more than two blocks:
///   1. as fine as A allows: cut wherever no entry of A couples the two sides;
///   2. aligned chunks of 6 dofs (rigid bodies), then of 3 (planar bodies, nodes), where A never couples two chunks;
///   3. from 1., and for each constraint on more than two blocks: its blocks left of the widest gap between them become
///      one, those right of it another (of equal gaps, the one nearest to the middle).
/// `lower`: A's lower triangle.
std::vector<int> subsystem_cuts(const SparseRows& lower, std::span<const MatrixConstraint> constraints);

/// Rows of J over all of v (3 x n or 1 x n) as attachments, one for each block that they touch.
std::vector<Attachment> attach_rows(Problem& problem, const SparseRows& rows);

/// The general form: A (symmetric, whole), b, constraints. Throws InputError naming `source` where A is not symmetric.
Problem from_matrices(const SparseRows& a, const std::vector<double>& b,
                      const std::vector<MatrixConstraint>& constraints, const std::string& source);

/// The local form u = W lambda + q, as a general one: W = L L^T, A = 1, J = L, L b the part of q in the range of L and
/// e the rest. One block per island of contacts. `w`: symmetric, whole, 3 rows t1, t2, n a contact; sizes must agree.
/// What rounding has cost W is noted in the problem's comment.
Problem from_delassus(const SparseRows& w, const std::vector<double>& q, const std::vector<FrictionCone>& cones,
                      const std::string& source);

}  // namespace uzawa
