/// A step with soft bodies and rods allocates nothing once everything has been met.
#include <gtest/gtest.h>

#include "sim/soft_scenes.hpp"
#include "support/allocations.hpp"

namespace uzawa {
namespace {

/// Jelly and a rope that fall on each other and on the ground, and a pad that a hand carries.
ModelSpec soft_scene() {
  ModelSpec spec = test::ground(0.4);
  const int hand = test::add_finger(spec, "hand", {0.03, 0.03, 0.01}, {0.5, 0, 0.15}, {0, 0, 1}, 0.5);
  SoftBodyOptions pad = test::jelly("pad", {0.5, 0, 0.12}, 1e-3);
  const TetMesh mesh = box_mesh({0.04, 0.04, 0.04}, {2, 2, 2});
  pad.carried = carried_by(hand, select_nodes(mesh.nodes, [](const Vec3& n) { return n.z() > 0.02 - 1e-9; }));
  add_soft_body(spec, mesh, pad);
  add_soft_body(spec, box_mesh({0.1, 0.1, 0.1}, {4, 4, 4}), test::jelly("a", {0, 0, 0.052}, 1e-3));
  SoftBodyOptions other = test::jelly("b", {0.02, 0.01, 0.14}, 2e-3);
  other.material.law = SolidLaw::NeoHookean;
  add_soft_body(spec, box_mesh({0.06, 0.06, 0.06}, {2, 2, 2}), other);
  RodOptions rope;
  rope.friction = test::kSmooth;
  rope.damping = 1e-3;
  add_rod(spec, test::line({-0.15, 0.02, 0.2}, {0.25, 0.03, 0.19}, 8), rope);
  return spec;
}

/// The scene twice; allocations of the second time.
long allocations_of_replay(const SimSettings& settings) {
  World world(Model(soft_scene()), settings);
  const State start = world.state();
  long before = 0;
  for (int round = 0; round < 2; ++round) {
    world.set_state(start);
    before = test::allocations();
    for (int i = 0; i < 120; ++i) world.step();
    EXPECT_GT(world.report().contacts, 20);
  }
  return test::allocations() - before;
}

TEST(SoftAllocationTest, StepAllocatesNothing) {
  EXPECT_EQ(allocations_of_replay({.solver = "auto"}), 0);
  EXPECT_EQ(allocations_of_replay({.theta = 0.5, .solver = "canal"}), 0);
}

TEST(SoftAllocationTest, StepAllocatesNothingWithOtherMethods) {
  EXPECT_EQ(allocations_of_replay({.solver = "subadmm"}), 0);
  EXPECT_EQ(allocations_of_replay({.solver = "pgs"}), 0);
  EXPECT_EQ(allocations_of_replay({.solver = "canal", .solve = {.threads = 2}}), 0);
}

}  // namespace
}  // namespace uzawa
