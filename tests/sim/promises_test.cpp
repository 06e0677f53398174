/// What rigid contact with hard laws promises, with default settings.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/scenes.hpp"

namespace uzawa {
namespace {

using test::kGravity;

TEST(PromisesTest, PinchedBoxDoesNotCreep) {
  ModelSpec spec;
  spec.options.gravity = {0, 0, -kGravity};
  const Vec3 pad{0.01, 0.02, 0.02};
  test::add_finger(spec, "left", pad, {-0.041, 0, 0}, {1, 0, 0}, 0.7);
  test::add_finger(spec, "right", pad, {0.041, 0, 0}, {-1, 0, 0}, 0.7);
  test::add_box(spec, {.half = {0.03, 0.03, 0.03}, .mass = 0.5, .mu = 0.7});
  World world((Model(std::move(spec))));
  const std::vector<double> force = {20, 20};
  test::run(world, 500, force);  // the fingers close
  const double before = world.state().q[4];
  test::run(world, 2500, force);
  const double creep = std::abs(world.state().q[4] - before) / (2500 * world.dt());
  EXPECT_LT(creep, 1e-7);  // m/s
}

TEST(PromisesTest, HeavyBoxOnLightBoxDoesNotSink) {
  ModelSpec spec = test::ground(0.5);
  test::add_box(spec, {.name = "light", .mass = 0.1, .position = {0, 0, 0.05}});
  test::add_box(spec, {.name = "heavy", .mass = 100, .position = {0, 0, 0.15}});
  World world(Model(std::move(spec)), {.dt = 0.002});
  double deepest = 0;
  for (int i = 0; i < 2500; ++i) {
    test::run(world, 1);
    deepest = std::max(deepest, world.report().penetration);
  }
  EXPECT_LT(deepest, 1e-5);
  EXPECT_NEAR(world.state().q[2], 0.05, 1e-5);
  EXPECT_NEAR(world.state().q[9], 0.15, 1e-5);
}

TEST(PromisesTest, PushedBoxMovesAlongThePush) {
  for (const double h : {1.0 / 240, 0.002}) {
    ModelSpec spec = test::ground(0.5);
    test::add_box(spec, {.half = {0.1, 0.1, 0.05}, .mass = 1, .position = {0, 0, 0.05}});
    World world(Model(std::move(spec)), {.dt = h});
    const double push = 10 * M_SQRT1_2;
    const std::vector<double> force = {push, push, 0, 0, 0, 0};
    const int steps = static_cast<int>(std::lround(1 / h));
    double highest = 0;
    for (int i = 0; i < steps; ++i) {
      test::run(world, 1, {}, force);
      highest = std::max(highest, std::abs(world.state().q[2] - 0.05));
    }
    const double speed = (10 - 0.5 * kGravity) * h * steps;
    EXPECT_NEAR(std::hypot(world.state().v[0], world.state().v[1]), speed, 1e-6 * speed) << "dt " << h;
    EXPECT_NEAR(std::atan2(world.state().v[1], world.state().v[0]), M_PI / 4, 1e-6) << "dt " << h;
    EXPECT_LT(highest, 1e-6) << "dt " << h;
  }
}

TEST(PromisesTest, StackOfTenBoxesStands) {
  ModelSpec spec = test::ground(0.5);
  for (int i = 0; i < 10; ++i) {
    test::add_box(spec, {.name = "box" + std::to_string(i), .position = {0, 0, 0.05 + 0.1 * i}});
  }
  World world((Model(std::move(spec))));
  const State start = world.state();
  test::run(world, 1000);
  for (std::size_t i = 0; i < 10; ++i) {
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(world.state().q[7 * i + k], start.q[7 * i + k], 1e-5);
  }
}

}  // namespace
}  // namespace uzawa
