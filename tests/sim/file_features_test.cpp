#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "uzawa/base/error.hpp"
#include "uzawa/base/temp_folder.hpp"
#include "uzawa/io/load.hpp"
#include "uzawa/log/control_track.hpp"
#include "uzawa/sim/overlaps.hpp"
#include "uzawa/sim/world.hpp"

/// What files ask for and only a simulation shows: sensors of forces, adhesion, restitution, controls over time,
/// overlaps.
namespace uzawa::test {
namespace {

namespace fs = std::filesystem;

fs::path write(const TempFolder& folder, const std::string& name, const std::string& text) {
  std::ofstream(folder.path() / name) << text;
  return folder.path() / name;
}

Model load(const std::string& world, const std::string& rest = "") {
  const TempFolder folder;
  return load_model(
             write(folder, "model.xml",
                   "<mujoco><compiler angle=\"radian\"/><worldbody>" + world + "</worldbody>" + rest + "</mujoco>"))
      .model;
}

const std::string kFloor = R"(<geom name="floor" type="plane" size="0 0 1"/>)";
constexpr double kGravity = 9.81;

TEST(SensorReadings, WeightOfABoxAtRest) {
  // A box of 2 kg on a plate of 1 kg that is fixed to a post: the plate's sensor bears both.
  World world(
      load(kFloor + R"(<body name="post" pos="0 0 1"><geom size=".01" mass="1"/>
        <body name="plate"><geom type="box" size=".5 .5 .05" mass="1"/><site name="cell"/>
          <site name="pad" pos="0 0 .05" type="box" size=".2 .2 .01"/><site name="edge" pos=".45 0 .05" size=".01"/></body></body>
      <body pos="0 0 1.15"><freejoint/><geom type="box" size=".1 .1 .1" mass="2"/><site name="imu" euler="0 0 1"/></body>)",
           R"(<sensor><force name="force" site="cell"/><torque name="torque" site="cell"/><touch name="pad" site="pad"/>
        <touch name="edge" site="edge"/><accelerometer name="imu" site="imu"/><gyro site="imu"/><clock name="clock"/></sensor>)"));
  for (int i = 0; i < 50; ++i) ASSERT_EQ(world.step().status, StepStatus::Solved);
  const auto sensor = [&](const char* name) { return world.sensor(world.model().sensor(name)); };
  EXPECT_NEAR(sensor("force")[2], 3 * kGravity, 1e-5);
  EXPECT_NEAR(sensor("force")[0], 0, 1e-5);
  for (const double moment : sensor("torque")) EXPECT_NEAR(moment, 0, 1e-5);
  EXPECT_NEAR(sensor("pad")[0], 2 * kGravity, 1e-5);
  EXPECT_EQ(sensor("edge")[0], 0);
  EXPECT_NEAR(sensor("imu")[2], kGravity, 1e-5);
  EXPECT_DOUBLE_EQ(sensor("clock")[0], world.state().time);
}

TEST(SensorReadings, FreeFallIsWeightless) {
  World world(load(R"(<body pos="0 0 1"><freejoint/><geom size=".1"/><site name="imu" pos="0 0 .1"/></body>)",
                   R"(<sensor><accelerometer site="imu"/></sensor>)"));
  world.step();
  for (const double a : world.sensor_values()) EXPECT_NEAR(a, 0, 1e-9);
}

TEST(SensorReadings, LimitThatHoldsAWeight) {
  World world(load(
      R"(<body><joint name="lift" type="slide" axis="0 0 1" range="-1 1" limited="true"/><geom size=".1" mass="2"/></body>)",
      R"(<sensor><jointlimitfrc joint="lift"/><jointlimitpos joint="lift"/></sensor>)"));
  State state = world.state();
  state.q[0] = -1 - 1e-6;
  world.set_state(state);
  for (int i = 0; i < 20; ++i) world.step();
  EXPECT_NEAR(world.sensor_values()[0], 2 * kGravity, 1e-5);
}

TEST(SensorReadings, AWorldWithoutSensorsHasNoValues) {
  World world(load(R"(<body><freejoint/><geom size=".1"/></body>)"));
  world.step();
  EXPECT_TRUE(world.sensor_values().empty());
}

TEST(Adhesion, HoldsABallUnderACeilingUpToItsForce) {
  // 1 kg weighs 9.81 N: 12 N hold it, 8 N do not.
  for (const double force : {12.0, 8.0}) {
    World world(load(R"(<geom type="box" size="1 1 .1" pos="0 0 1.1"/>
        <body name="fly" pos="0 0 .9"><freejoint/><geom size=".1" mass="1"/></body>)",
                     R"(<actuator><adhesion body="fly" ctrlrange="0 20" gain="1"/></actuator>)"));
    const std::vector<double> control = {force};
    for (int i = 0; i < 100; ++i) world.step(control);
    if (force > kGravity) {
      EXPECT_NEAR(world.state().q[2], .9, 1e-6);
    } else {
      EXPECT_LT(world.state().q[2], .85);
    }
  }
}

TEST(Restitution, OfTheFileBounces) {
  World world(load(kFloor + R"(<body pos="0 0 1"><freejoint/><geom size=".1" mass="1"/></body>)",
                   R"(<custom><numeric name="uzawa.restitution" data=".5"/></custom>)"));
  // Half the speed is a quarter of the height. Velocities at the ends of steps would be those at the ground only to g
  // h: the way out starts above it, where the ball is in the step of its impact, with the energy that it has left.
  constexpr double kRadius = .1, kHeight = .9;
  bool bounced = false;
  double highest = 0;
  for (int i = 0; i < 400; ++i) {  // 0.8 s; the second impact comes after 0.86 s
    bounced = world.step().impacts > 0 || bounced;
    if (bounced) highest = std::max(highest, world.state().q[2]);
  }
  EXPECT_TRUE(bounced);
  EXPECT_NEAR(highest, kRadius + .25 * kHeight, 1e-4);
}

const std::string kArm = R"(<body><joint name="j" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/></body>)";
const std::string kMotors = R"(<actuator><motor name="a" joint="j"/><motor name="b" joint="j"/></actuator>)";

TEST(ControlTrack, HoldsEachRowUntilTheNext) {
  const Model model = load(kArm, kMotors);
  const TempFolder folder;
  const ControlTrack track(write(folder, "c.csv", "# made by hand\nb, time\n1, 0\n2, 0.5\n\n3,1e0\n"), model);
  EXPECT_EQ(track.actuators(), std::vector<int>{1});
  std::vector<double> control = {7, 7};
  for (const auto& [time, expected] :
       {std::pair{-1.0, 1.0}, {0.0, 1.0}, {.49, 1.0}, {.5, 2.0}, {.5 - 1e-12, 2.0}, {9.0, 3.0}}) {
    track.apply(time, control);
    EXPECT_EQ(control[1], expected) << time;
  }
  EXPECT_EQ(control[0], 7);
}

TEST(ControlTrack, BadFilesAreExplained) {
  const Model model = load(kArm, kMotors);
  const TempFolder folder;
  const std::pair<const char*, const char*> cases[] = {
      {"", "has no line of column names"},
      {"a,b\n1,2\n", "line 1: names the columns, and none of them is 'time'"},
      {"time,c\n0,1\n", "no actuator 'c'"},
      {"time,a,a\n0,1,1\n", "two columns"},
      {"time,a\n", "no row"},
      {"time,a\n0,1\n0,2\n", "row 2: its time is not after"},
      {"time,a\n0,x\n", "line 2, column 'a': 'x' is not a finite number"},
      {"time,a\n0,nan\n", "'nan' is not a finite number"},
      {"time,a\n0\n", "line 2: has 1 columns, the first line 2"}};
  for (const auto& [text, phrase] : cases) {
    try {
      const ControlTrack track(write(folder, "c.csv", text), model);
      FAIL() << text;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(phrase), std::string::npos) << error.what();
    }
  }
  EXPECT_THROW(ControlTrack(folder.path() / "missing.csv", model), InputError);
  EXPECT_THROW(ControlTrack(write(folder, "c.h5", "no HDF5"), model), InputError);
}

TEST(Overlaps, AreFoundAndExcluded) {
  const Model model = load(R"(<body name="left"><freejoint/><geom size=".1"/></body>
      <body name="right" pos=".15 0 0"><freejoint/><geom size=".1"/></body>
      <body name="far" pos="1 0 0"><freejoint/><geom size=".1"/></body>)");
  const std::vector<Overlap> found = find_overlaps(model);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].body1, model.body("left"));
  EXPECT_EQ(found[0].body2, model.body("right"));
  EXPECT_NEAR(found[0].depth, .05, 1e-12);
  EXPECT_TRUE(find_overlaps(exclude_overlaps(model, found)).empty());
}

}  // namespace
}  // namespace uzawa::test
