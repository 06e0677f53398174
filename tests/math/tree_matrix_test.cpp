#include "uzawa/math/tree_matrix.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "uzawa/math/tree_inertia.hpp"

namespace uzawa {
namespace {

std::shared_ptr<const TreeTopology> random_topology(std::mt19937_64& random, int links) {
  std::vector<int> parents, dofs;
  for (int i = 0; i < links; ++i) {
    parents.push_back(std::uniform_int_distribution<int>(-1, i - 1)(random));
    dofs.push_back(std::uniform_int_distribution<int>(1, 3)(random));
  }
  return std::make_shared<const TreeTopology>(parents, dofs);
}

/// Diagonally dominant, so positive definite.
TreeMatrix random_matrix(const std::shared_ptr<const TreeTopology>& topology, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  TreeMatrix a(topology);
  for (int i = 0; i < a.size(); ++i) {
    const std::span<const int> path = topology->path(i);
    for (std::size_t k = 0; k + 1 < path.size(); ++k) {
      const double value = normal(random);
      a.row(i)[k] = value;
      a.diagonal(i) += std::abs(value);
      a.diagonal(path[k]) += std::abs(value);
    }
    a.diagonal(i) += 0.1;
  }
  return a;
}

Eigen::MatrixXd dense(const TreeMatrix& a) {
  Eigen::MatrixXd out(a.size(), a.size());
  a.to_dense({out.data(), static_cast<std::size_t>(out.size())});
  return out;
}

RC_GTEST_PROP(TreeMatrixTest, SolvesAndMultipliesLikeADenseMatrix, (unsigned seed)) {
  std::mt19937_64 random(seed);
  const auto topology = random_topology(random, 1 + static_cast<int>(seed % 12));
  const TreeMatrix a = random_matrix(topology, random);
  const Eigen::MatrixXd full = dense(a);
  const Eigen::VectorXd b = Eigen::VectorXd::Random(a.size());

  Eigen::VectorXd product(a.size());
  a.multiply({b.data(), static_cast<std::size_t>(b.size())}, {product.data(), static_cast<std::size_t>(b.size())});
  RC_ASSERT((product - full * b).norm() <= 1e-12 * (1 + full.norm()));

  TreeMatrix factor(topology);
  RC_ASSERT(factor.factorize(a));
  Eigen::VectorXd x = b;
  factor.solve({x.data(), static_cast<std::size_t>(x.size())});
  RC_ASSERT((full * x - b).norm() <= 1e-10 * (1 + b.norm()));

  // Two right-hand sides, of which one is sparse.
  const Eigen::VectorXd sparse = Eigen::VectorXd::Unit(a.size(), a.size() - 1);
  Eigen::VectorXd first = b, second = sparse;
  factor.solve({first.data(), static_cast<std::size_t>(b.size())}, {second.data(), static_cast<std::size_t>(b.size())});
  RC_ASSERT((full * first - b).norm() <= 1e-10 * (1 + b.norm()));
  RC_ASSERT((full * second - sparse).norm() <= 1e-10);
}

RC_GTEST_PROP(TreeMatrixTest, FactorisesInPlace, (unsigned seed)) {
  std::mt19937_64 random(seed);
  const auto topology = random_topology(random, 6);
  TreeMatrix a = random_matrix(topology, random);
  TreeMatrix factor(topology);
  RC_ASSERT(factor.factorize(a));
  RC_ASSERT(a.factorize(a));
  RC_ASSERT(dense(a) == dense(factor));
}

RC_GTEST_PROP(TreeMatrixTest, DiagonalOfTheInverseIsThatOfADenseInverse, (unsigned seed)) {
  std::mt19937_64 random(seed);
  const auto topology = random_topology(random, 1 + static_cast<int>(seed % 12));
  const TreeMatrix a = random_matrix(topology, random);
  const Eigen::MatrixXd inverse = dense(a).inverse();
  TreeMatrix factor(topology);
  RC_ASSERT(factor.factorize(a));
  std::vector<double> scratch(static_cast<std::size_t>(a.size()) + 3, 7.0);  // left over from something else
  for (int i = 0; i < a.size(); ++i) {
    RC_ASSERT(std::abs(factor.inverse_diagonal(i, scratch) - inverse(i, i)) <= 1e-10 * inverse(i, i));
  }
}

TEST(TreeMatrixTest, RefusesAnIndefiniteMatrix) {
  const auto topology = std::make_shared<const TreeTopology>(std::vector<int>{-1, 0}, std::vector<int>{1, 1});
  TreeMatrix a(topology), factor(topology);
  a.diagonal(0) = 1;
  a.diagonal(1) = 1;
  a.row(1)[0] = 2;  // eigenvalues 3 and -1
  EXPECT_FALSE(factor.factorize(a));
  a.row(1)[0] = 0.5;
  EXPECT_TRUE(factor.factorize(a));
  a.diagonal(1) = std::nan("");
  EXPECT_FALSE(factor.factorize(a));
}

TEST(TreeMatrixTest, SparseRightHandSideTouchesItsTreeOnly) {
  const auto topology = std::make_shared<const TreeTopology>(std::vector<int>{-1, -1}, std::vector<int>{2, 2});
  std::mt19937_64 random(1);
  TreeMatrix factor(topology);
  ASSERT_TRUE(factor.factorize(random_matrix(topology, random)));
  std::vector<double> x = {0, 1, 0, 0};
  factor.solve(x);
  EXPECT_NE(x[0], 0);
  EXPECT_EQ(x[2], 0);
  EXPECT_EQ(x[3], 0);
}

/// Tree inertia with random subspaces and inertias: both routes of tree_inertia.hpp against the definition
/// sum J^T H J + diag.
RC_GTEST_PROP(TreeInertiaTest, BothRoutesAreTheMatrixOfTheDefinition, (unsigned seed)) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  const auto vec = [&] {
    const double x = normal(random), y = normal(random), z = normal(random);
    return Vec3{x, y, z};
  };
  const auto topology = random_topology(random, 1 + static_cast<int>(seed % 8));
  TreeInertia tree(topology);
  for (Motion& s : tree.subspace) {
    s.angular = vec();
    s.linear = vec();
  }
  for (SpatialInertia& inertia : tree.inertia) {
    for (int k = 0; k < 4; ++k) inertia.add_point_mass(std::abs(normal(random)) + 0.1, vec());
  }
  for (double& d : tree.diagonal) d = std::abs(normal(random));

  const int n = topology->dofs();
  Eigen::MatrixXd expected = Eigen::VectorXd::Map(tree.diagonal.data(), n).asDiagonal();
  for (int link = 0; link < topology->links(); ++link) {
    for (const int i : topology->path(topology->last_dof(link))) {
      const Force momentum = tree.inertia[static_cast<std::size_t>(link)] * tree.subspace[static_cast<std::size_t>(i)];
      for (const int j : topology->path(topology->last_dof(link))) {
        expected(i, j) += dot(tree.subspace[static_cast<std::size_t>(j)], momentum);
      }
    }
  }
  std::vector<SpatialInertia> scratch(tree.inertia.size());
  TreeMatrix a(topology);
  assemble(tree, scratch, a);
  RC_ASSERT((dense(a) - expected).norm() <= 1e-12 * expected.norm());

  ArticulatedFactor factor(topology);
  RC_ASSERT(factor.factorize(tree));
  Eigen::VectorXd b = Eigen::VectorXd::Random(n), x = b;
  factor.solve(tree, {x.data(), static_cast<std::size_t>(n)});
  const Eigen::VectorXd direct = expected.llt().solve(b);
  const double condition = expected.norm() * expected.inverse().norm();
  RC_ASSERT((x - direct).norm() <= 1e-14 * condition * (1 + direct.norm()));
}

TEST(TreeInertiaTest, MasslessTreeIsRefused) {
  const auto topology = std::make_shared<const TreeTopology>(std::vector<int>{-1}, std::vector<int>{1});
  TreeInertia tree(topology);
  tree.subspace[0].angular = {0, 0, 1};
  ArticulatedFactor factor(topology);
  EXPECT_FALSE(factor.factorize(tree));
}

}  // namespace
}  // namespace uzawa
