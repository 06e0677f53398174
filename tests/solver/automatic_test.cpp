/// The method `auto`, seen from the outside: what it promises whichever methods it is made of and however it chooses.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/attachments.hpp"
#include "support/cpu_time.hpp"
#include "support/problem_families.hpp"
#include "support/quadrupeds.hpp"
#include "uzawa/problem/block_matrix.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa {
namespace {

const Solver& automatic() { return find_solver("auto"); }
const Solver& canal() { return find_solver("canal"); }
const Solver& subadmm() { return find_solver("subadmm"); }

Result solve(const Solver& solver, const Problem& problem, const Settings& settings, std::vector<double> start = {}) {
  Workspace workspace;
  workspace.start = std::move(start);
  Result result;
  solver.solve(problem, settings, workspace, result);
  return result;
}

/// By a judge of our own, not by what the method has written into its result.
double measure(const Problem& problem, const Result& result) {
  const Verdict verdict = Judge().evaluate(PreparedProblem(problem), result.lambda);
  return std::max(verdict.residual, verdict.siconos);
}

/// |A v - b - J^T lambda| over |b|.
double dynamics_error(const Problem& problem, const Result& result) {
  std::vector<double> r(problem.b.size());
  multiply(problem, result.v, r);
  double error = 0, size = 0;
  std::vector<double> push(problem.b.size());
  constraint_rows(problem).add_transposed(result.lambda, push);
  for (std::size_t i = 0; i < r.size(); ++i) {
    error += std::pow(r[i] - problem.b[i] - push[i], 2);
    size += std::pow(problem.b[i], 2);
  }
  return std::sqrt(error / size);
}

/// Every tenth body `ratio` times as heavy.
Problem with_heavy_bodies(Problem problem, double ratio) {
  for (std::size_t i = 0; i < problem.bodies.size(); i += 10) {
    SpatialInertia& body = problem.bodies[i];
    body.mass *= ratio;
    body.first *= ratio;
    body.rotational = body.rotational * ratio;
    for (int d = 0; d < 6; ++d) problem.b[6 * i + static_cast<std::size_t>(d)] *= ratio;
  }
  problem.name += ", some heavy";
  return problem;
}

/// Small and large, of even masses and of others: a method that chooses by size or mass chooses differently on them.
std::vector<Problem> problems() {
  std::vector<Problem> out = {test::nut(1, false, 0),         test::nut(2, true, 0.5),
                              test::dish_stack(3, true, 0),   test::sphere_pile(4, true, 0.5),
                              test::sphere_pile(3, false, 0), test::quadrupeds(4, 1),
                              test::quadrupeds(30, 1)};
  for (const int bodies : {150, 700}) {
    out.push_back(test::scattered_bodies(bodies, 1));
    out.push_back(with_heavy_bodies(out.back(), 100));
  }
  return out;
}

TEST(AutomaticTest, SolvesWhatEitherMethodSolves) {
  int rows_of_largest = 0;
  for (const Problem& problem : problems()) {
    for (const double tolerance : {1e-4, 1e-8}) {
      const Settings settings{.tolerance = tolerance};
      const bool by_canal = solve(canal(), problem, settings).status == SolveStatus::Converged;
      const bool by_subadmm = solve(subadmm(), problem, settings).status == SolveStatus::Converged;
      const Result result = solve(automatic(), problem, settings);
      ASSERT_TRUE(by_canal || by_subadmm) << problem.name << " is no example";
      EXPECT_EQ(result.status, SolveStatus::Converged) << problem.name << " to " << tolerance;
      EXPECT_LE(measure(problem, result), tolerance) << problem.name;
      EXPECT_LE(dynamics_error(problem, result), 1e-10) << problem.name;
      rows_of_largest = std::max(rows_of_largest, problem.rows);
    }
  }
  EXPECT_GT(rows_of_largest, 3500);
}

/// Where nobody may go on for long enough, the answer is no worse than that of the better method alone.
TEST(AutomaticTest, CappedAnswerIsNoWorseThanTheBetterMethods) {
  constexpr double kRounding = 1e-12;  // of the measure: below it, which is better is chance
  constexpr int kMostRows = 2000;      // larger ones only take longer
  int cases = 0, told_apart = 0;
  for (const Problem& problem : problems()) {
    for (const int iterations : {1, 8}) {
      if (problem.rows > kMostRows) continue;
      const Settings settings{.tolerance = 1e-300, .max_iterations = iterations};
      const double by_canal = measure(problem, solve(canal(), problem, settings));
      const double by_subadmm = measure(problem, solve(subadmm(), problem, settings));
      const Result result = solve(automatic(), problem, settings);
      EXPECT_NE(result.status, SolveStatus::Converged) << problem.name;
      EXPECT_LE(measure(problem, result), std::max(std::min(by_canal, by_subadmm), kRounding))
          << problem.name << ", " << iterations << " iterations";
      ++cases;
      told_apart += std::max(by_canal, by_subadmm) > 10 * std::max(std::min(by_canal, by_subadmm), kRounding) ? 1 : 0;
    }
  }
  EXPECT_GE(told_apart, cases / 2) << "too easy: the worse answer would do as well";
}

/// One method that does nothing at all is no harm: the other is there.
TEST(AutomaticTest, OneMethodIsEnough) {
  for (const Problem& problem : problems()) {
    Settings settings{.tolerance = 1e-4, .require_siconos = false};
    settings.canal.polish = settings.canal.cascade = false;
    ASSERT_NE(solve(canal(), problem, settings).status, SolveStatus::Converged) << problem.name;
    if (solve(subadmm(), problem, settings).status != SolveStatus::Converged) continue;
    EXPECT_EQ(solve(automatic(), problem, settings).status, SolveStatus::Converged) << problem.name;
  }
}

/// Time of the processor, of which a busy machine gives no more than the budget's wall time: what is checked is how
/// often the clock is looked at, not how busy the machine is.
TEST(AutomaticTest, KeepsToItsBudget) {
  const Settings unlimited{.tolerance = 1e-300};
  for (const Problem& problem : {test::quadrupeds(30, 1), test::scattered_bodies(700, 1)}) {
    const double start = test::cpu_seconds();
    solve(automatic(), problem, unlimited);
    const double whole = test::cpu_seconds() - start;
    for (const double share : {1e-3, 0.1}) {
      Settings settings = unlimited;
      settings.budget_us = share * whole * 1e6;
      const double begin = test::cpu_seconds();
      const Result result = solve(automatic(), problem, settings);
      const double used = test::cpu_seconds() - begin;
      EXPECT_EQ(result.status, SolveStatus::TimeLimit) << problem.name;
      // Preparing and one iteration more are a small part of a solve that goes on for ever.
      EXPECT_LE(used, (share + 0.2) * whole) << problem.name << ", share " << share;
      EXPECT_TRUE(std::isfinite(measure(problem, result))) << problem.name;
    }
  }
}

TEST(AutomaticTest, BudgetOfNothingLeavesTheStart) {
  const Problem problem = test::quadrupeds(4, 1);
  const Settings settings{.tolerance = 1e-6, .budget_us = 1e-3};
  const Result cold = solve(automatic(), problem, settings);
  EXPECT_EQ(cold.status, SolveStatus::TimeLimit);
  const Result none = [&] {
    Result result;
    result.lambda.assign(static_cast<std::size_t>(problem.rows), 0.0);
    return result;
  }();
  EXPECT_LE(measure(problem, cold), measure(problem, none));
  const Result solution = solve(automatic(), problem, {.tolerance = 1e-10});
  const Result warm = solve(automatic(), problem, settings, solution.lambda);
  EXPECT_EQ(warm.status, SolveStatus::Converged) << "what is solved before the clock is looked at is solved";
  EXPECT_LE(measure(problem, warm), settings.tolerance);
}

TEST(AutomaticTest, StartsThatMakeNoSenseDoNoHarm) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  for (const Problem& problem : {test::quadrupeds(4, 1), test::scattered_bodies(700, 1)}) {
    const auto rows = static_cast<std::size_t>(problem.rows);
    for (const std::vector<double>& start :
         {std::vector<double>(rows, 1e3), std::vector<double>(rows, kNan), std::vector<double>(rows + 1, 1.0)}) {
      const Settings settings{.tolerance = 1e-6};
      const Result result = solve(automatic(), problem, settings, start);
      EXPECT_EQ(result.status, SolveStatus::Converged) << problem.name << ", start " << start[0];
      EXPECT_LE(measure(problem, result), settings.tolerance) << problem.name;
    }
  }
}

/// The impulses of the last step save work, and so does memory; neither changes what is true.
TEST(AutomaticTest, WarmStartsSaveWork) {
  for (Problem problem : {test::quadrupeds(4, 1), test::scattered_bodies(700, 1)}) {
    const Settings settings{.tolerance = 1e-6};
    const Result first = solve(automatic(), problem, settings);
    for (double& b : problem.b) b *= 1.001;
    const Result cold = solve(automatic(), problem, settings),
                 warm = solve(automatic(), problem, settings, first.lambda);
    EXPECT_EQ(warm.status, SolveStatus::Converged) << problem.name;
    EXPECT_LT(warm.stats.iterations + warm.stats.inner_iterations, cold.stats.iterations + cold.stats.inner_iterations)
        << problem.name;
  }
}

TEST(AutomaticTest, MemoryLeavesNoTrace) {
  Workspace used;
  for (const Problem& problem : problems()) {
    Result again;
    automatic().solve(problem, {.tolerance = 1e-6}, used, again);
    const Result fresh = solve(automatic(), problem, {.tolerance = 1e-6});
    EXPECT_EQ(again.lambda, fresh.lambda) << problem.name;
    EXPECT_EQ(again.v, fresh.v) << problem.name;
  }
}

/// One body bolted to two walls that move apart at 2 m/s: it violates both equally.
TEST(AutomaticTest, SaysThatConstraintsContradictEachOther) {
  Problem problem;
  SpatialInertia body;
  body.mass = 2;
  body.rotational.diagonal = {1, 1, 1};
  problem.add_body(body, {0, 0, 3, 0, 0, 0});
  for (const double e : {-1.0, 1.0}) problem.add_equality(e, {test::point_on(0, {}, Mat3::identity(), 1)});
  const Result result = solve(automatic(), problem, {});
  EXPECT_EQ(result.status, SolveStatus::LeastViolation);
  EXPECT_NEAR(result.v[2], 0, 1e-6);
}

}  // namespace
}  // namespace uzawa
