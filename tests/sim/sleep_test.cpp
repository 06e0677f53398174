/// Islands that rest are frozen, and woken by whatever could move them.
#include <gtest/gtest.h>

#include "sim/scenes.hpp"
#include "uzawa/base/error.hpp"

namespace uzawa {
namespace {

const SimSettings kSleepy{.sleep = {.enabled = true}};

/// A stack of three boxes, a finger that pushes at nothing, and a ball far away in the air.
constexpr int kTrees = 5;
ModelSpec scene() {
  ModelSpec spec = test::ground(0.5);
  for (int i = 0; i < 3; ++i) {
    test::add_box(spec, {.name = "box" + std::to_string(i), .position = {0, 0, 0.051 + 0.101 * i}});
  }
  test::add_finger(spec, "finger", {0.05, 0.05, 0.05}, {0, 2, 0.06}, {1, 0, 0}, 0.5);
  spec.joints.back().damping = 5;
  test::add_ball(spec, "ball", 0.05, 2, {3, 0, 0.05}, 0.5);
  return spec;
}

/// Until everything sleeps.
void fall_asleep(World& world) {
  test::run(world, 500);
  ASSERT_EQ(world.report().asleep, kTrees);
  ASSERT_EQ(world.report().constraints, 0);
}

/// The ball, alone awake, towards the stack.
void throw_ball(World& world) {
  World::Snapshot saved = world.save();
  saved.state.v[19] = -6;
  saved.sleep.group.back() = -1;
  world.restore(saved);
}

TEST(SleepTest, OffByDefault) {
  World world((Model(scene())));
  test::run(world, 500);
  EXPECT_EQ(world.report().asleep, 0);
  EXPECT_GT(world.report().constraints, 0);
}

TEST(SleepTest, WhatRestsIsFrozen) {
  World world(Model(scene()), kSleepy);
  double before = test::energy(world);
  std::vector<int> groups = world.save().sleep.group;
  for (int i = 0; i < 500; ++i) {
    test::run(world, 1);
    const double now = test::energy(world);
    if (world.save().sleep.group != groups) {
      // To fall asleep takes energy away; the step itself may add what the solver's tolerance (1e-8 N s at less than
      // 1 m/s) lets through.
      EXPECT_LE(now - before, 1e-8) << i;
    }
    groups = world.save().sleep.group;
    before = now;
  }
  fall_asleep(world);
  State expected = world.state();
  for (const double v : expected.v) EXPECT_EQ(v, 0);
  test::run(world, 100);
  expected.time = world.state().time;
  EXPECT_EQ(world.state(), expected);
}

TEST(SleepTest, WhatMovesOrIsDrivenByItselfDoesNotSleep) {
  ModelSpec spec = test::ground(0);
  test::add_box(spec, {.name = "glider", .position = {0, 0, 0.05}});
  test::add_finger(spec, "filtered", {0.05, 0.05, 0.05}, {0, 2, 0.06}, {1, 0, 0}, 0.5);
  spec.actuators[0].dynamics = ActuatorDynamics::Filter;
  World world(Model(std::move(spec)), kSleepy);
  State state = world.state();
  state.v[0] = 0.002;
  world.set_state(state);
  test::run(world, 1000);
  EXPECT_EQ(world.report().asleep, 0);
  EXPECT_NEAR(world.state().q[0], 0.004, 1e-7);
}

TEST(SleepTest, AHitWakesTheWholeStack) {
  World world(Model(scene()), kSleepy);
  fall_asleep(world);
  throw_ball(world);
  const double energy = test::energy(world);
  int woken_at = -1;
  for (int i = 0; i < 700; ++i) {
    test::run(world, 1);
    EXPECT_LT(test::energy(world), energy + 1e-9);
    if (woken_at < 0 && world.report().asleep == 1) woken_at = i;  // the finger sleeps on
  }
  EXPECT_GT(woken_at, 100);
  EXPECT_LT(world.state().q[0], -0.01);  // the lowest box was pushed
  test::run(world, 2000);
  EXPECT_EQ(world.report().asleep, kTrees);
}

TEST(SleepTest, AHitIsTheSameForAnyNumberOfThreads) {
  std::vector<World::Snapshot> ends;
  for (const int threads : {1, 2, 8}) {
    SimSettings settings = kSleepy;
    settings.solve.threads = threads;
    World world(Model(scene()), settings);
    fall_asleep(world);
    throw_ball(world);
    test::run(world, 700);
    ends.push_back(world.save());
    EXPECT_EQ(ends.back().state, ends.front().state) << threads;
    EXPECT_EQ(ends.back().sleep, ends.front().sleep) << threads;
  }
}

TEST(SleepTest, ControlForceAndStateWake) {
  World world(Model(scene()), kSleepy);
  fall_asleep(world);
  const World::Snapshot saved = world.save();
  test::run(world, 1, std::vector<double>{0.3});
  EXPECT_EQ(world.report().asleep, kTrees - 1);
  EXPECT_GT(world.state().v[18], 0);

  world.restore(saved);
  std::vector<double> force(static_cast<std::size_t>(world.model().nv()), 0.0);
  force[12] = 1;  // on the uppermost box
  test::run(world, 1, {}, force);
  EXPECT_EQ(world.report().asleep, kTrees - 3);

  world.restore(saved);
  world.set_state(world.state());
  test::run(world, 1);
  EXPECT_EQ(world.report().asleep, 0);
}

TEST(SleepTest, RestoredSleepGoesOnBitForBit) {
  const Model model(scene());
  World world(model, kSleepy), other(model, kSleepy);
  for (const int before : {200, 60, 240}) {
    test::run(world, before, std::vector<double>{0.2});
    const World::Snapshot saved = world.save();
    test::run(world, 100);
    other.restore(saved);
    test::run(other, 100);
    EXPECT_EQ(other.state(), world.state());
    EXPECT_EQ(other.save().sleep, world.save().sleep);
  }
}

TEST(SleepTest, BadInputIsRefused) {
  EXPECT_THROW(World(Model(scene()), {.sleep = {.speed = -1}}), InputError);
  World world(Model(scene()), kSleepy);
  World::Snapshot saved = world.save();
  saved.sleep.group.pop_back();
  EXPECT_THROW(world.restore(saved), InputError);
}

}  // namespace
}  // namespace uzawa
