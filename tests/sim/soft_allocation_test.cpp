/// A step with soft bodies and rods allocates nothing once its nodes in contact have been met.
#include <gtest/gtest.h>

#include "sim/soft_scenes.hpp"
#include "support/allocations.hpp"

namespace uzawa {
namespace {

/// Jelly on the ground, and a pad that a hand carries and presses on the ground.
ModelSpec soft_scene() {
  ModelSpec spec = test::ground(0.4);
  const int hand = test::add_finger(spec, "hand", {0.03, 0.03, 0.01}, {0.5, 0, 0.05}, {0, 0, 1}, 0.5);
  const TetMesh mesh = box_mesh({0.04, 0.04, 0.04}, {2, 2, 2});
  SoftBodyOptions pad = test::jelly("pad", {0.5, 0, 0.02}, 5e-3);
  pad.carried = carried_by(hand, select_nodes(mesh.nodes, [](const Vec3& n) { return n.z() > 0.02 - 1e-9; }));
  add_soft_body(spec, mesh, pad);
  add_soft_body(spec, box_mesh({0.1, 0.1, 0.1}, {4, 4, 4}), test::jelly("a", {0, 0, 0.05}, 5e-3));
  SoftBodyOptions other = test::jelly("b", {0.2, 0, 0.03}, 5e-3);
  other.material.law = SolidLaw::NeoHookean;
  add_soft_body(spec, box_mesh({0.06, 0.06, 0.06}, {2, 2, 2}), other);
  return spec;
}

/// Allocations of 50 steps, when the scene has come to rest. While things fall the set of nodes in contact changes from
/// step to step, and each set has another order of elimination, which is planned anew.
long allocations_at_rest(const ModelSpec& spec, const SimSettings& settings) {
  World world(Model(spec), settings);
  for (int i = 0; i < 200; ++i) world.step();
  EXPECT_GT(world.report().contacts, 20);
  const long before = test::allocations();
  for (int i = 0; i < 50; ++i) world.step();
  return test::allocations() - before;
}

TEST(SoftAllocationTest, StepAllocatesNothing) {
  EXPECT_EQ(allocations_at_rest(soft_scene(), {.solver = "auto"}), 0);
  EXPECT_EQ(allocations_at_rest(soft_scene(), {.solver = "subadmm"}), 0);
}

TEST(SoftAllocationTest, StepAllocatesNothingWithOtherSettings) {
  EXPECT_EQ(allocations_at_rest(soft_scene(), {.solver = "pgs"}), 0);
  EXPECT_EQ(allocations_at_rest(soft_scene(), {.solver = "canal", .solve = {.threads = 2}}), 0);
}

TEST(SoftAllocationTest, ARopeOnTheGroundAllocatesNothing) {
  ModelSpec spec = test::ground(0.4);
  add_rod(spec, test::line({-0.15, 0.02, 0.006}, {0.25, 0.03, 0.006}, 12), {.damping = 1e-2});
  for (const char* solver : {"auto", "subadmm", "pgs"}) {
    World world(Model(spec), {.solver = solver});
    for (int i = 0; i < 200; ++i) world.step();
    EXPECT_GT(world.report().contacts, 10);
    const long before = test::allocations();
    for (int i = 0; i < 50; ++i) world.step();
    EXPECT_EQ(test::allocations() - before, 0) << solver;
  }
}

TEST(SoftAllocationTest, PiecesAllocateNothing) {
  ModelSpec spec = test::ground(0.4);
  add_rod(spec, test::line({-0.15, 0.02, 0.006}, {0.25, 0.03, 0.006}, 12), {.damping = 1e-2, .pieces = {3, {}}});
  SoftBodyOptions bar = test::jelly("bar", {0, 0.3, 0.02}, 5e-3);
  bar.pieces.count = 4;
  add_soft_body(spec, box_mesh({0.2, 0.04, 0.04}, {5, 2, 2}), bar);
  EXPECT_EQ(allocations_at_rest(spec, {.solver = "subadmm"}), 0);
}

/// Solved by iterations, whose vectors are as long as the body is large.
TEST(SoftAllocationTest, ALargeBodyAllocatesNothing) {
  World world(Model(test::large_jelly()), {});
  for (int i = 0; i < 20; ++i) world.step();
  EXPECT_TRUE(test::iterates(world));
  EXPECT_GT(world.report().contacts, 100);
  const long before = test::allocations();
  for (int i = 0; i < 10; ++i) world.step();
  EXPECT_EQ(test::allocations() - before, 0);
}

/// Swinging, in large rotations: a beam and a rod that are held at one end, and two that fly.
TEST(SoftAllocationTest, MotionWithoutContactAllocatesNothing) {
  ModelSpec spec;
  for (const SolidLaw law : {SolidLaw::Corotational, SolidLaw::NeoHookean}) {
    const double y = law == SolidLaw::NeoHookean ? 1 : 0;
    const TetMesh mesh = box_mesh({0.2, 0.04, 0.04}, {5, 1, 1});
    SoftBodyOptions beam = test::jelly("beam" + std::to_string(y), {0, y, 0});
    beam.material.law = law;
    beam.material.averaged_dilatation = law == SolidLaw::Corotational;
    beam.pinned = select_nodes(mesh.nodes, [](const Vec3& n) { return n.x() < -0.1 + 1e-9; });
    add_soft_body(spec, mesh, beam);
  }
  const int rod = add_rod(spec, test::line({0, 2, 0}, {0.3, 2, 0}, 10), {});
  tie_rod_end(spec, rod, RodEnd::First, 0);
  add_rod(spec, test::line({0, 3, 0}, {0.3, 3, 0}, 10), {.name = "other", .damping = 0.01});
  for (const double theta : {0.0, 0.5}) {
    World world(Model(spec), {.theta = theta});
    const State start = world.state();
    long before = 0;
    for (int round = 0; round < 2; ++round) {  // the second swings through what the first has met
      world.set_state(start);
      before = test::allocations();
      for (int i = 0; i < 150; ++i) world.step();
    }
    EXPECT_EQ(test::allocations() - before, 0) << theta;
  }
}

}  // namespace
}  // namespace uzawa
