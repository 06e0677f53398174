/// A step allocates nothing once everything has been met: a replay meets other numbers of contacts in every step, none
/// larger than before.
#include <gtest/gtest.h>

#include "sim/scenes.hpp"
#include "support/allocations.hpp"

namespace uzawa {
namespace {

ModelSpec busy_scene() {
  ModelSpec spec = test::ground(0.4);
  for (int i = 0; i < 4; ++i) {
    test::add_box(spec, {.name = "box" + std::to_string(i), .position = {0, 0, 0.051 + 0.102 * i}});
  }
  test::add_finger(spec, "a", {0.05, 0.05, 0.05}, {1, 0, 0.05}, {1, 0, 0}, 0.5);
  test::add_finger(spec, "b", {0.05, 0.05, 0.05}, {1, 1, 0.05}, {1, 0, 0}, 0.5);
  spec.joints[4].range = Range{-0.1, 0.1};
  spec.joints[5].friction_loss = 0.1;
  spec.tendons.push_back({.name = "t", .joints = {4, 5}, .coefficients = {1, 1}, .stiffness = 10, .damping = 1});
  spec.equalities.push_back(
      {.name = "weld", .type = EqualityType::Weld, .first = 4, .second = 3, .first_anchor = {0, 0, -0.102}});
  return spec;
}

/// The scene twice; allocations of the second time.
long allocations_of_replay(const SimSettings& settings) {
  World world(Model(busy_scene()), settings);
  const std::vector<double> control = {1, 0.2};
  const State start = world.state();
  long before = 0;
  for (int round = 0; round < 2; ++round) {
    world.set_state(start);
    before = test::allocations();
    for (int i = 0; i < 200; ++i) world.step(control);
    EXPECT_GT(world.report().contacts, 8);
  }
  return test::allocations() - before;
}

TEST(SimAllocationTest, StepAllocatesNothing) {
  for (const char* solver : {"auto", "canal", "subadmm", "pgs"}) {
    EXPECT_EQ(allocations_of_replay({.solver = solver}), 0) << solver;
  }
}

TEST(SimAllocationTest, StepAllocatesNothingWithAllTheTrimmings) {
  EXPECT_EQ(allocations_of_replay({.theta = 0.5, .solver = "pgs"}), 0);
  EXPECT_EQ(allocations_of_replay({.smooth = SmoothRule::Rk4, .solver = "pgs"}), 0);
  EXPECT_EQ(allocations_of_replay({.solver = "pgs", .assembly = {.restitution = 0.5}}), 0);
  EXPECT_EQ(allocations_of_replay({.solver = "pgs", .sleep = {.enabled = true}}), 0);
  EXPECT_EQ(allocations_of_replay({.solver = "pgs", .solve = {.threads = 2}}), 0);
}

}  // namespace
}  // namespace uzawa
