/// Shapes that meet within a step, though nothing at its start said so.
#include <gtest/gtest.h>

#include <limits>
#include <numbers>
#include <set>

#include "sim/scenes.hpp"

namespace uzawa {
namespace {

constexpr double kStep = 1.0 / 240, kRadius = 0.05, kSpeed = 10;
constexpr double kNever = std::numeric_limits<double>::infinity();

SimSettings with_second_look(double allowance) { return {.dt = kStep, .second_look = allowance}; }

/// In a row and without weight: the first ball, of 100 kg, is as far from the second as the others from each other,
/// and passes 42 mm in a step.
constexpr double kGap = 0.005;
ModelSpec row_of_balls(int count) {
  ModelSpec spec;
  spec.options.gravity = {};
  for (int i = 0; i < count; ++i) {
    test::add_ball(spec, "ball" + std::to_string(i), kRadius, i == 0 ? 100 : 1, {(2 * kRadius + kGap) * i, 0, 0});
  }
  return spec;
}
void throw_first(World& world) {
  State state = world.state();
  state.v[0] = kSpeed;
  world.set_state(state);
}

/// m, at the end of a step; the next one says so.
double overlap_after_step(World& world) {
  EXPECT_EQ(world.step().status, StepStatus::Solved);
  const World::Snapshot end = world.save();
  world.step();
  const double overlap = world.report().penetration;
  world.restore(end);
  return overlap;
}

/// The second ball is pushed by 37 mm, and the third is 5 mm away from it, at rest: out of reach at first.
TEST(SecondLookTest, BallThatIsFlungStopsAtItsNeighbour) {
  World without(Model(row_of_balls(3)), with_second_look(kNever));
  throw_first(without);
  EXPECT_NEAR(overlap_after_step(without), kSpeed * kStep * 100 / 101 - 2 * kGap, 1e-3);
  EXPECT_EQ(without.contacts().size(), 2U);

  World world(Model(row_of_balls(3)), with_second_look(1e-3));
  throw_first(world);
  EXPECT_LT(overlap_after_step(world), 1e-6);
  // Momentum is kept, and all move on together as far as their gaps let them.
  const std::vector<double>& v = world.state().v;
  EXPECT_NEAR(100 * v[0] + v[6] + v[12], 100 * kSpeed, 1e-5);
}

/// A grain is not let into another by as much as a foot: 5 % of its radius is the most.
TEST(SecondLookTest, SmallShapesAreAllowedLess) {
  ModelSpec spec;
  spec.options.gravity = {};
  constexpr double kGrain = 0.005;
  for (int i = 0; i < 3; ++i) {
    test::add_ball(spec, "grain" + std::to_string(i), kGrain, i == 0 ? 100 : 1e-3, {(2 * kGrain + 1.5e-3) * i, 0, 0});
  }
  const auto overlap = [&](double allowance) {
    World world(Model(spec), with_second_look(allowance));
    State state = world.state();
    state.v[0] = 3.7e-3 / kStep;  // leads 0.7 mm into the third
    world.set_state(state);
    return overlap_after_step(world);
  };
  EXPECT_NEAR(overlap(kNever), 7e-4, 1e-5);
  EXPECT_LT(overlap(1e-3), 1e-6);
}

/// Each look finds the next ball.
TEST(SecondLookTest, IsTakenAgainForWhatItSetsInMotion) {
  World world(Model(row_of_balls(4)), with_second_look(1e-3));
  throw_first(world);
  EXPECT_LT(overlap_after_step(world), 1e-6);
}

TEST(SecondLookTest, ReportsTheContactsThatItAdds) {
  World world(Model(row_of_balls(3)), with_second_look(1e-3));
  throw_first(world);
  const StepReport& report = world.step();
  EXPECT_EQ(report.resolves, 1);
  EXPECT_EQ(report.contacts, 2);
  EXPECT_EQ(report.penetration, 0);
  ASSERT_EQ(world.contacts().size(), 2U);
  const Contact& added = world.contacts().back();
  EXPECT_EQ(added.geom1, 1);
  EXPECT_EQ(added.geom2, 2);
  EXPECT_NEAR(added.gap, kGap, 1e-9);  // spheres on a line: their plane sees the gap that they have
  EXPECT_NEAR(added.normal.x(), 1, 1e-12);
  EXPECT_EQ(world.keys().back(), added.key);
  EXPECT_GT(world.result().lambda.back(), 0);
}

/// Two rods, nearly side by side, touch in the middle, where they cross; the upper one turns about their middle. Its
/// ends have (h w) L = 17 mm to fall, less than the rods are thick: what has passed right through is not seen to have.
ModelSpec crossed_rods() {
  ModelSpec spec;
  spec.options.gravity = {};
  const Quat along_x = exp_rotation({0, std::numbers::pi / 2, 0});
  for (const double above : {0.0, 1.0}) {
    test::add_ball(spec, above > 0 ? "upper" : "lower", 0.01, 1, {0, 0, 0.0201 * above});
    spec.geoms.back().shape = ShapeType::Capsule;
    spec.geoms.back().size = {0.01, 0.2, 0};
    spec.geoms.back().orientation = exp_rotation({0, 0, 0.03 * above}) * along_x;
  }
  return spec;
}
TEST(SecondLookTest, RodThatTurnsMeetsWithOtherFeatures) {
  const auto overlap = [](double allowance) {
    World world(Model(crossed_rods()), with_second_look(allowance));
    State state = world.state();
    state.v[10] = 20;
    world.set_state(state);
    return overlap_after_step(world);
  };
  EXPECT_GT(overlap(kNever), 5e-3);
  EXPECT_LT(overlap(1e-3), 1e-3);
}

/// A ball slides down the wall of a pot, 7 mm a step; its floor is farther than the wall from all of the ball, and
/// comes within the step.
TEST(SecondLookTest, BallThatSlidesDownAWallStopsAtTheFloor) {
  constexpr double kBall = 0.005, kWall = 0.003, kPot = 0.06, kAbove = 0.0055;
  ModelSpec spec;
  GeomSpec pot_geom;
  pot_geom.name = "pot";
  pot_geom.sdf = SdfSpec{.parts = {{pot(kPot, 0.1, kWall), {}, {}}}};
  spec.geoms.push_back(pot_geom);
  test::add_ball(spec, "ball", kBall, 0.005, {kPot - kWall / 2 - kBall, 0, kWall / 2 + kBall + kAbove});
  const auto overlap = [&](double allowance) {
    World world(Model(spec), with_second_look(allowance));
    State state = world.state();
    state.v[2] = -1.75;
    world.set_state(state);
    return overlap_after_step(world);
  };
  EXPECT_GT(overlap(kNever), 1e-3);
  EXPECT_LT(overlap(1e-3), 1e-5);
}

TEST(SecondLookTest, IsNotTakenWhereNothingIsFast) {
  ModelSpec spec = test::ground(0.5);
  for (int i = 0; i < 3; ++i) {
    test::add_box(spec, {.name = "box" + std::to_string(i), .position = {0.02 * i, 0, 0.051 + 0.101 * i}});
  }
  World world(Model(std::move(spec)), with_second_look(1e-3));
  for (int i = 0; i < 100; ++i) EXPECT_EQ(world.step().resolves, 0) << "step " << i;
}

TEST(SecondLookTest, WakesWhatIsMet) {
  SimSettings settings = with_second_look(1e-3);
  settings.sleep = {.enabled = true, .time = 0.1};
  World world(Model(row_of_balls(3)), settings);
  test::run(world, 60);
  ASSERT_EQ(world.report().asleep, 3);
  World::Snapshot saved = world.save();
  saved.state.v[0] = kSpeed;
  saved.sleep.group[0] = saved.sleep.group[1] = -1;  // the third sleeps on
  world.restore(saved);
  EXPECT_LT(overlap_after_step(world), 1e-6);
  EXPECT_GT(world.state().v[12], 1);
}

TEST(SecondLookTest, RestoredWorldGoesOnBitForBit) {
  const Model model(row_of_balls(4));
  World world(model, with_second_look(1e-3)), other(model, with_second_look(1e-3));
  throw_first(world);
  world.step();
  other.restore(world.save());
  for (int i = 0; i < 20; ++i) {
    world.step();
    other.step();
    ASSERT_EQ(world.state(), other.state()) << "step " << i;
  }
}

TEST(SecondLookTest, KeysAreDistinct) {
  World world(Model(row_of_balls(4)), with_second_look(1e-3));
  throw_first(world);
  for (int i = 0; i < 5; ++i) {
    world.step();
    EXPECT_EQ(std::set<std::uint64_t>(world.keys().begin(), world.keys().end()).size(), world.keys().size());
  }
}

}  // namespace
}  // namespace uzawa
