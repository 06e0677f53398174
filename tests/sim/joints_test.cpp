/// Limits, dry friction, tendons and equalities in motion.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/scenes.hpp"
#include "support/simple_models.hpp"
#include "uzawa/dynamics/kinematics.hpp"

namespace uzawa {
namespace {

constexpr double kSolved = 1e-7;  // m/s or rad/s: ten times the solver's tolerance

TEST(JointsTest, LimitsHold) {
  // A pendulum that swings against its limit, from near and, at one radian a step, from afar.
  for (const double theta : {0.0, 0.5}) {
    for (const double speed : {1.0, 500.0}) {
      ModelSpec spec = test::pendulum();
      spec.joints[0].range = Range{-1, 0.7};
      World world(Model(std::move(spec)), {.theta = theta});
      State state = world.state();
      state.v[0] = speed;
      world.set_state(state);
      for (int i = 0; i < 2000; ++i) {
        test::run(world, 1);
        EXPECT_LT(world.state().q[0], 0.7 + 1e-6);
        EXPECT_GT(world.state().q[0], -1 - 1e-6);
      }
    }
  }
}

TEST(JointsTest, UnexpectedLimitIsMet) {
  // From rest in the middle of its range, beyond its limit within one step.
  ModelSpec spec = test::slider(1);
  spec.joints[0].range = Range{-1, 1};
  World world((Model(std::move(spec))));
  const std::vector<double> push = {1e7};
  test::run(world, 1, {}, push);
  EXPECT_NEAR(world.state().q[0], 1, 1e-6);
  EXPECT_EQ(world.report().resolves, 1);
}

TEST(JointsTest, DryFrictionHoldsAndYields) {
  ModelSpec spec = test::slider(2);
  spec.joints[0].friction_loss = 3;
  World world((Model(std::move(spec))));
  test::run(world, 100, {}, std::vector<double>{2.999});
  EXPECT_NEAR(world.state().v[0], 0, 1e-9);
  test::run(world, 100, {}, std::vector<double>{5});
  EXPECT_NEAR(world.state().v[0], (5 - 3) / 2.0 * 100 * world.dt(), 1e-6);
}

TEST(JointsTest, BallLimitHolds) {
  ModelSpec spec = test::top(0.1);
  spec.joints[0].range = Range{0, 0.5};
  World world((Model(std::move(spec))));
  State state = world.state();
  state.v = {3, 1, 0};
  world.set_state(state);
  for (int i = 0; i < 1000; ++i) {
    test::run(world, 1);
    EXPECT_LT(norm(log_rotation(Quat::from(world.state().q.data()))), 0.5 + 1e-6);
  }
}

/// Two blocks on slides along x.
ModelSpec two_sliders() {
  ModelSpec spec;
  spec.options.gravity = {};
  for (const char* name : {"a", "b"}) {
    const auto y = static_cast<double>(spec.bodies.size());
    test::add_finger(spec, name, {0.1, 0.1, 0.1}, {0, y, 0}, {1, 0, 0}, 0);
  }
  return spec;
}

TEST(JointsTest, TendonSpringAcrossTreesIsImplicit) {
  // m x1'' = m x2'' = -K (x1 + x2): implicit Euler of s = x1 + x2 with K s on both, a soft row between two blocks.
  ModelSpec spec = two_sliders();
  spec.tendons.push_back({.name = "t", .joints = {0, 1}, .coefficients = {1, 1}, .stiffness = 1e6, .damping = 3});
  World world((Model(std::move(spec))));
  State state = world.state();
  state.q = {0.1, 0.2};
  world.set_state(state);
  const double h = world.dt(), m = 0.2, k = 1e6, d = 3;
  double s = 0.3, rate = 0;
  for (int i = 0; i < 20; ++i) {
    rate = (rate - 2 * h * k * s / m) / (1 + 2 * (h * h * k + h * d) / m);
    s += h * rate;
  }
  test::run(world, 20);
  EXPECT_NEAR(world.state().q[0] + world.state().q[1], s, 1e-9);
  EXPECT_NEAR(world.state().q[0] - world.state().q[1], -0.1, 1e-9);
}

TEST(JointsTest, TendonLimitHolds) {
  ModelSpec spec = two_sliders();
  TendonSpec tendon{.name = "t", .joints = {0, 1}, .coefficients = {1, -1}};
  tendon.range = Range{-0.5, 0.5};
  spec.tendons.push_back(tendon);
  World world((Model(std::move(spec))));
  test::run(world, 500, std::vector<double>{1, 0});
  EXPECT_NEAR(world.state().q[0] - world.state().q[1], 0.5, 1e-6);
  EXPECT_NEAR(world.state().v[0], world.state().v[1], 1e-6);
}

TEST(JointsTest, JointCouplingFollowsItsPolynomial) {
  ModelSpec spec = two_sliders();
  spec.equalities.push_back(
      {.name = "c", .type = EqualityType::Joint, .first = 1, .second = 0, .polynomial = {0.1, 0.5, 2, 0, 0}});
  World world((Model(std::move(spec))));
  State state = world.state();
  state.q = {0, 0.1};
  world.set_state(state);
  test::run(world, 300, std::vector<double>{0.5, 0});
  const double x = world.state().q[0];
  EXPECT_GT(x, 0.1);
  EXPECT_NEAR(world.state().q[1], 0.1 + 0.5 * x + 2 * x * x, 1e-7);
}

TEST(JointsTest, LimitsDoNotRebound) {
  // A block that runs into its limit stays there, at every theta.
  for (const double theta : {0.0, 0.25, 0.5}) {
    ModelSpec spec = test::slider(1);
    spec.joints[0].range = Range{-1, 1};
    World world(Model(std::move(spec)), {.theta = theta});
    State state = world.state();
    state.v[0] = 7;
    world.set_state(state);
    test::run(world, 100);
    EXPECT_NEAR(world.state().q[0], 1, 1e-8) << "theta " << theta;
    EXPECT_NEAR(world.state().v[0], 0, kSolved) << "theta " << theta;
  }
}

TEST(JointsTest, DryFrictionDoesNotReverseAtAnyTheta) {
  ModelSpec spec = test::slider(2);
  spec.joints[0].friction_loss = 3;
  World world(Model(std::move(spec)), {.theta = 0.5});
  State state = world.state();
  state.v[0] = 0.0031;  // stops within the second step
  world.set_state(state);
  for (int i = 0; i < 10; ++i) {
    test::run(world, 1);
    EXPECT_GE(world.state().v[0], -kSolved);
  }
  EXPECT_NEAR(world.state().v[0], 0, kSolved);
}

TEST(JointsTest, WeldHoldsTwoBodiesTogether) {
  ModelSpec spec;
  spec.options.gravity = {};
  test::add_box(spec, {.name = "a", .position = {0, 0, 0}});
  test::add_box(spec, {.name = "b", .mass = 3, .position = {0.3, 0, 0}});
  spec.geoms.clear();
  spec.equalities.push_back(
      {.name = "weld", .type = EqualityType::Weld, .first = 1, .second = 2, .first_anchor = {0.3, 0, 0}});
  World world((Model(std::move(spec))));
  State state = world.state();
  const double w = 1, centre = 0.225;  // turns about the common centre of mass
  state.v = {0, -w * centre, 0, 0, 0, w, 0, w * (0.3 - centre), 0, 0, 0, w};
  world.set_state(state);
  test::run(world, 1000);
  const Vec3 a = Vec3::from(world.state().q.data()), b = Vec3::from(&world.state().q[7]);
  const Quat qa = Quat::from(&world.state().q[3]), qb = Quat::from(&world.state().q[10]);
  EXPECT_LT(norm(a + rotate(qa, {0.3, 0, 0}) - b), 1e-5);
  EXPECT_LT(norm(rotation_between(qa, qb)), 1e-5);
  EXPECT_NEAR(world.state().v[5], w, 0.01);
}

}  // namespace
}  // namespace uzawa
