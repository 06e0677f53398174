/// Which impulses, where many give the same velocities: those that do not depend on where a solve started.
#include <gtest/gtest.h>

#include <cmath>

#include "support/attachments.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa {
namespace {

constexpr double kWeight = 0.04;  // N s
constexpr double kMu = 0.8;

Settings settings(bool least = true) {
  Settings out{.require_siconos = false};
  out.canal.least_impulses = least;
  return out;
}

/// A body that stands on `legs` points, on a circle of 0.5 m.
Problem table(int legs) {
  Problem problem;
  SpatialInertia body;
  body.mass = 2;
  body.rotational.diagonal = {1, 1, 1};
  problem.add_body(body, {0, 0, -kWeight, 0, 0, 0});
  for (int i = 0; i < legs; ++i) {
    const double angle = 2 * M_PI * i / legs;
    problem.add_contact(
        {kMu, kMu}, {},
        {test::point_on(0, {0.5 * std::cos(angle), 0.5 * std::sin(angle), -0.4}, test::frame_of({0, 0, 1}), 1)});
  }
  return problem;
}

/// Solves until the answer stays, as the steps of a simulation at rest.
Result settle(const Problem& problem, std::vector<double> start) {
  Workspace workspace;
  Result result;
  result.lambda = std::move(start);
  for (int i = 0; i < 50; ++i) {
    workspace.start = result.lambda;
    find_solver("auto").solve(problem, settings(), workspace, result);
    EXPECT_EQ(result.status, SolveStatus::Converged);
  }
  return result;
}

TEST(SelfStressTest, LegsShareTheLoadWhateverTheStart) {
  for (const int legs : {4, 6}) {
    const Problem problem = table(legs);
    std::vector<double> start(static_cast<std::size_t>(problem.rows), 0.0);
    // Two legs opposite each other carry all of it.
    start[2] = start[static_cast<std::size_t>(3 * (legs / 2) + 2)] = kWeight / 2;
    const Result result = settle(problem, start);
    for (int i = 0; i < legs; ++i) {
      EXPECT_NEAR(result.lambda[static_cast<std::size_t>(3 * i + 2)], kWeight / legs, 1e-6 * kWeight) << legs;
      EXPECT_NEAR(result.lambda[static_cast<std::size_t>(3 * i)], 0, 1e-6 * kWeight) << legs;
    }
    EXPECT_LE(result.verdict.residual, 1e-8);
  }
}

/// A table between two walls that press it with fifty times its weight, a stress that an impact has left.
TEST(SelfStressTest, WallsStopPressing) {
  Problem problem = table(4);
  for (const double side : {-1.0, 1.0}) {
    const Vec3 normal{-side, 0, 0};
    problem.add_contact({kMu, kMu}, {}, {test::point_on(0, {0.5 * side, 0, 0}, test::frame_of(normal), 1)});
  }
  std::vector<double> start(static_cast<std::size_t>(problem.rows), 0.0);
  for (std::size_t i = 0; i < 4; ++i) start[3 * i + 2] = kWeight / 4;
  start[14] = start[17] = 50 * kWeight;
  const Result result = settle(problem, start);
  double floor = 0;
  for (std::size_t i = 0; i < 4; ++i) floor += result.lambda[3 * i + 2];
  EXPECT_NEAR(floor, kWeight, 0.01 * kWeight);
  EXPECT_LE(result.lambda[14], 0.01 * kWeight);
  EXPECT_LE(result.lambda[17], 0.01 * kWeight);
}

TEST(SelfStressTest, WithoutTheSettingTheStartStays) {
  const Problem problem = table(4);
  std::vector<double> start(static_cast<std::size_t>(problem.rows), 0.0);
  start[2] = start[8] = kWeight / 2;
  Workspace workspace;
  workspace.start = start;
  Result result;
  find_solver("auto").solve(problem, settings(false), workspace, result);
  EXPECT_EQ(result.lambda, start);
}

/// Impulses that were made least, and have not changed since, are not looked at again.
TEST(SelfStressTest, OnceIsEnough) {
  const Problem problem = table(4);
  Workspace workspace;
  workspace.start.assign(static_cast<std::size_t>(problem.rows), 0.0);
  workspace.start[2] = workspace.start[8] = kWeight / 2;
  Result result;
  find_solver("auto").solve(problem, settings(), workspace, result);
  EXPECT_GT(result.stats.factorizations, 0);
  EXPECT_LE(result.stats.factorizations, 3);
  EXPECT_EQ(result.least, result.lambda);
  workspace.start = result.lambda;
  workspace.least = result.least;
  find_solver("auto").solve(problem, settings(), workspace, result);
  EXPECT_EQ(result.stats.factorizations, 0);
  EXPECT_EQ(result.lambda, workspace.start);
}

/// A table that slides: impulses stay on the cones, against the velocities. Friction turns it forward with kMu kWeight
/// x 0.4 m, which the legs before and behind hold with 0.5 m each; the one behind may not pull.
TEST(SelfStressTest, SlidingLegsShareTheLoad) {
  Problem problem = table(4);
  problem.b[0] = 2 * 3;  // 3 m/s
  const Result result = settle(problem, {});
  const double before = kMu * kWeight * 0.4 / 0.5, beside = (kWeight - before) / 2;
  const double normal[] = {before, beside, 0, beside};
  for (std::size_t leg = 0; leg < 4; ++leg) {
    EXPECT_NEAR(result.lambda[3 * leg + 2], normal[leg], 1e-6 * kWeight) << leg;
    EXPECT_NEAR(std::hypot(result.lambda[3 * leg], result.lambda[3 * leg + 1]), kMu * normal[leg], 1e-6 * kWeight);
  }
}

}  // namespace
}  // namespace uzawa
