/// Errors of position are moved out of q, and v stays: corrections never become momentum.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/scenes.hpp"
#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/dynamics/newton_euler.hpp"

namespace uzawa {
namespace {

double kinetic(const World& world) {
  DynamicsData data(world.model());
  forward_kinematics(world.model(), world.state().q, data);
  link_velocities(world.model(), world.state().v, data);
  return kinetic_energy(world.model(), world.state().v, data);
}

/// The largest kinetic energy of a run, J.
double largest_kinetic(World& world, int steps) {
  double most = 0;
  for (int i = 0; i < steps; ++i) {
    test::run(world, 1);
    most = std::max(most, kinetic(world));
  }
  return most;
}

/// Correction may not add more kinetic energy than this share of m g times the error.
constexpr double kMostShare = 1e-3;

TEST(ProjectionTest, PenetratingBoxesSeparateWithoutFlying) {
  constexpr double kDepth = 1e-3;
  ModelSpec spec = test::ground(0.5);
  test::add_box(spec, {.name = "lower", .mass = 1, .position = {0, 0, 0.05 - kDepth}});
  test::add_box(spec, {.name = "upper", .mass = 1, .position = {0, 0, 0.15 - 3 * kDepth}});
  World world((Model(std::move(spec))));
  EXPECT_LT(largest_kinetic(world, 500), kMostShare * 2 * test::kGravity * 2 * kDepth);
  EXPECT_NEAR(world.state().q[2], 0.05, 2e-6);
  EXPECT_NEAR(world.state().q[9], 0.15, 4e-6);
}

TEST(ProjectionTest, PassedLimitIsReachedAtRest) {
  ModelSpec spec;
  test::add_finger(spec, "slider", {0.05, 0.05, 0.05}, {0, 0, 1}, {1, 0, 0}, 0);
  spec.joints[0].range = Range{-0.1, 0.1};
  World world((Model(std::move(spec))));
  State state = world.state();
  state.q[0] = 0.2;
  world.set_state(state);
  EXPECT_LT(largest_kinetic(world, 100), 1e-18);
  EXPECT_NEAR(world.state().q[0], 0.1, 1e-8);
}

/// A free box that is tied to a point 1.5 mm away from where it is.
TEST(ProjectionTest, OpenLoopClosesWithoutSpinning) {
  constexpr double kOpen = 1.5e-3;
  ModelSpec spec;
  spec.options.gravity = {};
  test::add_box(spec, {.name = "box", .mass = 1});
  spec.equalities.push_back(
      {.name = "tie", .first = 1, .second = 0, .first_anchor = {0.05, 0.02, 0}, .second_anchor = {0.05, 0.02, kOpen}});
  World world((Model(std::move(spec))));
  EXPECT_LT(largest_kinetic(world, 100), kMostShare * 1 * test::kGravity * kOpen);
  const Pose pose = Pose::from(Vec3::from(world.state().q.data()), Quat::from(&world.state().q[3]));
  EXPECT_LT(norm(pose * Vec3{0.05, 0.02, 0} - Vec3{0.05, 0.02, kOpen}), 2e-8);
}

/// A body that moves on while it is corrected keeps its velocity.
TEST(ProjectionTest, VelocityStays) {
  ModelSpec spec = test::ground(0);
  test::add_box(spec, {.name = "box", .mass = 1, .position = {0, 0, 0.048}});
  World world((Model(std::move(spec))));
  State state = world.state();
  state.v[0] = 1;
  world.set_state(state);
  test::run(world, 1);
  EXPECT_EQ(world.report().moves, 1);
  EXPECT_NEAR(world.report().position_error, 2e-3, 1e-9);
  EXPECT_NEAR(world.state().v[0], 1, 1e-12);
  EXPECT_NEAR(world.state().v[2], 0, 1e-8);
  EXPECT_NEAR(world.state().q[2], 0.05, 3e-6);
}

/// Redundant constraints that contradict each other by a little: shared out, at rest, in the usual time.
TEST(ProjectionTest, ContradictingTiesShareTheError) {
  constexpr double kApart = 1e-3;
  ModelSpec spec;
  spec.options.gravity = {};
  test::add_box(spec, {.name = "box", .mass = 1});
  for (const double side : {-1.0, 1.0}) {
    spec.equalities.push_back({.name = "tie", .first = 1, .second = 0, .second_anchor = {side * kApart, 0, 0}});
  }
  World world((Model(std::move(spec))));
  EXPECT_LT(largest_kinetic(world, 50), 1e-12);
  EXPECT_NEAR(world.state().q[0], 0, 1e-6);
}

TEST(ProjectionTest, NothingToCorrectCostsNothing) {
  ModelSpec spec = test::ground(0.5);
  test::add_box(spec, {.name = "box", .mass = 1, .position = {0, 0, 0.05}});
  World world((Model(std::move(spec))));
  for (int i = 0; i < 1000; ++i) {
    test::run(world, 1);
    EXPECT_EQ(world.report().moves, 0) << i;
  }
}

}  // namespace
}  // namespace uzawa
