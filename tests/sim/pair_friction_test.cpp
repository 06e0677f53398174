#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "uzawa/base/temp_folder.hpp"
#include "uzawa/io/load.hpp"
#include "uzawa/sim/world.hpp"

/// Frictions of explicit pairs and of geoms with unlike condim, in motion.
namespace uzawa::test {
namespace {

constexpr double kGravity = 9.81, kMass = .3, kRadius = .05;

World make_world(const std::string& floor, const std::string& ball, const std::string& pair) {
  const TempFolder folder;
  const std::filesystem::path path = folder.path() / "model.xml";
  std::ofstream(path) << R"(<mujoco><worldbody><geom name="floor" type="plane" size="0 0 1" )" << floor
                      << R"(/><body pos="0 0 .05"><freejoint/><geom name="ball" size=".05" mass=".3" )" << ball
                      << "/></body></worldbody>"
                      << (pair.empty() ? "" : "<contact><pair geom1=\"floor\" geom2=\"ball\" ") << pair
                      << (pair.empty() ? "" : "/></contact>") << "</mujoco>";
  return World(load_model(path).model);
}

/// Angular velocity about an axis after a tenth of a second.
double turning(World world, std::size_t axis, double start) {
  State state = world.state();
  state.v[3 + axis] = start;
  if (axis == 0) state.v[1] = -start * kRadius;
  if (axis == 1) state.v[0] = start * kRadius;
  world.set_state(state);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(world.step().status, StepStatus::Solved);
  return world.state().v[3 + axis];
}
constexpr double kTime = .1;

/// Spin is braked by mu_s m g over the ball's inertia; rolling by mu_r m g over that about the point of contact.
double spun(double start, double mu) {
  return start - mu * kMass * kGravity / (.4 * kMass * kRadius * kRadius) * kTime;
}
double rolled(double start, double mu) {
  return start - mu * kMass * kGravity / (1.4 * kMass * kRadius * kRadius) * kTime;
}

TEST(PairFriction, TorsionalAndRollingOfAPair) {
  const std::string friction = R"(friction="1 1 .01 .002 .001" condim=)";
  EXPECT_NEAR(turning(make_world("", "", friction + "\"4\""), 2, 20), spun(20, .01), 1e-6);
  EXPECT_NEAR(turning(make_world("", "", friction + "\"6\""), 2, 20), spun(20, .01), 1e-6);
  EXPECT_NEAR(turning(make_world("", "", friction + "\"3\""), 2, 20), 20, 1e-6);
  // MuJoCo's first tangent on a floor is y: rolling about y is braked by the fourth number, about x by the fifth.
  EXPECT_NEAR(turning(make_world("", "", friction + "\"6\""), 1, 20), rolled(20, .002), 1e-5);
  EXPECT_NEAR(turning(make_world("", "", friction + "\"6\""), 0, 20), rolled(20, .001), 1e-5);
  EXPECT_NEAR(turning(make_world("", "", friction + "\"4\""), 0, 20), 20, 1e-6);
}

/// MuJoCo: the larger condim and the larger coefficients, unless one geom has priority: then its own.
TEST(PairFriction, OfGeomsWithUnlikeCondim) {
  const std::string three = R"(condim="3" friction="1 .02 .004")", four = R"(condim="4" friction="1 .01 .002")";
  EXPECT_NEAR(turning(make_world(three, four, ""), 2, 30), spun(30, .02), 1e-6);
  EXPECT_NEAR(turning(make_world(three + R"( priority="1")", four, ""), 2, 30), 30, 1e-6);
  EXPECT_NEAR(turning(make_world(three, four + R"( priority="1")", ""), 2, 30), spun(30, .01), 1e-6);
  const std::string one = R"(condim="1")";
  EXPECT_NEAR(turning(make_world(one, one, ""), 1, 20), 20, 1e-9);
}

/// A box pressed against a wall by gravity along x: its two frictions are those along MuJoCo's tangents of the wall.
TEST(PairFriction, ActsAlongMujocosTangentsOfAWall) {
  // Normal x: the first tangent is y, the second z.
  for (const std::size_t axis : {1U, 2U}) {
    const TempFolder folder;
    const std::filesystem::path path = folder.path() / "model.xml";
    std::ofstream(path) << R"(<mujoco><option gravity="-10 0 0"/><worldbody>
      <geom name="wall" type="plane" size="0 0 1" euler="0 90 0"/><body pos=".1 0 0"><freejoint/>
      <geom name="box" type="box" size=".1 .1 .1" mass="1"/></body></worldbody>
      <contact><pair geom1="wall" geom2="box" friction=".3 .1 0 0 0"/></contact></mujoco>)";
    World world(load_model(path).model);
    State state = world.state();
    state.v[axis] = 2;
    world.set_state(state);
    for (int i = 0; i < 100; ++i) ASSERT_EQ(world.step().status, StepStatus::Solved);
    EXPECT_NEAR(world.state().v[axis], 2 - (axis == 1 ? .3 : .1) * 10 * .2, 1e-6);
  }
}

}  // namespace
}  // namespace uzawa::test
