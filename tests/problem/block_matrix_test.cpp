#include "uzawa/problem/block_matrix.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "problem/random_problem.hpp"

namespace uzawa::test {
namespace {

Eigen::Map<Eigen::VectorXd> map(std::vector<double>& x) { return {x.data(), static_cast<Eigen::Index>(x.size())}; }

/// A x and A^-1 A x against dense matrices made from the definitions, for a problem with every kind of block.
void expect_agreement(const Problem& problem, BlockFactor& factor, Random& random) {
  const Eigen::MatrixXd a = dense_a(problem);
  std::vector<double> x(problem.b.size()), y(problem.b.size());
  for (double& value : x) value = uniform(random, -1, 1);
  multiply(problem, x, y);
  const double scale = a.cwiseAbs().maxCoeff();
  EXPECT_LT((map(y) - a * map(x)).cwiseAbs().maxCoeff(), 1e-13 * scale);

  ASSERT_TRUE(factor.factorize(problem));
  std::vector<double> solved = y;
  factor.solve(solved);
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(a);
  const double condition = svd.singularValues()(0) / svd.singularValues()(a.rows() - 1);
  EXPECT_LT((map(solved) - map(x)).norm(), 1e-14 * condition * map(x).norm());
  const Block& last = problem.blocks.back();
  std::vector<double> part(y.begin() + last.offset, y.end());
  factor.solve_block(static_cast<int>(problem.blocks.size()) - 1, part);
  EXPECT_TRUE(std::equal(part.begin(), part.end(), solved.begin() + last.offset));
}

RC_GTEST_PROP(BlockMatrix, MultiplyAndSolveAgreeWithDense, (unsigned seed)) {
  Random random(seed);
  BlockFactor factor;
  expect_agreement(random_problem(random), factor, random);
  RC_ASSERT(!::testing::Test::HasFailure());
}

/// One factor for problems of changing shape, in particular of the same number of entries at other places.
TEST(BlockMatrix, FactorFollowsAChangeOfPattern) {
  const auto problem_with = [](int row, int column) {
    Eigen::MatrixXd a = 2 * Eigen::MatrixXd::Identity(4, 4);
    a(row, column) = 1;
    Problem problem;
    problem.add_sparse({sparse(a)}, {1, 2, 3, 4});
    return problem;
  };
  Random random(1);
  BlockFactor factor;
  expect_agreement(problem_with(1, 0), factor, random);
  expect_agreement(problem_with(3, 1), factor, random);
  expect_agreement(problem_with(2, 1), factor, random);
  for (int i = 0; i < 5; ++i) expect_agreement(random_problem(random), factor, random);
}

TEST(BlockMatrix, NamesTheBlockThatIsNotPositiveDefinite) {
  Random random(3);
  for (int bad = 0; bad < 3; ++bad) {
    Problem problem;
    problem.add_body(random_inertia(random), {});
    const TreeInertia tree = random_tree(random, 2);
    problem.add_tree(tree, std::vector<double>(tree.diagonal.size()));
    problem.add_sparse(random_sparse(random, 4), std::vector<double>(4));
    BlockFactor factor;
    ASSERT_TRUE(factor.factorize(problem));
    EXPECT_EQ(factor.bad_block(), -1);
    if (bad == 0) problem.bodies[0].mass = -1;
    if (bad == 1) problem.trees[0].diagonal[0] = -1e3;
    if (bad == 2) problem.sparse[0].lower.value[0] = -1;
    EXPECT_FALSE(factor.factorize(problem));
    EXPECT_EQ(factor.bad_block(), bad);
  }
}

}  // namespace
}  // namespace uzawa::test
