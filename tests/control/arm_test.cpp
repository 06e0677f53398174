/// An arm that follows poses.
#include "uzawa/control/arm.hpp"

#include <gtest/gtest.h>

#include "build_folders.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/control/drives.hpp"
#include "uzawa/control/trajectory.hpp"
#include "uzawa/dynamics/integrators.hpp"
#include "uzawa/io/load.hpp"

namespace uzawa {
namespace {

const std::vector<std::string> kServos = {"servo1", "servo2", "servo3", "servo4", "servo5", "servo6", "servo7"};

Model soft_arm() {
  ModelSpec spec = load_model(std::string(UZAWA_MODELS) + "/panda_arm.xml").model.spec();
  for (const std::string& servo : kServos) set_impedance(spec, servo, 400, 40);
  return Model(std::move(spec));
}

TEST(ArmTest, TheToolFollowsAPath) {
  const Model model = soft_arm();
  ArmControl arm(model, kServos, site_frame(model, "tool"));
  State state = model.keyframe_state(0);
  arm.start(state);
  const Pose home = arm.pose(state.q);
  const Quat upright = to_quaternion(home.rotation);
  const PoseTrajectory path({{0, home.position, upright},
                             {1, home.position + Vec3{-0.1, 0.2, -0.1}, upright * exp_rotation({0, 0, 1}), false},
                             {2, home.position + Vec3{0, 0.1, -0.3}, upright * exp_rotation({0.3, 0, 1})}});
  DynamicsData data(model);
  IntegratorWorkspace workspace(model);
  std::vector<double> control(static_cast<std::size_t>(model.nu()));
  const double dt = 1.0 / 240;
  for (int i = 1; i <= 600; ++i) {
    ASSERT_TRUE(arm.follow(state, path.at(i * dt), dt, 0, control)) << i;
    ASSERT_TRUE(theta_step(model, control, {}, {.h = dt, .theta = 0}, data, workspace, state));
    EXPECT_LT(norm(arm.pose(state.q).position - path.at(i * dt).position), 2e-3) << i;
  }
  EXPECT_LT(norm(arm.pose(state.q).position - path.at(2).position), 1e-5);
}

TEST(ArmTest, ALoadIsLifted) {
  const Model model = soft_arm();
  ModelSpec loaded_spec = model.spec();
  const LinkFrame tool = site_frame(model, "tool");
  // A ball of 2 kg at the tool, which the controller knows only as a load.
  loaded_spec.bodies.push_back({.name = "ball",
                                .parent = model.body("link7"),
                                .position = tool.local.position,
                                .mass = 2,
                                .principal_inertia = {1e-3, 1e-3, 1e-3}});
  const Model loaded(std::move(loaded_spec));
  ArmControl arm(model, kServos, tool);
  State state = model.keyframe_state(0);
  arm.start(state);
  const Pose home = arm.pose(state.q);
  DynamicsData data(loaded);
  IntegratorWorkspace workspace(loaded);
  std::vector<double> control(static_cast<std::size_t>(model.nu()));
  for (int i = 0; i < 480; ++i) {
    ASSERT_TRUE(arm.follow(state, home, 1.0 / 240, 2, control));
    ASSERT_TRUE(theta_step(loaded, control, {}, {.h = 1.0 / 240, .theta = 0}, data, workspace, state));
  }
  EXPECT_LT(norm(arm.pose(state.q).position - home.position), 1e-8);
}

TEST(ArmTest, WhatIsOutOfReachIsSaidAndNotFollowed) {
  const Model model = soft_arm();
  ArmControl arm(model, kServos, site_frame(model, "tool"));
  const State state = model.keyframe_state(0);
  arm.start(state);
  Pose far = arm.pose(state.q);
  far.position = {2, 0, 0.5};
  std::vector<double> control(static_cast<std::size_t>(model.nu()));
  EXPECT_FALSE(arm.follow(state, far, 1.0 / 240, 0, control));
  for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(arm.wanted()[i], state.q[i]);
}

/// Joint 7 turns on until it is at its limit. Other postures reach the pose that lies beyond, a jump away.
TEST(ArmTest, ALimitIsNoReasonToJump) {
  const Model model = soft_arm();
  const LinkFrame tool = site_frame(model, "tool");
  ArmControl arm(model, kServos, tool);
  const State state = model.keyframe_state(0);
  arm.start(state);
  const Pose home = arm.pose(state.q);
  std::vector<double> control(static_cast<std::size_t>(model.nu())), last(state.q.begin(), state.q.begin() + 7);
  constexpr double kTurn = 0.02;  // rad a step
  bool reached = true;
  int steps = 0;
  for (; reached && steps < 400; ++steps) {
    Pose target = home;
    target.rotation = home.rotation * to_matrix(exp_rotation({0, 0, kTurn * (steps + 1)}));
    reached = arm.follow(state, target, 1.0 / 240, 0, control);
    for (std::size_t i = 0; i < 7; ++i) {
      ASSERT_LT(std::abs(arm.wanted()[i] - last[i]), 10 * kTurn) << "joint " << i << ", step " << steps;
      last[i] = arm.wanted()[i];
    }
  }
  EXPECT_FALSE(reached);
  Pose beyond = home;
  beyond.rotation = home.rotation * to_matrix(exp_rotation({0, 0, kTurn * steps}));
  std::vector<double> elsewhere(state.q);
  EXPECT_TRUE(InverseKinematics(model, tool).solve(beyond, elsewhere).reached);  // there is one, far away
}

TEST(ArmTest, OtherActuatorsAreRefused) {
  const Model model = soft_arm();
  const std::vector<std::string> six(kServos.begin(), kServos.end() - 1);
  EXPECT_THROW(ArmControl(model, six, site_frame(model, "tool")), InputError);
  std::vector<std::string> swapped = kServos;
  std::swap(swapped[0], swapped[1]);
  EXPECT_THROW(ArmControl(model, swapped, site_frame(model, "tool")), InputError);
}

}  // namespace
}  // namespace uzawa
