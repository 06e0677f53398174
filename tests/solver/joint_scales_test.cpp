#include "uzawa/solver/admm/joint_scales.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/attachments.hpp"

namespace uzawa {
namespace {

/// Two points of 1 kg at (0, 0, -length) and (0, 0, -2 length) on a base that slides along x: a slide and two hinges
/// about y, at the origin and at the first point.
TreeInertia double_pendulum(double length) {
  TreeInertia tree(std::make_shared<TreeTopology>(std::vector<int>{-1, 0, 1}, std::vector<int>{1, 1, 1}));
  tree.subspace[0].linear = {1, 0, 0};
  tree.subspace[1].angular = {0, 1, 0};
  tree.subspace[2].angular = {0, 1, 0};
  tree.subspace[2].linear = cross(Vec3{0, 0, -length}, Vec3{0, 1, 0});
  for (const int link : {1, 2}) {
    tree.inertia[static_cast<std::size_t>(link)].add_point_mass(1, {0, 0, -link * length});
  }
  return tree;
}

double weight_of(double length, const std::vector<std::pair<int, double>>& joints) {
  Problem problem;
  problem.add_tree(double_pendulum(length), {0, 0, 0});
  std::vector<Attachment> attachments;
  for (const auto& [dof, coefficient] : joints) {
    Attachment& joint = attachments.emplace_back();
    joint.kind = AttachmentKind::Coordinate;
    joint.dof = dof;
    joint.coefficient = coefficient;
  }
  problem.add_equality(0, attachments);
  return JointScales().penalty_weight(problem, 0);
}

TEST(JointScalesTest, LengthsOfADoublePendulum) {
  // About the middle of the two points each is half a length away: r^2 = 0.25 l^2, and the ball's diameter squared is
  // 20/3 of it, 1.67 l^2. On the first hinge hang 1 l^2 + 4 l^2 of 2 kg, on the second 1 l^2.
  for (const double length : {0.01, 1.0, 30.0}) {
    const double square = length * length;
    EXPECT_DOUBLE_EQ(weight_of(length, {{0, 1}}), 1) << "a slide is in metres already";
    EXPECT_NEAR(weight_of(length, {{1, 1}}), 2.5 * square, 1e-12 * square);
    EXPECT_NEAR(weight_of(length, {{2, 1}}), 5.0 / 3 * square, 1e-12 * square);
    EXPECT_NEAR(weight_of(length, {{2, -10}}), 5.0 / 300 * square, 1e-12 * square) << "a gear";
    EXPECT_NEAR(weight_of(length, {{0, 1}, {1, 1}}), std::sqrt(2.5) * length, 1e-12 * length);
  }
}

TEST(JointScalesTest, WhatHoldsOnToPointsIsLeftAlone) {
  Problem problem;
  problem.add_tree(double_pendulum(0.1), {0, 0, 0});
  problem.add_contact({0.5, 0.5}, {}, {test::point_on_link(0, 2, {0, 0, -0.2}, Mat3::identity(), 1)});
  EXPECT_EQ(JointScales().penalty_weight(problem, 0), 1);
}

}  // namespace
}  // namespace uzawa
