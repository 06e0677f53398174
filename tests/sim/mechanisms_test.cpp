/// Robots whose files are not quite right: loops that start open, joints beyond their limits, constraints said twice.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/scenes.hpp"
#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/dynamics/newton_euler.hpp"

namespace uzawa {
namespace {

/// A rod from its frame along `way`, on a hinge about y.
int add_rod(ModelSpec& spec, int parent, const Vec3& position, const Vec3& way, double mass) {
  BodySpec body{.name = "rod" + std::to_string(spec.bodies.size()), .parent = parent, .position = position};
  body.mass = mass;
  body.com = 0.5 * way;
  const double across = mass * dot(way, way) / 12;
  body.principal_inertia = {across, across, across};
  spec.bodies.push_back(body);
  JointSpec joint{.name = body.name, .body = static_cast<int>(spec.bodies.size()) - 1, .axis = {0, 1, 0}};
  spec.joints.push_back(joint);
  return joint.body;
}

constexpr double kTrunk = 8, kThigh = 1, kShin = 0.5, kBar = 0.2;  // kg
constexpr double kWeight = (kTrunk + 2 * (kThigh + kShin + kBar)) * test::kGravity;
constexpr double kLeg = 0.4, kBehind = 0.08, kFoot = 0.3;  // m: thigh and bar, bar behind thigh, ankle

struct Loops {
  Vec3 open;         ///< m
  double aside = 0;  ///< m; above 0: every loop is closed twice, this far to either side
  double apart = 0;  ///< m; the second of these is so far beside the first, seen from the side
};

/// A trunk on two legs, whose shins are kept upright by a bar behind each thigh: a parallelogram in the plane.
ModelSpec walker(const Loops& loops) {
  ModelSpec spec = test::ground(0.8);
  const int trunk = test::add_box(
      spec, {.name = "trunk", .half = {0.1, 0.08, 0.05}, .mass = kTrunk, .position = {0, 0, kLeg + kFoot}});
  for (const double side : {-0.1, 0.1}) {
    const int thigh = add_rod(spec, trunk, {0, side, 0}, {0, 0, -kLeg}, kThigh);
    const int shin = add_rod(spec, thigh, {0, 0, -kLeg}, {0, 0, -kFoot}, kShin);
    spec.geoms.push_back({.name = "foot" + std::to_string(shin),
                          .body = shin,
                          .shape = ShapeType::Box,
                          .size = {0.1, 0.03, 0.01},
                          .position = {0, 0, -kFoot + 0.01}});
    const int bar = add_rod(spec, trunk, {-kBehind, side, 0}, {0, 0, -kLeg}, kBar);
    for (const double y : {-loops.aside, loops.aside}) {
      spec.equalities.push_back({.name = "loop",
                                 .first = shin,
                                 .second = bar,
                                 .first_anchor = Vec3{-kBehind + (y > 0 ? loops.apart : 0), y, 0} + loops.open,
                                 .second_anchor = {0, y, -kLeg}});
      if (loops.aside == 0) break;
    }
    spec.actuators.push_back(
        {.name = "hip" + std::to_string(thigh), .target = thigh - 1, .gain = {1000, 0, 0}, .bias = {0, -1000, -50}});
  }
  return spec;
}

double kinetic(const World& world) {
  DynamicsData data(world.model());
  forward_kinematics(world.model(), world.state().q, data);
  link_velocities(world.model(), world.state().v, data);
  return kinetic_energy(world.model(), world.state().v, data);
}

double fastest(const World& world) {
  double most = 0;
  for (const double v : world.state().v) most = std::max(most, std::abs(v));
  return most;
}

const Vec3 kOpen{0.9e-3, 0, 1.2e-3};
constexpr double kMostShare = 1e-3;  // of weight times error, as kinetic energy

TEST(MechanismsTest, OpenLegsCloseWithoutMoving) {
  ModelSpec spec = walker({.open = kOpen});
  spec.options.gravity = {};
  spec.options.actuation = false;
  for (BodySpec& body : spec.bodies) body.position = body.position + Vec3{0, 0, body.name == "trunk" ? 1.0 : 0.0};
  World world((Model(std::move(spec))));
  for (int i = 0; i < 200; ++i) {
    test::run(world, 1);
    if (i == 0) {
      EXPECT_NEAR(world.report().position_error, 1.2e-3, 1e-6);
    }
    ASSERT_LT(kinetic(world), kMostShare * kWeight * norm(kOpen)) << i;
  }
  EXPECT_EQ(world.report().moves, 0);
}

/// On its feet and servos: what correction does to the trunk is the work of servos, which are springs, and nobody's
/// gain.
TEST(MechanismsTest, OpenLegsCloseWhereTheyStand) {
  World world((Model(walker({.open = kOpen}))));
  double most = 0;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_NE(world.step().status, StepStatus::Failed) << i;
    most = std::max(most, fastest(world));
    ASSERT_LT(world.report().energy.gain, kMostShare * kWeight * norm(kOpen)) << i;
    ASSERT_LE(world.report().moves, 4) << i;
  }
  EXPECT_LT(most, 0.5);
  EXPECT_LT(kinetic(world), 1e-6);
  EXPECT_NEAR(world.state().q[2], kLeg + kFoot, 3 * norm(kOpen));
}

/// Loops that are pinned twice, as files have it: half of their rows follow from the others, and cost nothing.
TEST(MechanismsTest, LoopsThatArePinnedTwiceAreSolvedAsFast) {
  double iterations[2] = {};
  for (const bool twice : {false, true}) {
    World world((Model(walker({.aside = twice ? 0.02 : 0}))));
    for (int i = 0; i < 1000; ++i) {
      ASSERT_NE(world.step().status, StepStatus::Failed) << i;
      iterations[twice ? 1 : 0] += world.report().inner_iterations;
      ASSERT_LT(world.report().residual, 1e-7) << i;
      ASSERT_EQ(world.report().moves, 0) << i;
      ASSERT_LT(kinetic(world), 1e-6) << i;
    }
  }
  EXPECT_LT(iterations[1] / 1000, iterations[0] / 1000 + 3);
}

/// And where the two pins are not quite in line: no motion satisfies both, the error is shared out, in the usual time.
TEST(MechanismsTest, LoopsThatArePinnedTwiceAndAskewAreSolvedAsFast) {
  for (const double apart : {1e-8, 3e-8, 1e-7, 1e-6}) {
    World world((Model(walker({.aside = 0.02, .apart = apart}))));
    std::vector<int> iterations;
    for (int i = 0; i < 1000; ++i) {
      ASSERT_EQ(world.step().status, StepStatus::Solved) << apart << ", step " << i;
      iterations.push_back(world.report().inner_iterations);
      ASSERT_LE(world.report().moves, 2) << apart << ", step " << i;
      ASSERT_LT(kinetic(world), 1e-6) << apart << ", step " << i;
    }
    // Which steps take tens of Newton steps is a matter of rounding where the pins are apart by about the tolerance.
    std::sort(iterations.begin(), iterations.end());
    EXPECT_LE(iterations[500], 3) << apart;
    EXPECT_LE(iterations[900], 30) << apart;
    EXPECT_LT(iterations.back(), 100) << apart;
    EXPECT_LE(world.report().remainder, 0.6 * apart);
  }
}

/// Four links of an arm; the third starts far beyond its limit.
ModelSpec arm(double compensation) {
  ModelSpec spec;
  int parent = 0;
  for (int i = 0; i < 4; ++i) {
    parent = add_rod(spec, parent, {i > 0 ? 0.3 : 0, 0, 0}, {0.3, 0, 0}, 1.0);
    spec.bodies.back().gravity_compensation = compensation;
    spec.joints.back().range = Range{-1.5, 1.5};
  }
  return spec;
}

void bend_beyond_limit(World& world, double beyond) {
  State state = world.state();
  state.q = {-1, 0.5, 1.5 + beyond, 0.2};
  world.set_state(state);
}

TEST(MechanismsTest, ArmBeyondItsLimitReachesItAtRest) {
  for (const double beyond : {0.01, 0.3, 2.0}) {
    World world((Model(arm(1))));
    bend_beyond_limit(world, beyond);
    for (int i = 0; i < 500; ++i) {
      test::run(world, 1);
      ASSERT_LT(kinetic(world), 1e-12) << beyond << ", step " << i;
    }
    EXPECT_NEAR(world.state().q[2], 1.5, 1e-7) << beyond;
  }
}

/// It falls, and swings against its limits, with no more energy than it has.
TEST(MechanismsTest, ArmBeyondItsLimitFallsCalmly) {
  World world((Model(arm(0))));
  bend_beyond_limit(world, 0.3);
  constexpr double kScale = 4 * test::kGravity * 1.2 / 2;
  for (int i = 0; i < 5000; ++i) {
    test::run(world, 1);
    ASSERT_LT(world.report().energy.gain, 0.015 * kScale) << i;
    ASSERT_LT(fastest(world), 100) << i;
  }
}

/// One point that is to be in three places: it ends where the sum of squared errors is least, at rest.
TEST(MechanismsTest, ContradictionEndsAtLeastViolation) {
  ModelSpec spec;
  spec.options.gravity = {};
  test::add_box(spec, {.name = "box", .mass = 1});
  for (const Vec3& place : {Vec3{3e-3, 0, 0}, Vec3{0, 3e-3, 0}, Vec3{0, 0, 6e-3}}) {
    spec.equalities.push_back({.name = "tie", .first = 1, .second = 0, .second_anchor = place});
  }
  World world((Model(std::move(spec))));
  for (int i = 0; i < 50; ++i) {
    test::run(world, 1);
    ASSERT_LT(kinetic(world), 1e-12) << i;
  }
  EXPECT_LT(norm(Vec3::from(world.state().q.data()) - Vec3{1e-3, 1e-3, 2e-3}), 1e-6);
}

/// A top whose frame is at its tip, far below its centre of mass: in flight, and on the ground.
TEST(MechanismsTest, TopWithItsFrameAtItsTipKeepsItsEnergy) {
  for (const bool grounded : {false, true}) {
    ModelSpec spec = test::ground(0.5);
    if (!grounded) spec.options.gravity = {};
    BodySpec body{.name = "top", .mass = 0.5, .com = {0, 0, 0.06}, .principal_inertia = {2e-3, 2e-3, 2.5e-3}};
    body.position = {0, 0, grounded ? 0.005 : 1};
    spec.bodies.push_back(body);
    spec.joints.push_back({.name = "free", .type = JointType::Free, .body = 1});
    spec.geoms.push_back({.name = "tip", .body = 1, .size = {0.005, 0, 0}});
    World world(Model(std::move(spec)), {.dt = 0.002});
    State state = world.state();
    exp_rotation({0.2, 0, 0}).store(&state.q[3]);
    state.v[3] = grounded ? 0 : 10;
    state.v[5] = 100;
    world.set_state(state);
    const double start = test::energy(world);
    double most = 0;
    for (int i = 0; i < 2500; ++i) {
      test::run(world, 1);
      most = std::max({most, test::energy(world), world.report().energy.total()});
    }
    EXPECT_LT(most - start, (grounded ? 1e-3 : 1e-9) * start);
    EXPECT_GT(test::energy(world), (grounded ? 0.8 : 1 - 1e-9) * start);
  }
}

}  // namespace
}  // namespace uzawa
