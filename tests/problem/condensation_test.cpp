#include "uzawa/problem/condensation.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "problem/random_problem.hpp"
#include "support/dense_jacobian.hpp"
#include "uzawa/base/at.hpp"

namespace uzawa::test {

namespace {

/// A body and a cube of n x n x n nodes, coupled with their neighbours, that a few constraints hold.
Problem held_cube(Random& random, int n) {
  std::vector<std::pair<int, int>> couples;
  const auto node = [n](int x, int y, int z) { return (z * n + y) * n + x; };
  for (int z = 0; z < n; ++z) {
    for (int y = 0; y < n; ++y) {
      for (int x = 0; x < n; ++x) {
        if (x > 0) couples.emplace_back(node(x, y, z), node(x - 1, y, z));
        if (y > 0) couples.emplace_back(node(x, y, z), node(x, y - 1, z));
        if (z > 0) couples.emplace_back(node(x, y, z), node(x, y, z - 1));
      }
    }
  }
  NodalMatrix a(std::make_shared<const NodalPattern>(make_nodal_pattern(n * n * n, couples)));
  for (std::size_t i = 0; i < a.pattern->blocks(); ++i) {
    for (int k = 0; k < 3; ++k) a.block(i)[4 * k] = -1;
  }
  for (int i = 0; i < a.nodes(); ++i) {
    for (int k = 0; k < 3; ++k) a.block(a.pattern->diagonal(i))[4 * k] = 6 + uniform(random, 0.1, 1);
  }
  Problem problem;
  problem.name = "cube";
  problem.add_body(random_inertia(random), {1, 2, 3, 4, 5, 6});
  std::vector<double> b(3 * at(a.nodes()));
  for (double& value : b) value = uniform(random, -1, 1);
  problem.add_nodal(std::move(a), b);
  for (int x = 0; x < 3; ++x) {
    Attachment nodes, body;
    nodes.kind = AttachmentKind::Nodes;
    nodes.block = 1;
    nodes.node = {node(x, 0, 0), node(x + 1, 0, 0), node(x, 1, 0), -1};
    nodes.weight = {0.2, 0.3, 0.5, 0};
    nodes.frame = random_frame(random);
    body.kind = AttachmentKind::LinkPoint;
    body.point = random_vec3(random);
    body.frame = nodes.frame;
    body.sign = -1;
    problem.add_contact({0.5, 0.5}, {0, 0, 0.1}, {nodes, body});
  }
  Attachment dof;
  dof.kind = AttachmentKind::Coordinate;
  dof.block = 1;
  dof.dof = 3 * node(n - 1, n - 1, n - 1) + 1;
  problem.add_equality(0.3, {dof});
  SparseRows row;
  row.clear(problem.blocks[1].size);
  row.column = {4, 3 * node(1, 1, 1)};
  row.value = {1, -2};
  row.start = {0, 2};
  problem.add_limit(-1, 1, {problem.explicit_rows(1, row)});
  return problem;
}

}  // namespace

/// The oracle is dense: A^-1 (b + J^T lambda) and J of the whole problem.
TEST(CondensationTest, SameVelocitiesForAnyImpulses) {
  Random random(7);
  const Problem whole = held_cube(random, 5);
  Condensation condensation;
  ASSERT_TRUE(condensation.condense(whole));
  const Problem& reduced = condensation.reduced();
  EXPECT_NO_THROW(validate(reduced));
  EXPECT_LT(reduced.n(), 6 + 3 * 20);
  for (int trial = 0; trial < 3; ++trial) {
    const Eigen::VectorXd lambda = Eigen::VectorXd::Random(whole.rows);
    const Eigen::MatrixXd j = dense_jacobian(whole), small_j = dense_jacobian(reduced);
    const Eigen::VectorXd b = Eigen::Map<const Eigen::VectorXd>(whole.b.data(), whole.n());
    const Eigen::VectorXd small_b = Eigen::Map<const Eigen::VectorXd>(reduced.b.data(), reduced.n());
    const Eigen::VectorXd v = dense_a(whole).llt().solve(b + j.transpose() * lambda);
    const Eigen::VectorXd small_v = dense_a(reduced).llt().solve(small_b + small_j.transpose() * lambda);
    EXPECT_LT((j * v - small_j * small_v).norm(), 1e-11 * v.norm());
    std::vector<double> expanded(at(whole.n()));
    condensation.expand(whole, {small_v.data(), at(reduced.n())}, expanded);
    EXPECT_LT((Eigen::Map<const Eigen::VectorXd>(expanded.data(), whole.n()) - v).norm(), 1e-11 * v.norm());
  }
}

TEST(CondensationTest, NothingToDoWithoutNodesOrWhereAllAreTouched) {
  Random random(8);
  Condensation condensation;
  Problem bodies;
  bodies.add_body(random_inertia(random), {});
  EXPECT_FALSE(condensation.condense(bodies));
  // A rod of ten links with a contact on each: the sparse factor is cheaper than a dense one.
  std::vector<std::pair<int, int>> chain;
  for (int i = 1; i < 20; ++i) chain.emplace_back(i, i - 1);
  NodalMatrix a(std::make_shared<const NodalPattern>(make_nodal_pattern(20, chain)));
  for (int i = 0; i < 20; ++i) a.add_to_diagonal(i, 1);
  Problem rod;
  rod.add_nodal(a, std::vector<double>(60, 1.0));
  for (int link = 0; link < 10; ++link) {
    Attachment at_link;
    at_link.kind = AttachmentKind::Nodes;
    at_link.node[0] = 2 * link;
    at_link.weight[0] = 1;
    at_link.turning = 2 * link + 1;
    at_link.frame = random_frame(random);
    rod.add_contact({1, 1}, {}, {at_link});
  }
  EXPECT_FALSE(condensation.condense(rod));
}

}  // namespace uzawa::test
