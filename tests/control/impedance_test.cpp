/// Impedance control: gravity is carried exactly, the stiffness is the one that was asked for, drives keep their
/// limits.
#include "uzawa/control/impedance.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "build_folders.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/control/drives.hpp"
#include "uzawa/control/trajectory.hpp"
#include "uzawa/dynamics/integrators.hpp"
#include "uzawa/io/load.hpp"

namespace uzawa {
namespace {

constexpr double kStep = 1.0 / 240;

/// A robot of models/ whose servos on joints are as soft as is said, in their home posture.
struct Robot {
  explicit Robot(const std::string& file, double stiffness = 0, double damping = 0)
      : model(softened(file, stiffness, damping)),
        names(servos(model.spec())),
        control(model, names),
        data(model),
        workspace(model),
        state(model.keyframe_state(model.keyframe("home"))),
        home(names.size()),
        u(static_cast<std::size_t>(model.nu())) {
    control.positions(state.q, home);
    const std::span<const double> held = model.keyframe_control(model.keyframe("home"));
    u.assign(held.begin(), held.end());
  }

  static std::vector<std::string> servos(const ModelSpec& spec) {
    std::vector<std::string> names;
    for (const ActuatorSpec& a : spec.actuators) {
      if (a.transmission == Transmission::Joint && a.bias[1] < 0) names.push_back(a.name);
    }
    return names;
  }
  static Model softened(const std::string& file, double stiffness, double damping) {
    ModelSpec spec = load_model(std::string(UZAWA_MODELS) + "/" + file).model.spec();
    if (stiffness > 0) {
      for (const std::string& name : servos(spec)) set_impedance(spec, name, stiffness, damping);
    }
    return Model(std::move(spec));
  }
  void step(const ImpedanceControl::Target& target, std::span<const double> external = {}) {
    control.write(state, target, u);
    ASSERT_TRUE(theta_step(model, u, external, {.h = kStep, .theta = 0}, data, workspace, state));
  }
  double distance_from_home() const {
    std::vector<double> now(home.size());
    control.positions(state.q, now);
    double worst = 0;
    for (std::size_t i = 0; i < home.size(); ++i) worst = std::max(worst, std::abs(now[i] - home[i]));
    return worst;
  }

  Model model;
  std::vector<std::string> names;
  ImpedanceControl control;
  DynamicsData data;
  IntegratorWorkspace workspace;
  State state;
  std::vector<double> home, u;
};

TEST(ImpedanceTest, AStillRobotStaysStill) {
  // Soft enough that it would fall without its compensation: see the next test.
  for (const char* file : {"panda.xml", "panda_arm.xml", "dual_arm.xml", "allegro_like_hand.xml"}) {
    Robot robot(file, 50, 5);
    for (int i = 0; i < 480; ++i) robot.step({.position = robot.home});
    EXPECT_LT(robot.distance_from_home(), 1e-9) << file;
  }
}

TEST(ImpedanceTest, WithoutCompensationItWouldFall) {
  Robot robot("panda_arm.xml", 50, 5);
  for (int i = 0; i < 480; ++i) {
    ASSERT_TRUE(
        theta_step(robot.model, robot.home, {}, {.h = kStep, .theta = 0}, robot.data, robot.workspace, robot.state));
  }
  EXPECT_GT(robot.distance_from_home(), 0.1);
}

TEST(ImpedanceTest, SpringsOfTheModelAreCompensatedToo) {
  ModelSpec spec = load_model(std::string(UZAWA_MODELS) + "/panda_arm.xml").model.spec();
  spec.joints[2].stiffness = 30;
  spec.spring_q = spec.keyframes[0].q;
  spec.spring_q[2] += 0.5;
  spec.bodies.back().gravity_compensation = 1;
  const Model model(std::move(spec));
  const std::vector<std::string> names = Robot::servos(model.spec());
  ImpedanceControl control(model, names);
  DynamicsData data(model);
  IntegratorWorkspace workspace(model);
  State state = model.keyframe_state(0);
  const std::vector<double> home = state.q;
  std::vector<double> u(static_cast<std::size_t>(model.nu()));
  for (int i = 0; i < 240; ++i) {
    control.write(state, {.position = home}, u);
    ASSERT_TRUE(theta_step(model, u, {}, {.h = kStep, .theta = 0}, data, workspace, state));
  }
  for (std::size_t i = 0; i < home.size(); ++i) EXPECT_NEAR(state.q[i], home[i], 1e-9) << i;
}

TEST(ImpedanceTest, ItsStiffnessIsTheOneAskedFor) {
  Robot robot("panda_arm.xml", 200, 40);
  const std::vector<double> push = {4, -6, 3, 5, -2, 1, 0.5};
  for (int i = 0; i < 5000; ++i) robot.step({.position = robot.home}, push);
  for (std::size_t i = 0; i < push.size(); ++i) {
    EXPECT_NEAR(robot.state.q[i] - robot.home[i], push[i] / 200, 1e-8) << "joint " << i;
  }
}

TEST(ImpedanceTest, FollowsATrajectory) {
  Robot robot("panda_arm.xml", 400, 40);
  std::vector<double> away = robot.home;
  for (std::size_t i = 0; i < away.size(); ++i) away[i] += i % 2 == 0 ? 0.4 : -0.4;
  const Trajectory path({{0, robot.home}, {1, away}, {2, robot.home}});
  std::vector<double> q(7), v(7), a(7);
  double with = 0, without = 0;
  for (const bool feed : {true, false}) {
    robot.state = robot.model.keyframe_state(0);
    for (int i = 0; i < 480; ++i) {
      path.at((i + 1) * kStep, q, v, a);
      if (feed) {
        robot.step({.position = q, .velocity = v, .acceleration = a});
      } else {
        robot.step({.position = q});
      }
      double& worst = feed ? with : without;
      for (std::size_t k = 0; k < q.size(); ++k) worst = std::max(worst, std::abs(robot.state.q[k] - q[k]));
    }
  }
  EXPECT_LT(with, 2e-3);  // what a step of 1/240 s leaves: forces are taken where the step begins
  EXPECT_GT(without, 20 * with);
}

TEST(ImpedanceTest, DrivesKeepTheirLimits) {
  Robot robot("panda_arm.xml", 3000, 80);
  std::vector<double> far = robot.home;
  for (double& x : far) x += 1;
  robot.step({.position = far});
  int saturated = 0;
  for (std::size_t a = 0; a < robot.names.size(); ++a) {
    const Range range = *robot.model.spec().actuators[a].force_range;
    const double force = robot.data.actuator_force[a];
    EXPECT_TRUE(force >= range.lower && force <= range.upper) << robot.names[a];
    saturated += force == range.upper ? 1 : 0;
  }
  EXPECT_EQ(saturated, 7);
}

TEST(ImpedanceTest, ALoadThatIsKnownIsCarried) {
  Robot robot("panda_arm.xml", 50, 20);
  const std::vector<double> load = {1, 20, 2, -15, 1, 3, 0.5};
  std::vector<double> against(load.size());
  for (std::size_t i = 0; i < load.size(); ++i) against[i] = -load[i];
  for (int i = 0; i < 240; ++i) robot.step({.position = robot.home, .extra = against}, load);
  EXPECT_LT(robot.distance_from_home(), 1e-9);
}

TEST(ImpedanceTest, WhatIsNoServoIsRefused) {
  const Model panda = load_model(std::string(UZAWA_MODELS) + "/panda.xml").model;
  const std::vector<std::string> tendon = {"gripper"}, nobody = {"servo8"};
  EXPECT_THROW(ImpedanceControl(panda, tendon), InputError);
  EXPECT_THROW(ImpedanceControl(panda, nobody), InputError);
  ModelSpec spec = panda.spec();
  set_force_drive(spec, "servo1", 1);
  const Model motor(std::move(spec));
  const std::vector<std::string> first = {"servo1"};
  EXPECT_THROW(ImpedanceControl(motor, first), InputError);
}

}  // namespace
}  // namespace uzawa
