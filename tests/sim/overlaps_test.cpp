/// Arms whose links overlap where they are jointed, as the collision shapes of many files do: parents and children do
/// not collide, grandparents and grandchildren do.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/scenes.hpp"

namespace uzawa {
namespace {

constexpr double kLength = 0.1;  // m, from joint to joint
constexpr int kLinks = 6;

/// Six short links, axes in turn, that servos hold above the ground; `radius` of their shapes. The last link rests its
/// tip on a table, so that a step has contacts whether links overlap or not.
ModelSpec arm(ShapeType shape, double radius) {
  ModelSpec spec = test::ground(0.5);
  const Vec3 axes[] = {{0, 0, 1}, {0, 1, 0}, {0, 1, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}};
  for (int i = 0; i < kLinks; ++i) {
    BodySpec body{.name = "link" + std::to_string(i), .parent = i, .mass = 0.5, .com = {kLength / 2, 0, 0}};
    body.position = i == 0 ? Vec3{0, 0, 0.3} : Vec3{kLength, 0, 0};
    body.principal_inertia = {4e-4, 8e-4, 8e-4};
    spec.bodies.push_back(body);
    JointSpec joint{.name = body.name, .body = i + 1, .axis = axes[i], .armature = 0.01};
    spec.joints.push_back(joint);
    const bool box = shape == ShapeType::Box;
    GeomSpec geom{.name = body.name, .body = i + 1, .shape = shape};
    geom.size = box ? Vec3{kLength / 2 + radius, radius, radius} : Vec3{radius, kLength / 2, 0};
    geom.position = {kLength / 2, 0, 0};
    if (!box) geom.orientation = exp_rotation({0, M_PI / 2, 0});
    geom.friction[0] = 0.5;
    spec.geoms.push_back(geom);
    spec.actuators.push_back({.name = body.name, .target = i, .gain = {200, 0, 0}, .bias = {0, -200, -10}});
  }
  scenarios::add_wall(
      spec,
      {.name = "table", .half = {0.03, 0.1, 0.1}, .position = {kLinks * kLength - 0.02, 0, 0.2 - radius}, .mu = 0.5});
  return spec;
}

struct Cost {
  double iterations = 0, moves = 0;  ///< mean
  int unsolved = 0;
  double residual = 0, fastest = 0, gain = 0;  ///< largest
};

Cost run_arm(ShapeType shape, double radius) {
  World world(Model(arm(shape, radius)), {.dt = 2e-3});
  Cost cost;
  constexpr int kSteps = 1000;
  std::vector<double> control(kLinks, 0.0);
  for (int i = 0; i < kSteps; ++i) {
    control[1] = 0.2 * std::sin(0.01 * i);
    control[2] = -0.2 * std::sin(0.013 * i);
    control[4] = 0.3 * std::sin(0.02 * i);
    const StepReport& report = world.step(control);
    if (report.status != StepStatus::Solved) ++cost.unsolved;
    cost.iterations += 1.0 * report.inner_iterations / kSteps;
    cost.moves += 1.0 * report.moves / kSteps;
    cost.residual = std::max(cost.residual, report.residual);
    for (const double v : world.state().v) cost.fastest = std::max(cost.fastest, std::abs(v));
    cost.gain = std::max(cost.gain, report.energy.gain);
  }
  return cost;
}

/// A capsule's overlap is about its joints' lines: contacts without a lever, which are dropped.
TEST(OverlapsTest, CapsulesMoveAsIfTheyDidNot) {
  const Cost apart = run_arm(ShapeType::Capsule, 0.03);
  for (const double radius : {0.052, 0.06, 0.08}) {
    const Cost overlap = run_arm(ShapeType::Capsule, radius);
    EXPECT_EQ(overlap.unsolved, 0) << radius;
    EXPECT_LT(overlap.iterations, 1.5 * apart.iterations) << radius;
    EXPECT_LT(overlap.moves, 0.1) << radius;
    EXPECT_NEAR(overlap.fastest, apart.fastest, 0.01 * apart.fastest) << radius;
    EXPECT_LT(overlap.gain, 1e-4) << radius;
  }
}

/// The flat ends of boxes press on each other, 4 mm deep, and no joint can part them: they jam, stay where they are,
/// and one look is enough to see that no move helps.
TEST(OverlapsTest, BoxesJamCalmly) {
  const Cost apart = run_arm(ShapeType::Box, 0.03), jammed = run_arm(ShapeType::Box, 0.052);
  EXPECT_LT(jammed.iterations, 3 * apart.iterations);
  EXPECT_LT(jammed.moves, 1.01);
  EXPECT_LT(jammed.residual, 1e-5);
  EXPECT_LT(jammed.fastest, 1e-3);
  EXPECT_LT(jammed.gain, 1e-4);
}

/// And deeper: the move that shares such errors out folds the arm a little further in every step (85 rad/s after 40 of
/// them, wound up against its servos), and lessens none of them.
TEST(OverlapsTest, BoxesJamCalmlyHoweverDeep) {
  for (const double radius : {0.06, 0.065}) {
    const Cost jammed = run_arm(ShapeType::Box, radius);
    EXPECT_LT(jammed.fastest, 1e-3) << radius;
    EXPECT_LT(jammed.gain, 1e-4) << radius;
    EXPECT_LT(jammed.residual, 1e-5) << radius;
  }
}

}  // namespace
}  // namespace uzawa
