/// Problems small enough to be solved by hand, by every method.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "small_problems.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

using test::axes;
using test::contact_particle;
using test::particle;

Result solve(const Problem& problem, const char* name, double tolerance = 1e-13) {
  Settings settings;
  settings.tolerance = tolerance;
  settings.max_iterations = test::enough_iterations(name);
  settings.canal.newton_tolerance = 0.1 * tolerance;  // the outer loop can't be better than the inner one
  Workspace workspace;
  Result result;
  find_solver(name).solve(problem, settings, workspace, result);
  return result;
}

void expect_vector(const std::vector<double>& actual, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) EXPECT_NEAR(actual[i], expected[i], tolerance) << "entry " << i;
}

class ClosedFormTest : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, ClosedFormTest, testing::ValuesIn(test::exact_methods()), [](const auto& method) {
  std::string name = method.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST_P(ClosedFormTest, Sticks) {
  // |b_t| = 0.5 < mu |b_n| = 0.6: everything is stopped.
  const Result result = solve(contact_particle(2, {0.3, 0.4, -1}, 0.6), GetParam());
  EXPECT_EQ(result.status, SolveStatus::Converged);
  expect_vector(result.lambda, {-0.3, -0.4, 1}, 1e-12);
  expect_vector(result.v, {0, 0, 0}, 1e-12);
}

TEST_P(ClosedFormTest, Slips) {
  // |b_t| = 0.5 > mu |b_n| = 0.2: friction at its bound against the motion.
  const Result result = solve(contact_particle(2, {0.3, 0.4, -1}, 0.2), GetParam());
  EXPECT_EQ(result.status, SolveStatus::Converged);
  expect_vector(result.lambda, {-0.12, -0.16, 1}, 1e-12);
  expect_vector(result.v, {0.09, 0.12, 0}, 1e-12);
}

TEST_P(ClosedFormTest, Opens) {
  const Result result = solve(contact_particle(2, {0.3, 0.4, 1}, 0.5), GetParam());
  EXPECT_EQ(result.status, SolveStatus::Converged);
  expect_vector(result.lambda, {0, 0, 0}, 1e-12);
  expect_vector(result.v, {0.15, 0.2, 0.5}, 1e-12);
}

TEST_P(ClosedFormTest, GapIsClosedAtMost) {
  // e_n = 0.25: the particle may approach at 0.25 m/s.
  const Result result = solve(contact_particle(2, {0, 0, -1}, 0.5, {0, 0, 0.25}), GetParam());
  expect_vector(result.lambda, {0, 0, 0.5}, 1e-12);
  expect_vector(result.v, {0, 0, -0.25}, 1e-12);
}

TEST_P(ClosedFormTest, ConveyorDragsAlong) {
  // A tangential offset is the velocity of the surface: the particle sticks to it.
  const Result result = solve(contact_particle(1, {0, 0, -1}, 0.8, {-0.3, 0, 0}), GetParam());
  expect_vector(result.v, {0.3, 0, 0}, 1e-12);
}

TEST_P(ClosedFormTest, FrictionlessAndVeryRough) {
  expect_vector(solve(contact_particle(2, {0.3, 0.4, -1}, 0), GetParam()).v, {0.15, 0.2, 0}, 1e-12);
  expect_vector(solve(contact_particle(2, {3, 4, -1.01}, 5), GetParam()).v, {0, 0, 0}, 1e-12);
}

TEST_P(ClosedFormTest, EllipticFrictionDissipatesMost) {
  Problem problem = particle(1, {0.6, 0.8, -1});
  problem.add_contact({0.2, 0.4}, {}, {axes(problem, 0, 3)});
  const Result result = solve(problem, GetParam());
  EXPECT_EQ(result.status, SolveStatus::Converged);
  // On the ellipse, and the sliding velocity is normal to it there.
  const double t1 = result.lambda[0], t2 = result.lambda[1];
  EXPECT_NEAR(std::hypot(t1 / 0.2, t2 / 0.4), 1, 1e-11);
  EXPECT_NEAR(result.v[0] * t2 / 0.16 - result.v[1] * t1 / 0.04, 0, 1e-10);
  EXPECT_LT(result.v[0] * t1 + result.v[1] * t2, 0);
}

TEST_P(ClosedFormTest, ScalarLaws) {
  Problem hard = particle(2, {1, -1, 0});
  hard.add_hard(0.1, {axes(hard, 1, 1)});  // v_y >= -0.1
  expect_vector(solve(hard, GetParam()).v, {0.5, -0.1, 0}, 1e-12);

  Problem equality = particle(2, {1, -1, 0});
  equality.add_equality(-0.3, {axes(equality, 0, 1)});  // v_x = 0.3
  expect_vector(solve(equality, GetParam()).v, {0.3, -0.5, 0}, 1e-12);

  Problem soft = particle(2, {1, 0, 0});
  soft.add_soft(0.5, 4, 3, {axes(soft, 0, 1)});  // 2 v = 1 - 4 * 0.5 - 3 v
  expect_vector(solve(soft, GetParam()).v, {-0.2, 0, 0}, 1e-12);

  Problem limit = particle(2, {1, -1, 0});
  limit.add_limit(-kInfinity, 0.2, {axes(limit, 0, 1)});
  limit.add_limit(-0.4, 0.4, {axes(limit, 1, 1)});
  expect_vector(solve(limit, GetParam()).v, {0.2, -0.4, 0}, 1e-12);

  Problem friction = particle(2, {1, -0.1, 0});
  friction.add_friction(0.3, {axes(friction, 0, 1)});  // slips: 1 - 0.3
  friction.add_friction(0.3, {axes(friction, 1, 1)});  // holds
  expect_vector(solve(friction, GetParam()).v, {0.35, 0, 0}, 1e-12);
}

TEST_P(ClosedFormTest, NothingToDo) {
  const Result free = solve(particle(2, {1, 2, 3}), GetParam());
  EXPECT_EQ(free.status, SolveStatus::Converged);
  expect_vector(free.v, {0.5, 1, 1.5}, 1e-15);
  const Result empty = solve(Problem{}, GetParam());
  EXPECT_EQ(empty.status, SolveStatus::Converged);
  EXPECT_TRUE(empty.v.empty());
}

/// Impulses that are worse than none are not started from: one step from them, and a body would fly off.
TEST_P(ClosedFormTest, SenselessStartDoesNoHarm) {
  const Problem problem = contact_particle(2, {0.3, 0, -2}, 0.5);
  Settings settings{.tolerance = 1e-300, .max_iterations = 1};
  Workspace cold, warm;
  Result from_nothing, result;
  find_solver(GetParam()).solve(problem, settings, cold, from_nothing);
  warm.start = {1e6, -1e6, 1e7};
  find_solver(GetParam()).solve(problem, settings, warm, result);
  EXPECT_EQ(result.lambda, from_nothing.lambda);
  warm.start = {-0.2, 0, 1.9};  // nearly right: better than nothing
  find_solver(GetParam()).solve(problem, settings, warm, result);
  EXPECT_LE(result.verdict.residual, 0.3);
}

TEST(CanalTest, ContradictionGivesTheLeastViolation) {
  // v_x = 1 and v_x = 3 at once: equal weights, the middle.
  Problem problem = particle(2, {0, 0, 0});
  problem.add_equality(-1, {axes(problem, 0, 1)});
  problem.add_equality(-3, {axes(problem, 0, 1)});
  const Result result = solve(problem, "canal", 1e-8);
  EXPECT_EQ(result.status, SolveStatus::LeastViolation);
  EXPECT_NEAR(result.v[0], 2, 1e-6);
}

TEST(CanalTest, WhatGivesWayLateIsNoContradiction) {
  // Pulled along at 1 m/s against dry friction of 1e7 N s, up to which both impulses grow at the same pace.
  const double mass = 2, friction = 1e7;
  Problem problem = particle(mass, {0, 0, 0});
  problem.add_equality(-1, {axes(problem, 0, 1)});
  problem.add_friction(friction, {axes(problem, 0, 1)});
  Settings settings;
  settings.canal.polish = false;  // which would not need the loops
  Workspace workspace;
  Result result;
  find_solver("canal").solve(problem, settings, workspace, result);
  EXPECT_EQ(result.status, SolveStatus::Converged);
  EXPECT_NEAR(result.v[0], 1, 1e-6);
  EXPECT_NEAR(result.lambda[0], mass + friction, 1);
  EXPECT_NEAR(result.lambda[1], -friction, 1);
}

TEST(CanalTest, OverSpecifiedContactsShareTheLoad) {
  Problem problem = particle(1, {0.1, 0, -1});
  for (int i = 0; i < 8; ++i) problem.add_contact({0.5, 0.5}, {}, {axes(problem, 0, 3)});
  const Result result = solve(problem, "canal", 1e-12);
  EXPECT_EQ(result.status, SolveStatus::Converged);
  expect_vector(result.v, {0, 0, 0}, 1e-11);
}

TEST(SolverTest, LimitsAreStatusesOfTheirOwn) {
  Problem problem = contact_particle(2, {0.3, 0.4, -1}, 0.2);
  Settings settings;
  settings.tolerance = 1e-300;  // out of reach
  settings.max_iterations = 3;
  Workspace workspace;
  Result result;
  find_solver("pgs").solve(problem, settings, workspace, result);
  EXPECT_EQ(result.status, SolveStatus::IterationLimit);
  EXPECT_EQ(result.stats.iterations, 3);
  settings.max_iterations = 100000000;
  settings.budget_us = 200;
  find_solver("subadmm").solve(problem, settings, workspace, result);
  EXPECT_EQ(result.status, SolveStatus::TimeLimit);
}

TEST(SolverTest, UnknownNameListsTheKnownOnes) {
  try {
    (void)find_solver("magic");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("canal"), std::string::npos);
  }
}

}  // namespace
}  // namespace uzawa
