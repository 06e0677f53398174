#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "uzawa/base/error.hpp"
#include "uzawa/base/temp_folder.hpp"
#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/io/load.hpp"
#include "uzawa/log/control_track.hpp"
#include "uzawa/log/log_reader.hpp"
#include "uzawa/log/log_writer.hpp"
#include "uzawa/sim/world.hpp"

/// Mocap bodies that move: what is welded to them follows, what lies on them is carried, against closed forms.
namespace uzawa::test {
namespace {

constexpr double kGravity = 9.81;

Model load(const std::string& world, const std::string& rest = "") {
  const TempFolder folder;
  const std::filesystem::path path = folder.path() / "model.xml";
  std::ofstream(path) << "<mujoco><worldbody>" << world << "</worldbody>" << rest << "</mujoco>";
  return load_model(path).model;
}

Pose at_place(const Vec3& position, const Vec3& turn = {}) { return Pose::from(position, exp_rotation(turn)); }

Pose pose_of(const World& world, const std::string& body) {
  DynamicsData data(world.model());
  forward_kinematics(world.model(), world.state(), data);
  return body_pose(world.model(), data, world.model().body(body));
}

constexpr double kTurn = 1.5;  // s: from rest to rest
double smooth(double time) { return time >= kTurn ? 1 : .5 - .5 * std::cos(M_PI * time / kTurn); }

const std::string kHand =
    R"(<body name="hand" mocap="true" pos="0 0 1"><geom size=".02" contype="0" conaffinity="0"/></body>
    <body name="gripper" pos="0 0 .8"><freejoint/><geom type="box" size=".1 .05 .05" mass="1.5"/>
      <body pos=".1 0 0"><joint name="finger" axis="0 0 1" stiffness="5" damping=".1"/><geom size=".02" pos=".1 0 0" mass=".1"/>
      </body></body>)";
const std::string kWeld = R"(<equality><weld body1="hand" body2="gripper"/></equality>)";

TEST(Mocap, DragsAWeldedGripper) {
  World world(load(kHand, kWeld));
  const Pose grip = at_place({0, 0, -.2});
  const int hand = world.model().mocap("hand");
  double worst = 0, gain = 0;
  for (int i = 1; i <= 1000; ++i) {
    const double s = smooth(i * world.dt());
    const Pose goal = at_place({.5 * s, -.2 * s, 1 + .3 * s}, {0, .4 * s, 2 * s});
    world.move_mocap(hand, goal);
    ASSERT_EQ(world.step().status, StepStatus::Solved) << i;
    const Pose ours = pose_of(world, "gripper"), theirs = goal * grip;
    worst = std::max(worst, norm(ours.position - theirs.position));
    worst = std::max(worst, norm(ours.rotation.col[0] - theirs.rotation.col[0]));
    gain = std::max(gain, world.report().energy.gain);
  }
  EXPECT_LT(worst, 1e-6);
  EXPECT_LT(gain, 2e-3);  // J, of some 5 that go in and out
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(world.state().v[static_cast<std::size_t>(k)], 0, 1e-5) << k;
}

TEST(Mocap, StandsWithoutAnyVelocityWhereItWasTurnedTo) {
  World world(load(kHand, kWeld));
  world.move_mocap(0, at_place({.001, 0, 1}, {.01, -.02, .03}));
  world.step();
  World twin(world.shared_model());
  twin.restore(world.save());
  for (int i = 0; i < 5; ++i) {
    world.step();
    twin.step();
    EXPECT_EQ(world.state().mocap_v, std::vector<double>(6)) << "rounding must not turn it";
    EXPECT_EQ(world.state(), twin.state());
  }
}

/// Two simulations that take turns in one world are those of two worlds.
TEST(Mocap, WorldsGoOnInTurns) {
  const auto shared = share(load(kHand, kWeld));
  World first(shared), second(shared), both(shared);
  World::Snapshot other = both.save();
  for (int i = 1; i <= 40; ++i) {
    for (World* alone : {&first, &second}) {
      const Pose goal = at_place({alone == &first ? .001 * i : 0, 0, 1}, {0, alone == &first ? 0 : -.002 * i, 0});
      alone->move_mocap(0, goal);
      both.move_mocap(0, goal);
      EXPECT_EQ(both.step().status, alone->step().status);
      EXPECT_EQ(both.state(), alone->state()) << i;
      both.exchange(other);
    }
  }
  EXPECT_EQ(other.state, second.state());
}

TEST(Mocap, WeldBearsTheWeight) {
  World world(load(R"(<body name="hand" mocap="true" pos="0 0 1"/>
      <body name="load" pos="0 0 1"><freejoint/><geom size=".1" mass="2"/><site name="cell"/></body>)",
                   R"(<equality><weld body1="hand" body2="load"/></equality>)"));
  // Lifted with an acceleration of 1 m/s^2: the weld bears m (g + a). Velocities are those of the ends of steps.
  double height = 1, speed = 0;
  for (int i = 0; i < 100; ++i) {
    speed += world.dt();
    height += speed * world.dt();
    world.move_mocap(0, at_place({0, 0, height}));
    ASSERT_EQ(world.step().status, StepStatus::Solved);
  }
  double force = 0;
  const Problem& problem = world.problem();
  for (int i = 0; i < problem.equality.size(); ++i) {
    const double f = world.result().lambda[static_cast<std::size_t>(problem.equality.row[static_cast<std::size_t>(i)])];
    force = std::max(force, std::abs(f) / world.dt());
  }
  EXPECT_NEAR(force, 2 * (kGravity + 1), 1e-6);
}

const std::string kBelt =
    R"(<body name="belt" mocap="true" pos="0 0 .5"><geom type="box" size="2 .5 .1" friction=".5"/></body>
    <body name="box" pos="0 0 .7"><freejoint/><geom type="box" size=".1 .1 .1" mass="1" friction=".5"/></body>)";

/// A belt that speeds up: friction carries the box, at its bound where the belt is too fast.
TEST(Mocap, CarriesByFriction) {
  for (const double acceleration : {2.0, 8.0}) {
    World world(load(kBelt));
    double place = 0, speed = 0;
    for (int i = 0; i < 250; ++i) {
      speed += acceleration * world.dt();
      place += speed * world.dt();
      world.move_mocap(0, at_place({place, 0, .5}));
      ASSERT_EQ(world.step().status, StepStatus::Solved);
    }
    const double most = .5 * kGravity;
    if (acceleration < most) {
      EXPECT_NEAR(world.state().q[0], place, 1e-6);
    } else {
      EXPECT_NEAR(world.state().v[0], most * world.state().time, 1e-5);
    }
    EXPECT_NEAR(world.state().q[2], .7, 1e-5);
  }
}

TEST(Mocap, LiftsAndTakesUpImpacts) {
  World world(load(kBelt));
  for (int i = 1; i <= 200; ++i) {  // lifted at 0.5 m/s from rest, turned about the vertical
    world.move_mocap(0, at_place({0, 0, .5 + .001 * i}, {0, 0, .002 * i}));
    ASSERT_EQ(world.step().status, StepStatus::Solved);
  }
  EXPECT_NEAR(world.state().q[2], .9, 1e-5);
  EXPECT_NEAR(2 * std::atan2(world.state().q[6], world.state().q[3]), .4, 1e-3);
  EXPECT_NEAR(world.state().v[2], .5, 1e-6);
  // It stands: the box flies on.
  world.step();
  EXPECT_NEAR(world.state().v[2], .5 - kGravity * world.dt(), 1e-6);
}

/// A turntable under a ball that has torsional friction speeds it up as a closed form says, until they turn together.
TEST(Mocap, TurnsByTorsionalFriction) {
  constexpr double kSpin = .01, kMass = .3, kRadius = .05, kRate = 3;
  World world(load(R"(<body name="table" mocap="true"><geom type="box" size="1 1 .1" pos="0 0 -.1"/></body>
      <body pos="0 0 .05"><freejoint/><geom size=".05" mass=".3" condim="4" friction="1 .01 .0001"/></body>)"));
  const double acceleration = kSpin * kMass * kGravity / (.4 * kMass * kRadius * kRadius);
  const auto turn = [&](int steps, int before) {
    for (int i = 1; i <= steps; ++i) {
      world.move_mocap(0, at_place({}, {0, 0, kRate * world.dt() * (before + i)}));
      EXPECT_EQ(world.step().status, StepStatus::Solved);
    }
  };
  turn(10, 0);
  EXPECT_NEAR(world.state().v[5], acceleration * 10 * world.dt(), 1e-6);
  turn(100, 10);
  EXPECT_NEAR(world.state().v[5], kRate, 1e-6);
}

TEST(Mocap, TeleportsWithTheState) {
  World world(load(kBelt));
  State state = world.state();
  state.mocap[2] = .3;
  state.q[2] = .5;
  world.set_state(state);
  for (int i = 0; i < 50; ++i) ASSERT_EQ(world.step().status, StepStatus::Solved);
  EXPECT_NEAR(world.state().q[2], .5, 1e-6);
  state.mocap.pop_back();
  EXPECT_THROW(world.set_state(state), InputError);
  EXPECT_THROW(world.move_mocap(1, {}), InputError);
  EXPECT_THROW(world.move_mocap(0, at_place({0, NAN, 0})), InputError);
  EXPECT_THROW((void)world.model().mocap("box"), InputError);
}

TEST(Mocap, RestoredWorldGoesOnWithTheSameBits) {
  const std::shared_ptr<const SharedModel> shared = share(load(kHand, kWeld));
  World first(shared), second(shared);
  const auto goal = [](int i) { return at_place({.001 * i, 0, 1}, {0, 0, .002 * i}); };
  for (int i = 1; i <= 20; ++i) first.move_mocap(0, goal(i)), first.step();
  second.restore(first.save());
  for (int i = 21; i <= 60; ++i) {
    for (World* world : {&first, &second}) world->move_mocap(0, goal(i)), world->step();
  }
  EXPECT_EQ(first.state(), second.state());
}

TEST(Mocap, SleepersAreWoken) {
  SimSettings settings;
  settings.sleep.enabled = true;
  World world(load(kBelt), settings);
  for (int i = 0; i < 1500 && world.report().asleep == 0; ++i) world.step();
  ASSERT_EQ(world.report().asleep, 1);
  for (int i = 1; i <= 100; ++i) world.move_mocap(0, at_place({.0005 * i, 0, .5})), world.step();
  EXPECT_GT(world.state().q[0], .04);
}

TEST(Mocap, FollowsAFileAndIsLogged) {
  const TempFolder folder;
  const std::filesystem::path csv = folder.path() / "belt.csv", log = folder.path() / "run.h5";
  std::ofstream(csv) << "time, belt.x, belt.qw, belt.qx, belt.qy, belt.qz\n0, 0, 1, 0, 0, 0\n.2, .1, 1, 0, 0, 1\n";
  World world(load(kBelt));
  const ControlTrack track(csv, world.model());
  {
    LogWriter writer(log, describe(world));
    FrameMaker frames(world);
    for (int i = 0; i < 100; ++i) {
      for (const auto& [mocap, pose] : track.mocap(world.state().time + world.dt())) world.move_mocap(mocap, pose);
      world.step();
      writer.write(frames.make({}, {}));
    }
    writer.close();
  }
  EXPECT_NEAR(world.state().mocap[0], .1, 1e-9);
  EXPECT_NEAR(world.state().mocap[2], .5, 1e-12);  // as in the model
  EXPECT_NEAR(world.state().mocap[3], std::sqrt(.5), 1e-9);
  EXPECT_NEAR(world.state().mocap_v[0], .5, 1e-9);
  EXPECT_NEAR(world.state().mocap_v[5], M_PI / 2 / .2, 1e-6);
  LogReader reader(log);
  LogFrame last;
  reader.read(99, last);
  EXPECT_EQ(last.state, world.state());
  // The log drives another run to the same place.
  const ControlTrack again(log, world.model());
  ASSERT_EQ(again.mocap(1).size(), 1U);
  EXPECT_NEAR(again.mocap(1)[0].pose.position.x(), .1, 1e-9);
  for (const auto& [text, message] : {std::pair{"time,belt.x,belt.x\n0,1,1\n", "'belt.x' has two columns"},
                                      {"time,belt.qw\n0,1\n", "four numbers"},
                                      {"time,belt.qw,belt.qx,belt.qy,belt.qz\n0,0,0,0,0\n", "length zero"},
                                      {"time,box.x\n0,1\n", "no actuator 'box.x'"}}) {
    std::ofstream(csv) << text;
    try {
      const ControlTrack bad(csv, world.model());
      ADD_FAILURE() << text;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace uzawa::test
