#include "uzawa/problem_io/from_matrices.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "problem/random_problem.hpp"

namespace uzawa::test {
namespace {

using Couplings = std::vector<std::pair<int, int>>;

SparseRows coupled(int n, const Couplings& couplings) {
  Eigen::MatrixXd a = 10 * Eigen::MatrixXd::Identity(n, n);
  for (const auto& [r, c] : couplings) a(r, c) = a(c, r) = 1;
  return sparse(a);
}
MatrixConstraint touching(int n, const std::vector<int>& dofs) {
  Eigen::MatrixXd j = Eigen::MatrixXd::Zero(1, n);
  for (const int d : dofs) j(0, d) = 1 + d;
  MatrixConstraint out{{}, sparse(j)};
  out.law.kind = ConstraintKind::Hard;
  return out;
}
/// Offsets of the blocks, with n at the end.
std::vector<int> cuts(int n, const Couplings& couplings, const std::vector<std::vector<int>>& constraints) {
  std::vector<MatrixConstraint> list;
  for (const std::vector<int>& dofs : constraints) list.push_back(touching(n, dofs));
  const Problem problem =
      from_matrices(coupled(n, couplings), std::vector<double>(static_cast<std::size_t>(n)), list, "test");
  validate(problem);
  std::vector<int> out;
  for (const Block& block : problem.blocks) out.push_back(block.offset);
  out.push_back(n);
  return out;
}
using Cuts = std::vector<int>;

TEST(Subsystems, AsFineAsAAllows) {
  EXPECT_EQ(cuts(4, {}, {}), (Cuts{0, 1, 2, 3, 4}));
  EXPECT_EQ(cuts(4, {{0, 1}, {2, 3}}, {}), (Cuts{0, 2, 4}));
  EXPECT_EQ(cuts(4, {{0, 1}, {2, 3}}, {{0, 3}, {1, 2}}), (Cuts{0, 2, 4}));
}
TEST(Subsystems, InterleavedComponentsShareABlock) {
  EXPECT_EQ(cuts(5, {{0, 2}, {1, 3}}, {}), (Cuts{0, 4, 5}));
  EXPECT_EQ(cuts(5, {{0, 4}}, {}), (Cuts{0, 5}));
}
TEST(Subsystems, DiagonalBodiesBecomeChunks) {
  EXPECT_EQ(cuts(18, {}, {{0, 1, 2, 3, 4, 5}, {0, 1, 5, 12, 13, 16}}), (Cuts{0, 6, 12, 18}));
  EXPECT_EQ(cuts(9, {}, {{0, 1, 2, 6, 7, 8}}), (Cuts{0, 3, 6, 9}));
  // Six does not do (three chunks in one constraint), nor does three.
  EXPECT_EQ(cuts(18, {}, {{0, 1, 7, 13}}), (Cuts{0, 2, 3, 4, 5, 6, 7, 14, 15, 16, 17, 18}));
  // A couples across the border of a chunk of six, not of one of three.
  EXPECT_EQ(cuts(12, {{2, 1}, {6, 8}}, {{0, 1, 2, 9, 10, 11}}), (Cuts{0, 6, 12}));
  EXPECT_EQ(cuts(12, {{5, 6}}, {{0, 1, 2}}), (Cuts{0, 1, 3, 4, 5, 7, 8, 9, 10, 11, 12}));
}
TEST(Subsystems, MergingLeavesPairs) {
  // Seven dofs: no chunks. Widest gap between 1 and 5.
  EXPECT_EQ(cuts(7, {}, {{0, 1, 5, 6}}), (Cuts{0, 2, 3, 4, 5, 7}));
  // No gap: split in the middle.
  EXPECT_EQ(cuts(7, {}, {{0, 1, 2, 3}}), (Cuts{0, 2, 4, 5, 6, 7}));
}
TEST(Subsystems, ConstraintWithoutEntriesHasNoAttachment) {
  const Problem problem = from_matrices(coupled(2, {}), {1, 2}, {touching(2, {})}, "test");
  validate(problem);
  EXPECT_EQ(problem.attachments.size(), 0U);
  EXPECT_EQ(problem.rows, 1);
}

/// Whatever the couplings: A, J and b are those of the file, and no constraint is on more than two blocks.
RC_GTEST_PROP(Subsystems, KeepTheMatrices, (unsigned seed)) {
  Random random(seed);
  const auto pick = [&](int below) { return static_cast<int>(uniform(random, 0, below)); };
  const int n = 1 + pick(30);
  Eigen::MatrixXd a = 50 * Eigen::MatrixXd::Identity(n, n);
  for (int k = pick(10); k > 0; --k) {
    const int r = pick(n), c = std::min(n - 1, r + pick(4));
    if (r != c) a(r, c) = a(c, r) = uniform(random, -1, 1);
  }
  std::vector<MatrixConstraint> constraints;
  Eigen::MatrixXd j(0, n);
  for (int k = pick(6); k > 0; --k) {
    std::vector<int> dofs;
    for (int i = pick(8); i > 0; --i) dofs.push_back(pick(n));
    constraints.push_back(touching(n, dofs));
    j.conservativeResize(j.rows() + 1, n);
    j.row(j.rows() - 1) = dense(constraints.back().rows);
  }
  std::vector<double> b(static_cast<std::size_t>(n));
  for (double& value : b) value = uniform(random, -1, 1);
  const Problem problem = from_matrices(sparse(a), b, constraints, "test");
  validate(problem);
  RC_ASSERT(dense_a(problem) == a);
  RC_ASSERT(dense(constraint_rows(problem)) == j);
  RC_ASSERT(problem.b == b);
  for (std::size_t c = 0; c < constraints.size(); ++c) {
    RC_ASSERT(problem.attachment_start[c + 1] - problem.attachment_start[c] <= 2);
  }
}

}  // namespace
}  // namespace uzawa::test
