#include "uzawa/problem/islands.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "problem/random_problem.hpp"
#include "solver/small_problems.hpp"
#include "support/problem_families.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa {
namespace {

TEST(IslandsTest, RowsOfTenBodiesAreIslands) {
  const Problem problem = test::scattered_bodies(35, 1);
  IslandSplit split;
  split.split(problem);
  ASSERT_EQ(split.count(), 4);  // 10 + 10 + 10 + 5
  std::set<int> blocks, constraints;
  for (int i = 0; i < split.count(); ++i) {
    const Problem& part = split.extract(problem, i);
    const Island& island = split.island(i);
    blocks.insert(island.blocks.begin(), island.blocks.end());
    constraints.insert(island.constraints.begin(), island.constraints.end());
    EXPECT_EQ(part.n(), static_cast<int>(6 * island.blocks.size()));
    EXPECT_EQ(part.rows, island.rows);
    EXPECT_NO_THROW(validate(part));
  }
  EXPECT_EQ(blocks.size(), 35U);
  EXPECT_EQ(constraints.size(), problem.constraints.size());
}

/// Splitting with used memory gives what splitting with fresh memory gives.
RC_GTEST_PROP(IslandsTest, MemoryLeavesNoTrace, (unsigned seed)) {
  test::Random random(seed);
  IslandSplit used;
  for (int round = 0; round < 4; ++round) {
    const Problem problem = round == 2 ? test::scattered_bodies(14, seed) : test::random_problem(random);
    IslandSplit fresh;
    used.split(problem);
    fresh.split(problem);
    RC_ASSERT(used.count() == fresh.count());
    for (int i = 0; i < used.count(); ++i) {
      RC_ASSERT(test::difference(used.extract(problem, i), fresh.extract(problem, i)) == "");
      validate(used.island(i).problem);
    }
  }
}

/// A contradiction in one island and too few loops for another, which slides: the first alone has impulses that are of
/// no use, whatever the status of the whole.
TEST(IslandsTest, UnboundedImpulsesAreListedWhateverBecomesOfOthers) {
  Problem problem = test::particle(2, {0, 0, 0});
  const int sliding = test::add_particle(problem, 1, {1, 0, -1});
  problem.add_equality(-1, {test::axes(problem, 0, 1)});
  problem.add_equality(-3, {test::axes(problem, 0, 1)});
  problem.add_contact({0.5, 0.5}, {}, {test::axes(problem, 0, 3, sliding)});
  Settings settings{.tolerance = 1e-13, .require_siconos = false, .max_iterations = 8};
  settings.canal.polish = settings.canal.anderson = false;
  Workspace workspace;
  Result result;
  solve_islands(find_solver("canal"), problem, settings, workspace, result);
  EXPECT_EQ(result.status, SolveStatus::IterationLimit);
  EXPECT_EQ(result.contradictory, (std::vector<int>{0, 1}));
  EXPECT_EQ(result.unbounded, (std::vector<int>{0, 1}));
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

/// The word on the whole is put together from those on the islands; the judge itself must say the same.
TEST(IslandsTest, VerdictIsTheJudgesOnTheWhole) {
  for (const Problem& problem : {test::scattered_bodies(23, 2), test::scattered_bodies(45, 3)}) {
    Workspace workspace;
    Result result;
    solve_islands(find_solver("pgs"), problem, {.max_iterations = 3}, workspace, result);  // far from solved
    ASSERT_GT(result.stats.islands, 1);
    const PreparedProblem prepared(problem);
    Judge judge;
    const Verdict expected = judge.evaluate(prepared, result.lambda), &found = result.verdict;
    EXPECT_GT(expected.residual, 1e-6);
    const auto near = [](double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); };
    EXPECT_PRED2(near, found.residual, expected.residual);
    for (std::size_t k = 0; k < 6; ++k) EXPECT_PRED2(near, found.residual_by_kind[k], expected.residual_by_kind[k]);
    EXPECT_EQ(found.worst_constraint, expected.worst_constraint);
    EXPECT_PRED2(near, found.worst, expected.worst);
    EXPECT_PRED2(near, found.penetration, expected.penetration);
    EXPECT_PRED2(near, found.cone_violation, expected.cone_violation);
    EXPECT_PRED2(near, found.complementarity, expected.complementarity);
    EXPECT_PRED2(near, found.dissipation, expected.dissipation);
    EXPECT_PRED2(near, found.fischer_burmeister, expected.fischer_burmeister);
    EXPECT_PRED2(near, found.siconos, expected.siconos);
    for (std::size_t i = 0; i < result.v.size(); ++i) EXPECT_NEAR(result.v[i], judge.velocity()[i], 1e-12);
  }
}

TEST(IslandsTest, BadBlockIsNamedByItsPlaceInTheWhole) {
  for (const std::size_t bad : {std::size_t{5}, std::size_t{23}}) {  // in an island, and in none
    Problem problem = test::scattered_bodies(23, 2);
    problem.add_body(problem.bodies[0], {});
    problem.bodies[bad].mass = -1;
    Workspace workspace;
    Result result;
    try {
      solve_islands(find_solver("canal"), problem, {}, workspace, result);
      ADD_FAILURE() << "accepted";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("block " + std::to_string(bad) + ":"), std::string::npos)
          << error.what();
    }
  }
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
  IslandSplit split;
  split.split(problem);
  ASSERT_EQ(split.count(), 2);
  EXPECT_TRUE(split.island(1).blocks.empty());
  Workspace workspace;
  Result result;
  solve_islands(find_solver("canal"), problem, {}, workspace, result);
  EXPECT_EQ(result.status, SolveStatus::Converged);
}

TEST(IslandsTest, NothingToSplit) {
  Problem problem = test::scattered_bodies(2, 1);
  Workspace workspace;
  Result whole, parts;
  solve_islands(find_solver("pgs"), problem, {}, workspace, parts);  // one island, solved as it is
  EXPECT_EQ(parts.stats.islands, 1);
  find_solver("pgs").solve(problem, {}, workspace, whole);
  EXPECT_EQ(whole.lambda, parts.lambda);
  EXPECT_EQ(whole.v, parts.v);
  Problem free;
  free.add_body(problem.bodies[0], {0.1, 0, 0, 0, 0, 0});
  solve_islands(find_solver("pgs"), free, {}, workspace, parts);
  EXPECT_EQ(parts.status, SolveStatus::Converged);
  EXPECT_EQ(parts.stats.islands, 0);
  EXPECT_NEAR(parts.v[0], 0.1 / problem.bodies[0].mass, 1e-14);
}

class IslandThreadsTest : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, IslandThreadsTest, testing::Values("canal", "subadmm", "pgs"));

/// 100 islands of one to ten bodies, and one that is much larger than the others together.
Problem uneven_islands() {
  Problem problem = test::scattered_bodies(900, 1);
  const Problem pile = test::sphere_pile(4, true, 0);  // 45 spheres
  const int first = static_cast<int>(problem.blocks.size());
  for (std::size_t i = 0; i < pile.bodies.size(); ++i) {
    const double* b = pile.b.data() + 6 * i;
    problem.add_body(pile.bodies[i], {b[0], b[1], b[2], b[3], b[4], b[5]});
  }
  for (std::size_t c = 0; c < pile.constraints.size(); ++c) {
    std::vector<Attachment> at(pile.attachments.begin() + pile.attachment_start[c],
                               pile.attachments.begin() + pile.attachment_start[c + 1]);
    for (Attachment& a : at) a.block += first;
    problem.add_contact(pile.contacts.cone[c], pile.contacts.e[c], at);
  }
  return problem;
}

TEST_P(IslandThreadsTest, SameBitsForAnyNumber) {
  for (const Problem& problem : {test::scattered_bodies(1000, 1), uneven_islands()}) {
    Result one;
    for (const int threads : {1, 2, 8}) {
      Settings settings;
      settings.tolerance = 1e-6;
      settings.max_iterations = std::string_view(GetParam()) == "canal" ? 5 : 200;
      settings.threads = threads;
      Workspace workspace;
      Result result;
      for (int repeat = 0; repeat < 2; ++repeat) {  // with fresh memory, then with memory of its own past
        solve_islands(find_solver(GetParam()), problem, settings, workspace, result);
        if (threads == 1 && repeat == 0) one = result;
        EXPECT_EQ(result.lambda, one.lambda) << threads;
        EXPECT_EQ(result.v, one.v) << threads;
        EXPECT_EQ(result.status, one.status);
        EXPECT_EQ(result.verdict.residual, one.verdict.residual);
        EXPECT_EQ(result.stats.iterations, one.stats.iterations);
        EXPECT_EQ(result.stats.inner_iterations, one.stats.inner_iterations);
        EXPECT_EQ(result.stats.factorizations, one.stats.factorizations);
        EXPECT_GE(result.stats.islands, 91);
      }
    }
  }
}

TEST_P(IslandThreadsTest, LimitsHoldForEachIslandAndForAllTogether) {
  const Problem problem = test::scattered_bodies(50, 1);  // 5 islands: a share is long enough also on a busy machine
  for (const int threads : {1, 2}) {
    Settings settings;
    settings.tolerance = 1e-300;    // out of reach
    settings.canal.polish = false;  // or it would give up by itself
    settings.max_iterations = 3;
    settings.threads = threads;
    Workspace workspace;
    Result result;
    solve_islands(find_solver(GetParam()), problem, settings, workspace, result);
    EXPECT_EQ(result.status, SolveStatus::IterationLimit);
    EXPECT_EQ(result.stats.iterations, 3);

    settings.max_iterations = 100000000;
    settings.budget_us = 400e3;  // a share of it is longer than a busy machine takes a thread away
    solve_islands(find_solver(GetParam()), problem, settings, workspace, result);
    EXPECT_EQ(result.status, SolveStatus::TimeLimit);  // after 0.4 s; the iterations would take days
    EXPECT_GE(result.stats.seconds, 0.32);
    // Every island had its share: none is left as it was at the start.
    IslandSplit split;
    split.split(problem);
    ASSERT_GE(split.count(), 5);
    for (int i = 0; i < split.count(); ++i) {
      const Island& island = split.island(i);
      std::vector<double> lambda(static_cast<std::size_t>(island.rows));
      scatter_impulses(problem, island, result.lambda, lambda);
      EXPECT_NE(lambda, std::vector<double>(lambda.size(), 0.0)) << "island " << i;
    }
  }
}

TEST_P(IslandThreadsTest, ABadBlockIsNamedByItsPlaceInTheWhole) {
  Problem problem = test::scattered_bodies(100, 1);
  problem.bodies[42].mass = -1;
  problem.bodies[77].mass = -1;
  for (const int threads : {1, 2, 8}) {
    Workspace workspace;
    Result result;
    try {
      solve_islands(find_solver(GetParam()), problem, {.threads = threads}, workspace, result);
      FAIL();
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("block 42"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace uzawa
