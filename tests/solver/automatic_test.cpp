/// The method `auto`: what the first choice does not solve is handed to the other one, and the better answer is kept.
#include "uzawa/solver/auto/automatic.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "sim/scenes.hpp"

namespace uzawa {
namespace {

/// The first step of side x side towers of three boxes that lean on each other: one island.
Problem towers(int side, double heaviest = 3) {
  ModelSpec spec = test::ground(0.5);
  for (int i = 0; i < 3 * side * side; ++i) {
    const int column = i % side, row = i / side % side, storey = i / (side * side);
    const Vec3 position{0.1005 * column, 0.1005 * row, 0.05 + 0.1 * storey};
    test::add_box(spec,
                  {.name = "box" + std::to_string(i), .mass = i == 0 ? heaviest : 1.0 + i % 3, .position = position});
  }
  World world(Model(std::move(spec)));
  world.step();
  return world.problem();
}

double measure(const Result& result) { return std::max(result.verdict.residual, result.verdict.siconos); }

Result solve(const Solver& solver, const Problem& problem, const Settings& settings, std::vector<double> start = {}) {
  Workspace workspace;
  workspace.start = std::move(start);
  Result result;
  solver.solve(problem, settings, workspace, result);
  return result;
}

TEST(AutomaticTest, SecondMethodSolvesWhatTheFirstLeavesUndone) {
  const Problem problem = towers(3);
  // Without its Newton methods and its cascade CANAL does nothing at all.
  Settings settings{.tolerance = 1e-6};
  settings.canal.polish = settings.canal.cascade = false;
  EXPECT_EQ(solve(find_solver("canal"), problem, settings).status, SolveStatus::Stalled);
  const Result result = solve(find_solver("auto"), problem, settings);
  EXPECT_EQ(result.status, SolveStatus::Converged);
  EXPECT_LE(measure(result), 1e-6);
  EXPECT_EQ(result.lambda,
            solve(find_solver("subadmm"), problem, settings, std::vector<double>(result.lambda.size())).lambda);
}

TEST(AutomaticTest, BetterAnswerIsKept) {
  const Problem problem = towers(2);
  for (const int iterations : {1, 3, 8}) {
    // Nobody reaches this: both are capped.
    Settings settings{.tolerance = 1e-300, .max_iterations = iterations};
    settings.canal.polish = false;
    const Result canal = solve(find_solver("canal"), problem, settings);
    const Result subadmm = solve(find_solver("subadmm"), problem, settings, canal.lambda);
    ASSERT_EQ(canal.status, SolveStatus::IterationLimit);
    const Result result = solve(find_solver("auto"), problem, settings);
    EXPECT_EQ(measure(result), std::min(measure(canal), measure(subadmm))) << iterations;
    EXPECT_EQ(result.lambda, measure(subadmm) < measure(canal) ? subadmm.lambda : canal.lambda) << iterations;
    EXPECT_EQ(result.status, SolveStatus::IterationLimit);
    // What the other one has done counts, too.
    EXPECT_EQ(result.stats.iterations, canal.stats.iterations + subadmm.stats.iterations);
    EXPECT_EQ(result.stats.factorizations, canal.stats.factorizations + subadmm.stats.factorizations);
  }
}

/// The budget is one for all attempts: where the first has used it up, there is no second.
TEST(AutomaticTest, SecondMethodHasTheTimeThatIsLeft) {
  const Problem problem = towers(2);
  Settings settings{.tolerance = 1e-6, .budget_us = 1e-3};
  settings.canal.polish = settings.canal.cascade = false;  // CANAL does nothing, and takes longer than a nanosecond
  const Result result = solve(find_solver("auto"), problem, settings);
  EXPECT_EQ(result.status, SolveStatus::TimeLimit);
  EXPECT_EQ(result.stats.iterations, 0);
  EXPECT_EQ(result.lambda, std::vector<double>(result.lambda.size(), 0.0));
}

TEST(AutomaticTest, FirstMethodIsEnoughWhereItConverges) {
  const Problem problem = towers(2);
  const Result canal = solve(find_solver("canal"), problem, {}), result = solve(find_solver("auto"), problem, {});
  EXPECT_EQ(result.status, SolveStatus::Converged);
  EXPECT_EQ(result.lambda, canal.lambda);
}

TEST(AutomaticTest, LargeIslandsOfEvenMassesGoToSubAdmmFirst) {
  for (const double heaviest : {3.0, 100.0}) {
    const Problem problem = towers(7, heaviest);
    ASSERT_GT(problem.rows, kNewtonRows);
    const Settings settings{.tolerance = 1e-4, .require_siconos = false};
    const Solver& first = find_solver(heaviest > kEvenMasses ? "canal" : "subadmm");
    const Result result = solve(find_solver("auto"), problem, settings);
    EXPECT_EQ(result.status, SolveStatus::Converged);
    EXPECT_EQ(result.lambda, solve(first, problem, settings).lambda) << heaviest;
  }
}

}  // namespace
}  // namespace uzawa
