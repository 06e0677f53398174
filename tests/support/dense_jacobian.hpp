#pragma once

#include <Eigen/Dense>

#include "uzawa/problem/problem.hpp"

/// J from the definition of attachments (problem.hpp), joint by joint and dense: an oracle that shares no code with
/// constraint_rows, CompactRows or SubADMM's sides.
namespace uzawa::test {

/// Velocity of an attachment's point for unit speed of each dof, world axes: 3 x n.
Eigen::MatrixXd point_jacobian(const Problem& problem, const Attachment& attachment);
/// One attachment's share of J: dims x n. A LinkPoint has three rows (t1, t2, n) where dims is 3, n alone where it
/// is 1.
Eigen::MatrixXd attachment_jacobian(const Problem& problem, const Attachment& attachment, int dims);
/// All of J: rows x n.
Eigen::MatrixXd dense_jacobian(const Problem& problem);

}  // namespace uzawa::test
