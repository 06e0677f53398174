#include "uzawa/problem/islands.hpp"

#include <gtest/gtest.h>

#include <set>

#include "support/problem_families.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa {
namespace {

TEST(IslandsTest, RowsOfTenBodiesAreIslands) {
  const Problem problem = test::scattered_bodies(35, 1);
  const std::vector<Island> islands = split_into_islands(problem);
  ASSERT_EQ(islands.size(), 4U);  // 10 + 10 + 10 + 5
  std::set<int> blocks, constraints;
  for (const Island& island : islands) {
    blocks.insert(island.blocks.begin(), island.blocks.end());
    constraints.insert(island.constraints.begin(), island.constraints.end());
    EXPECT_EQ(island.problem.n(), static_cast<int>(6 * island.blocks.size()));
    EXPECT_NO_THROW(validate(island.problem));
  }
  EXPECT_EQ(blocks.size(), 35U);
  EXPECT_EQ(constraints.size(), problem.constraints.size());
}

TEST(IslandsTest, SolvingThemIsSolvingTheWhole) {
  Problem problem = test::scattered_bodies(23, 2);
  SpatialInertia lonely;  // a body that touches nothing falls freely
  lonely.add_point_mass(2, {0.1, 0, 0});
  lonely.add_point_mass(2, {0, 0.1, 0});
  lonely.add_point_mass(2, {0, 0, 0.1});
  problem.add_body(lonely, {0, 0, -6, 0, 0, 0});
  Workspace workspace;
  Result whole, parts;
  const Solver& canal = find_solver("canal");
  canal.solve(problem, {}, workspace, whole);
  solve_islands(canal, problem, {}, workspace, parts);
  EXPECT_EQ(whole.status, SolveStatus::Converged);
  EXPECT_EQ(parts.status, SolveStatus::Converged);
  EXPECT_EQ(parts.stats.islands, 3);
  EXPECT_LE(parts.verdict.residual, 1e-8);
  EXPECT_LE(parts.verdict.siconos, 1e-8);
  for (std::size_t i = 0; i < whole.v.size(); ++i) EXPECT_NEAR(whole.v[i], parts.v[i], 1e-5);
}

TEST(IslandsTest, WarmStartReachesEveryIsland) {
  const Problem problem = test::scattered_bodies(23, 3);
  Workspace workspace;
  Result first, again;
  const Solver& canal = find_solver("canal");
  solve_islands(canal, problem, {}, workspace, first);
  workspace.start = first.lambda;
  solve_islands(canal, problem, {.tolerance = 1e-7}, workspace, again);
  EXPECT_EQ(again.stats.iterations, 0);  // the start is the solution
}

TEST(IslandsTest, ConstraintOnNothingIsAnIslandWithoutBlocks) {
  Problem problem = test::scattered_bodies(1, 1);
  problem.add_contact({0.5, 0.5}, {0, 0, 1}, {});
  const std::vector<Island> islands = split_into_islands(problem);
  ASSERT_EQ(islands.size(), 2U);
  EXPECT_TRUE(islands[1].blocks.empty());
  Workspace workspace;
  Result result;
  solve_islands(find_solver("canal"), problem, {}, workspace, result);
  EXPECT_EQ(result.status, SolveStatus::Converged);
}

}  // namespace
}  // namespace uzawa
