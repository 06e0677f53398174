/// A repeated solve of the same size allocates nothing, whatever the method.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "problem/random_problem.hpp"
#include "support/allocations.hpp"
#include "support/problem_families.hpp"
#include "uzawa/problem/islands.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa::test {
namespace {

/// Two chains of springs, like two soft bodies, that touch each other and the ground: sparse blocks and explicit rows.
Problem springs() {
  Problem problem;
  constexpr int kNodes = 12, kSize = 3 * kNodes;
  Eigen::MatrixXd a = 2.5 * Eigen::MatrixXd::Identity(kSize, kSize);
  for (int i = 3; i < kSize; ++i) a(i, i - 3) = -1;
  std::vector<double> b(kSize, 0.0);
  for (int i = 0; i < kSize; ++i) b[static_cast<std::size_t>(i)] = i % 3 == 2 ? -0.1 : 0.02 * (i % 5);
  const auto node = [&](int block, int i) {
    Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(3, kSize);
    rows.block(0, 3 * i, 3, 3) = (block == 0 ? 1.0 : -1.0) * Eigen::Matrix3d::Identity();
    return problem.explicit_rows(block, sparse(rows));
  };
  for (int block = 0; block < 2; ++block) problem.add_sparse({sparse(a)}, b);
  for (int i = 0; i < kNodes; i += 2) problem.add_contact({0.4, 0.4}, {}, {node(0, i)});
  for (int i = 1; i < kNodes; i += 3) problem.add_contact({0.3, 0.6}, {0, 0, 0.01}, {node(0, i), node(1, i)});
  return problem;
}

/// A robot with contacts at its links, self-contact, joint limits and friction; and a free body that it holds.
Problem robot() {
  Random random(5);
  Problem problem;
  const TreeInertia tree = random_tree(random, 8);
  std::vector<double> b(tree.diagonal.size());
  for (double& x : b) x = uniform(random, -1, 1);
  problem.add_tree(tree, b);
  problem.add_body(random_inertia(random), {0.1, 0.2, -1, 0.1, 0, 0});
  const auto on = [&](int block, int link, double sign) {
    Attachment a;
    a.kind = AttachmentKind::LinkPoint;
    a.block = block;
    a.link = link;
    a.point = random_vec3(random);
    a.frame = Mat3::identity();
    a.sign = sign;
    return a;
  };
  for (int link = 2; link < 8; ++link) problem.add_contact({0.5, 0.5}, {0, 0, 0.05}, {on(0, link, 1)});
  for (int link = 3; link < 8; link += 2) problem.add_contact({0.7, 0.7}, {}, {on(1, 0, 1), on(0, link, -1)});
  problem.add_contact({0.7, 0.7}, {}, {on(0, 7, 1), on(0, 2, -1)});
  for (int dof = 0; dof < tree.topology->dofs(); ++dof) {
    Attachment a;
    a.kind = AttachmentKind::Coordinate;
    a.dof = dof;
    problem.add_limit(-1, 1, {a});
    problem.add_friction(0.01, {a});
  }
  return problem;
}

Problem every_kind() {
  Random random(3);
  return random_problem(random);
}

/// The same shape, other numbers: what the next step of a simulation brings.
void change_numbers(Problem& problem, double factor) {
  for (double& b : problem.b) b *= factor;
  for (SpatialInertia& body : problem.bodies) body.mass *= factor;
  for (TreeInertia& tree : problem.trees) {
    for (double& d : tree.diagonal) d *= factor;
  }
  for (SparseBlock& block : problem.sparse) {
    for (double& x : block.lower.value) x *= factor;
  }
  for (Vec3& e : problem.contacts.e) e *= factor;
  for (Attachment& attachment : problem.attachments) attachment.point *= factor;
}

struct Named {
  const char* name;
  Problem problem;
};
std::vector<Named> problems() {
  return {{"bodies", dish_stack(2, true, 0)},
          {"many islands", scattered_bodies(45, 1)},
          {"robot", robot()},
          {"springs", springs()},
          {"every kind of constraint", every_kind()}};
}

long count(const std::function<void()>& work) {
  const long before = allocations();
  work();
  return allocations() - before;
}

class SolverAllocationTest : public testing::TestWithParam<Solver> {
 protected:
  Settings settings_{.max_iterations = std::string_view(GetParam().name) == "canal" ? 8 : 40};
};
INSTANTIATE_TEST_SUITE_P(Methods, SolverAllocationTest, testing::ValuesIn(solvers()), [](const auto& solver) {
  std::string name = solver.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST_P(SolverAllocationTest, SameProblemAgain) {
  for (const Named& named : problems()) {
    Workspace workspace;
    Result result;
    const std::function<void()> solve = [&] { GetParam().solve(named.problem, settings_, workspace, result); };
    solve();
    solve();
    EXPECT_EQ(count(solve), 0) << named.name;
  }
}

TEST_P(SolverAllocationTest, SameProblemAgainByIslands) {
  for (const int threads : {1, 2}) {
    settings_.threads = threads;
    for (const Named& named : problems()) {
      Workspace workspace;
      Result result;
      const std::function<void()> solve = [&] {
        solve_islands(GetParam(), named.problem, settings_, workspace, result);
      };
      solve();
      workspace.start = result.lambda;
      solve();
      EXPECT_EQ(count(solve), 0) << named.name << ", " << threads << " threads";
    }
  }
}

TEST_P(SolverAllocationTest, NextStepsOfASimulation) {
  for (Named& named : problems()) {
    Workspace workspace;
    Result result;
    const std::function<void()> solve = [&] { solve_islands(GetParam(), named.problem, settings_, workspace, result); };
    for (int step = 0; step < 2; ++step) {
      solve();
      workspace.start = result.lambda;
      change_numbers(named.problem, 1.001);
    }
    EXPECT_EQ(count(solve), 0) << named.name;
    change_numbers(named.problem, 0.999);
    EXPECT_EQ(count(solve), 0) << named.name;
  }
}

/// Memory that was needed once stays: a pile that loses bodies and gets them back costs nothing.
TEST(IslandAllocationTest, ShrinkingAndGrowingBack) {
  const Problem large = scattered_bodies(45, 1), small = scattered_bodies(27, 2);
  Workspace workspace;
  Result result;
  const auto solve = [&](const Problem& problem) {
    solve_islands(find_solver("pgs"), problem, {.max_iterations = 40}, workspace, result);
  };
  solve(large);
  EXPECT_EQ(count([&] { solve(small); }), 0);
  EXPECT_EQ(count([&] { solve(large); }), 0);
}

TEST(IslandAllocationTest, SplittingAgain) {
  const Problem problem = every_kind(), other = robot();
  IslandSplit split;
  const auto all = [&](const Problem& whole) {
    split.split(whole);
    for (int i = 0; i < split.count(); ++i) split.extract(whole, i);
  };
  all(problem);
  all(other);
  EXPECT_EQ(count([&] { all(problem); }), 0);
  EXPECT_EQ(count([&] { all(other); }), 0);
}

}  // namespace
}  // namespace uzawa::test
