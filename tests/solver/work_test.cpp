/// Limits of a solve: work in Newton steps, which no machine and no number of threads changes, and a flag that ends it.
/// No test here looks at a clock.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>

#include "build_folders.hpp"
#include "support/attachments.hpp"
#include "support/problem_families.hpp"
#include "support/quadrupeds.hpp"
#include "uzawa/problem_io/problem_file.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa {
namespace {

namespace fs = std::filesystem;

Result solve(const char* method, const Problem& problem, const Settings& settings, std::vector<double> start = {}) {
  Workspace workspace;
  workspace.start = std::move(start);
  Result result;
  solve_islands(find_solver(method), problem, settings, workspace, result);
  return result;
}

double residual_of_nothing(const Problem& problem) {
  const std::vector<double> nothing(static_cast<std::size_t>(problem.rows), 0.0);
  return Judge().evaluate(PreparedProblem(problem), nothing).residual;
}

/// Single steps of simulations that took thousands of Newton steps, with their warm starts.
struct HardCase {
  const char* name;
  double most_work;      ///< on all islands
  SolveStatus status;    ///< to 1e-8
  double most_residual;  ///< within kWork
};
constexpr double kWork = 64;  // a simulation's limit for an island
const HardCase kHardCases[] = {
    {"altstack_400", 20, SolveStatus::Converged, 1e-8},    {"altstack_403", 20, SolveStatus::Converged, 1e-8},
    {"domino_553", 70, SolveStatus::Converged, 1e-8},      {"drop500_161", 70, SolveStatus::Converged, 1e-8},
    {"stretch3_2", 30, SolveStatus::LeastViolation, 2e-2}, {"toddler1", 70, SolveStatus::WorkLimit, 1e-6},
    {"toddler_2", 60, SolveStatus::LeastViolation, 1e-6},  {"wall5_7", 70, SolveStatus::WorkLimit, 1e-6},
    {"wxai_2", 70, SolveStatus::LeastViolation, 1e-2},
};

TEST(WorkTest, HardStepsOfSimulationsKeepToTheirWork) {
  const fs::path folder = fs::path(UZAWA_SHARED_DATA) / "hard";
  if (!fs::exists(folder)) GTEST_SKIP() << "not there: " << folder;
  for (const HardCase& hard : kHardCases) {
    const Problem problem = read_problem(folder / (std::string(hard.name) + ".json"));
    std::vector<double> start;
    std::ifstream file(folder / (std::string(hard.name) + ".start"));
    for (double x = 0; file >> x;) start.push_back(x);
    const Settings settings{.require_siconos = false, .work = kWork};
    const Result result = solve("auto", problem, settings, start);
    EXPECT_LE(result.stats.work, hard.most_work) << hard.name;
    EXPECT_LE(result.verdict.residual, hard.most_residual) << hard.name;
    EXPECT_EQ(result.status, hard.status) << hard.name;
  }
}

/// Without a limit a wall of bricks that is hit is solved, and what contradicts itself is proved to.
TEST(WorkTest, WithoutALimitTheSameAreSolvedOrProvedToHaveNoSolution) {
  const fs::path folder = fs::path(UZAWA_SHARED_DATA) / "hard";
  if (!fs::exists(folder)) GTEST_SKIP() << "not there: " << folder;
  for (const char* name : {"domino_553", "wall5_7"}) {
    const Result result = solve("canal", read_problem(folder / (std::string(name) + ".json")), {});
    EXPECT_EQ(result.status, SolveStatus::Converged) << name;
  }
  for (const char* name : {"stretch3_2", "toddler1", "toddler_2", "wxai_2"}) {
    const Result result = solve("canal", read_problem(folder / (std::string(name) + ".json")), {});
    EXPECT_EQ(result.status, SolveStatus::LeastViolation) << name;
    EXPECT_LE(result.stats.work, 100) << name;
  }
}

std::vector<Problem> problems() {
  return {test::nut(2, true, 0.5), test::dish_stack(3, true, 0), test::sphere_pile(4, true, 0.5),
          test::quadrupeds(4, 1)};
}

/// One step may overshoot by the regularisations that it tries. More work is never worse, by the measure that the solve
/// goes by.
TEST(WorkTest, LimitEndsASolveWithItsBestIterate) {
  constexpr double kOneStep = 3;
  for (const Problem& problem : problems()) {
    double last = residual_of_nothing(problem);
    for (const double work : {1.0, 4.0, 16.0}) {
      const Settings settings{.tolerance = 1e-300, .require_siconos = false, .work = work};
      Workspace workspace;
      Result result;
      find_solver("auto").solve(problem, settings, workspace, result);
      EXPECT_EQ(result.status, SolveStatus::WorkLimit) << problem.name << ", " << work;
      EXPECT_LE(result.stats.work, work + kOneStep) << problem.name;
      EXPECT_LE(result.verdict.residual, last) << problem.name << ": more work is never worse";
      last = result.verdict.residual;
    }
  }
}

TEST(WorkTest, ThreadsAndMemoryChangeNoBit) {
  Workspace used;
  for (const Problem& problem : problems()) {
    for (const double tolerance : {1e-4, 1e-10}) {
      Settings settings{.tolerance = tolerance, .work = 12};
      const Result alone = solve("auto", problem, settings);
      settings.threads = 3;
      Result again;
      solve_islands(find_solver("auto"), problem, settings, used, again);
      EXPECT_EQ(again.lambda, alone.lambda) << problem.name;
      EXPECT_EQ(again.stats.work, alone.stats.work) << problem.name;
      EXPECT_EQ(again.status, alone.status) << problem.name;
    }
  }
}

/// After the step at hand. Methods that return their last iterate, not the best, may be worse than nothing by then.
TEST(WorkTest, RaisedFlagEndsASolveAtOnce) {
  const std::atomic<bool> stop = true;
  for (const char* method : {"auto", "canal", "subadmm", "pgs"}) {
    for (const Problem& problem : problems()) {
      Settings settings{.tolerance = 1e-12, .require_siconos = false};
      settings.stop = &stop;
      Workspace workspace;
      Result result;
      find_solver(method).solve(problem, settings, workspace, result);
      EXPECT_EQ(result.status, SolveStatus::Interrupted) << method << ", " << problem.name;
      EXPECT_LE(result.stats.inner_iterations + result.stats.iterations, 1) << method << ", " << problem.name;
      EXPECT_LE(result.verdict.residual, residual_of_nothing(problem)) << method << ", " << problem.name;
    }
  }
}

/// Proof needs errors to make up for: what has none is never said to contradict itself, however redundant.
TEST(WorkTest, RedundantConstraintsAreNoContradiction) {
  Problem problem;
  SpatialInertia body;
  body.mass = 2;
  body.rotational.diagonal = {1, 1, 1};
  problem.add_body(body, {0, 0, 3, 0, 0, 0});
  for (int i = 0; i < 8; ++i) problem.add_equality(0.5, {test::point_on(0, {}, Mat3::identity(), 1)});
  const Result result = solve("canal", problem, {});
  EXPECT_EQ(result.status, SolveStatus::Converged);
  problem.add_equality(0.5 + 1e-6, {test::point_on(0, {}, Mat3::identity(), 1)});
  EXPECT_EQ(solve("canal", problem, {}).status, SolveStatus::LeastViolation) << "a micrometre a second is one";
}

}  // namespace
}  // namespace uzawa
