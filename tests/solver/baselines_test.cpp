/// The baselines of [SUB]: projected Jacobi, nonsmooth Newton, PGS with conjugate directions. Their answers on small
/// problems are in closed_form_test.cpp; here is how they get there.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "small_problems.hpp"
#include "support/problem_families.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa {
namespace {

Result solve(const Problem& problem, const char* name, Settings settings, int iterations) {
  settings.max_iterations = iterations;
  settings.history = true;
  settings.require_siconos = false;
  Workspace workspace;
  Result result;
  find_solver(name).solve(problem, settings, workspace, result);
  return result;
}

/// A hundred equal rows on one particle: a full step of Jacobi would overshoot a hundredfold.
TEST(ProjectedJacobiTest, DoesNotOvershootHoweverManyConstraintsABodyHas) {
  Problem problem = test::particle(2, {0, 0, -1});
  for (int i = 0; i < 100; ++i) problem.add_hard(0, {test::axes(problem, 2, 1)});
  const Result result = solve(problem, "pj", {.tolerance = 1e-13}, 3);
  EXPECT_EQ(result.status, SolveStatus::Converged);
  double sum = 0;
  for (const double impulse : result.lambda) sum += impulse;
  EXPECT_NEAR(sum, 1, 1e-12);
}

TEST(ProjectedJacobiTest, ErrorsShrinkOnStacksNutsAndPiles) {
  for (const Problem& problem :
       {test::dish_stack(1, false, 0), test::nut(1, false, 0), test::sphere_pile(3, false, 0)}) {
    const Result result = solve(problem, "pj", {.tolerance = 1e-14}, 400);
    const auto& history = result.stats.history;
    ASSERT_EQ(history.size(), 401U);
    EXPECT_LT(history[400].residual, 0.3 * history[0].residual) << problem.name;
    // Nothing diverges on the way.
    for (const IterationRecord& record : history) EXPECT_LT(record.residual, 2 * history[0].residual) << problem.name;
  }
}

/// On stacks of unlike masses it may stall near 1e-5: friction is a fixed point of the last iterate, as published.
TEST(NonsmoothNewtonTest, ConvergesOnNuts) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const Result result = solve(test::nut(seed, false, 0), "nnewton", {.tolerance = 1e-8}, 100);
    EXPECT_LT(result.verdict.residual, 1e-3 * result.stats.history[0].residual) << seed;
    EXPECT_GT(result.stats.inner_iterations, result.stats.iterations);
  }
}

/// Exact in one step where all is linear: equalities and springs.
TEST(NonsmoothNewtonTest, OneStepForLinearLaws) {
  Problem problem = test::particle(2, {1, 2, -1});
  problem.add_equality(0.5, {test::axes(problem, 0, 1)});
  problem.add_soft(0.1, 3, 4, {test::axes(problem, 1, 1)});
  const Result result = solve(problem, "nnewton", {.tolerance = 1e-13}, 1);
  EXPECT_EQ(result.status, SolveStatus::Converged);
  EXPECT_NEAR(result.v[0], -0.5, 1e-13);
  EXPECT_NEAR(result.v[1], (2 - 0.3) / (2 + 4), 1e-13);  // 2 v = 2 - 3 * 0.1 - 4 v
}

/// Sweeps until the residual is below 1e-6.
int sweeps(const Problem& problem, PgsAcceleration acceleration) {
  Settings settings;
  settings.tolerance = 1e-6;
  settings.pgs.acceleration = acceleration;
  settings.pgs.shuffle = false;
  return solve(problem, "pgs", settings, 5000).stats.iterations;
}

TEST(ConjugateSweepsTest, FewerSweepsOnStacksAndPiles) {
  double plain = 0, conjugate = 0;
  for (unsigned seed = 1; seed <= 3; ++seed) {
    for (const Problem& problem : {test::dish_stack(seed, false, 0), test::sphere_pile(seed, false, 0)}) {
      plain += std::log(1.0 + sweeps(problem, PgsAcceleration::None));
      conjugate += std::log(1.0 + sweeps(problem, PgsAcceleration::Conjugate));
    }
  }
  EXPECT_LT(std::exp((conjugate - plain) / 6), 0.8);  // the geometric mean of the ratios
}

}  // namespace
}  // namespace uzawa
