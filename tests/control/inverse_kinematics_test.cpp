/// Inverse kinematics: reachable targets are reached within the limits, others are approached.
#include "uzawa/control/inverse_kinematics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "build_folders.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/io/load.hpp"

namespace uzawa {
namespace {

Model robot(const std::string& file) { return load_model(std::string(UZAWA_MODELS) + "/" + file).model; }

/// A posture within the limits.
std::vector<double> random_posture(const Model& model, std::mt19937& random) {
  std::vector<double> q = model.reference_state().q;
  for (std::size_t j = 0; j < model.spec().joints.size(); ++j) {
    const JointSpec& joint = model.spec().joints[j];
    const Range range = joint.range.value_or(Range{-1, 1});
    q[static_cast<std::size_t>(model.joint_q(static_cast<int>(j)))] =
        std::uniform_real_distribution<double>(range.lower, range.upper)(random);
  }
  return q;
}

double distance(const Pose& a, const Pose& b) {
  return norm(a.position - b.position) + norm(log_rotation(to_quaternion(a.rotation * transpose(b.rotation))));
}

void expect_within_limits(const Model& model, std::span<const double> q) {
  for (std::size_t j = 0; j < model.spec().joints.size(); ++j) {
    const JointSpec& joint = model.spec().joints[j];
    if (!joint.range) continue;
    const double x = q[static_cast<std::size_t>(model.joint_q(static_cast<int>(j)))];
    EXPECT_TRUE(x >= joint.range->lower && x <= joint.range->upper) << joint.name << " at " << x;
  }
}

struct Frame {
  const char *file, *site;
};

TEST(InverseKinematicsTest, ReachesWhatCanBeReached) {
  for (const Frame& frame :
       {Frame{"panda.xml", "grasp"}, Frame{"panda_arm.xml", "tool"}, Frame{"mobile_panda.xml", "tool"}}) {
    const Model model = robot(frame.file);
    InverseKinematics ik(model, site_frame(model, frame.site));
    std::mt19937 random(7);
    int restarts = 0;
    for (int i = 0; i < 200; ++i) {
      const Pose target = ik.pose(random_posture(model, random));
      std::vector<double> q = random_posture(model, random);
      const InverseKinematics::Result result = ik.solve(target, q);
      restarts += result.restarts;
      EXPECT_TRUE(result.reached) << frame.file << ", target " << i;
      EXPECT_LT(distance(ik.pose(q), target), 1e-6) << frame.file << ", target " << i;
      expect_within_limits(model, q);
    }
    EXPECT_LT(restarts, 3 * 200) << frame.file << ": most starts should lead there";
  }
}

TEST(InverseKinematicsTest, LeavesOtherJointsAlone) {
  const Model model = robot("panda.xml");
  InverseKinematics ik(model, site_frame(model, "grasp"));
  ASSERT_EQ(ik.joints().size(), 7U) << "the fingers do not move the hand";
  std::vector<double> q = model.keyframe_state(0).q;
  Pose target = ik.pose(q);
  target.position += Vec3{0.05, 0.02, -0.1};
  q[7] = 0.017;
  EXPECT_TRUE(ik.solve(target, q).reached);
  EXPECT_EQ(q[7], 0.017);
}

TEST(InverseKinematicsTest, NullSpaceGoesTowardsRest) {
  const Model model = robot("panda_arm.xml");
  const std::vector<double> home = model.keyframe_state(0).q;
  const auto distance_to_home = [&](double gain) {
    InverseKinematics ik(model, site_frame(model, "tool"), {.rest_gain = gain});
    ik.set_rest_from(home);
    std::mt19937 random(3);
    double sum = 0;
    for (int i = 0; i < 20; ++i) {
      std::vector<double> q = home;
      for (double& x : q) x += std::uniform_real_distribution<double>(-0.6, 0.6)(random);
      EXPECT_TRUE(ik.solve(ik.pose(home), q).reached);
      for (std::size_t k = 0; k < q.size(); ++k) sum += (q[k] - home[k]) * (q[k] - home[k]);
    }
    return std::sqrt(sum / 20);
  };
  const double with = distance_to_home(0.3), without = distance_to_home(0);
  EXPECT_LT(with, 0.02);
  EXPECT_GT(without, 0.2);
}

TEST(InverseKinematicsTest, OutOfReachIsSaidAndApproached) {
  const Model model = robot("panda_arm.xml");
  InverseKinematics ik(model, site_frame(model, "tool"));
  std::vector<double> q = model.keyframe_state(0).q;
  Pose target = ik.pose(q);
  target.position = {3, 0, 0.333};  // the arm is 1.2 m long
  const InverseKinematics::Result result = ik.solve(target, q);
  EXPECT_FALSE(result.reached);
  EXPECT_NEAR(result.position_error, norm(ik.pose(q).position - target.position), 1e-12);
  EXPECT_LT(result.position_error, 2.4);
  EXPECT_GT(result.position_error, 1.7);
  expect_within_limits(model, q);
}

TEST(InverseKinematicsTest, SameInputSameAnswer) {
  const Model model = robot("panda_arm.xml");
  std::mt19937 random(11);
  InverseKinematics a(model, site_frame(model, "tool")), b(model, site_frame(model, "tool"));
  for (int i = 0; i < 20; ++i) {
    const Pose target = a.pose(random_posture(model, random));
    std::vector<double> start = random_posture(model, random), other = start;
    static_cast<void>(a.solve(target, start));
    static_cast<void>(b.solve(target, other));
    EXPECT_EQ(start, other);
  }
}

TEST(InverseKinematicsTest, FramesThatNothingMovesAreRefused) {
  const Model hand = robot("allegro_like_hand.xml");
  EXPECT_THROW(static_cast<void>(site_frame(hand, "grasp")), InputError);
  EXPECT_THROW(static_cast<void>(site_frame(hand, "nowhere")), InputError);
  const Model quadruped = robot("quadruped.xml");
  EXPECT_THROW(InverseKinematics(quadruped, body_frame(quadruped, "trunk")), InputError);
}

}  // namespace
}  // namespace uzawa
