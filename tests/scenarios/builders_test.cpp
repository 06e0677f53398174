/// Models made of copies of other models.
#include "uzawa/scenarios/builders.hpp"

#include <gtest/gtest.h>

#include "build_folders.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/io/load.hpp"
#include "uzawa/sim/world.hpp"

namespace uzawa::scenarios {
namespace {

const std::vector<std::string> kRobots = {"panda.xml",    "allegro_like_hand.xml", "quadruped.xml",
                                          "humanoid.xml", "mobile_panda.xml",      "dual_arm.xml"};

/// Copies far from each other move as the robot alone does: nothing points at another copy's elements.
TEST(AddModelTest, CopiesMoveLikeTheOriginal) {
  for (const std::string& name : kRobots) {
    ModelSpec original = load_model(std::string(UZAWA_MODELS) + "/" + name).model.spec();
    original.options.contacts = false;  // in the reference pose some touch themselves, and every rounding counts
    const Model robot(std::move(original));
    ModelSpec spec;
    spec.options = robot.options();
    constexpr int kCopies = 3;
    for (int i = 0; i < kCopies; ++i) add_model(spec, robot.spec(), "copy" + std::to_string(i) + "/", {10.0 * i, 0, 0});
    World alone(robot), together((Model(std::move(spec))));
    const auto nu = static_cast<std::size_t>(robot.nu());
    std::vector<double> control(nu), controls;
    for (std::size_t a = 0; a < nu; ++a) control[a] = 0.1 * static_cast<double>(a % 5);
    for (int i = 0; i < kCopies; ++i) controls.insert(controls.end(), control.begin(), control.end());
    for (int i = 0; i < 50; ++i) {
      alone.step(control);
      together.step(controls);
    }
    const auto nv = static_cast<std::size_t>(robot.nv());
    ASSERT_EQ(together.state().v.size(), kCopies * nv) << name;
    for (std::size_t d = 0; d < kCopies * nv; ++d) {
      EXPECT_NEAR(together.state().v[d], alone.state().v[d % nv], 1e-6) << name << ", dof " << d;
    }
  }
}

TEST(AddModelTest, FreeBodiesStandWhereTheyArePut) {
  ModelSpec box;
  add_box(box, {.position = {0, 0, 1}});
  ModelSpec spec = ground(0.5);
  const Quat turn = exp_rotation({0, 0, M_PI / 2});
  add_model(spec, box, "a/", {3, 4, 5}, turn);
  const Model model(std::move(spec));
  EXPECT_EQ(model.spec().bodies[1].name, "a/box");
  const State state = model.reference_state();
  EXPECT_NEAR(state.q[0], 3, 1e-15);
  EXPECT_NEAR(state.q[2], 6, 1e-15);
  EXPECT_NEAR(state.q[6], turn.v.z(), 1e-15);
}

/// The palm is where the flange takes it, and the arm carries its weight.
TEST(AddModelTest, AHandIsMountedOnAnArm) {
  const Model arm = load_model(std::string(UZAWA_MODELS) + "/panda_arm.xml").model;
  const Model hand = load_model(std::string(UZAWA_MODELS) + "/allegro_like_hand.xml").model;
  ModelSpec spec = ground(1);
  add_model(spec, arm.spec(), "", {1, 2, 3});
  const int flange = static_cast<int>(spec.bodies.size()) - 1;
  const Quat turn = exp_rotation({0, 0.5, 1});
  mount_model(spec, hand.spec(), "hand/", flange, {0, 0, 0.1}, turn);
  const Model both(std::move(spec));
  EXPECT_EQ(both.nv(), 23);
  const double palm_mass = hand.spec().bodies[static_cast<std::size_t>(hand.body("palm"))].mass;  // stood still alone
  EXPECT_NEAR(both.total_mass(), arm.total_mass() + hand.total_mass() + palm_mass, 1e-12);
  State state = both.reference_state();
  const State home = arm.keyframe_state(0);
  std::copy(home.q.begin(), home.q.end(), state.q.begin());
  DynamicsData data(both), arm_data(arm);
  forward_kinematics(both, state.q, data);
  forward_kinematics(arm, home.q, arm_data);
  const Pose expected = Pose::from({1, 2, 3}, {}) * body_pose(arm, arm_data, arm.body("link7")) *
                        Pose::from({0, 0, 0.1}, turn) * Pose::from({0, 0, 0.12}, {});
  const Pose palm = body_pose(both, data, both.body("hand/palm"));
  EXPECT_LT(norm(palm.position - expected.position), 1e-12);
  EXPECT_LT(norm(palm.rotation.col[0] - expected.rotation.col[0]), 1e-12);
}

/// A box that hangs from the ground, or is welded to it, and swings where the copy is as it does in its own file.
TEST(AddModelTest, TiesToTheGroundMoveWithTheCopy) {
  const Vec3 place{3, 4, 5};
  // A quarter of a turn: errors are made good axis by axis, at a bounded rate, so that other turns take other ways.
  const Quat turn = exp_rotation({0, 0, M_PI / 2}), relative = exp_rotation({0.1, 0.2, 0.3});
  for (const EqualityType type : {EqualityType::Connect, EqualityType::Weld}) {
    for (const bool ground_first : {false, true}) {
      ModelSpec other;
      other.options.gravity = {0, 0, -kGravity};
      const int box = add_box(other, {.position = {0.5, 0, 1}});
      EqualitySpec tie;
      tie.type = type;
      tie.first = ground_first ? 0 : box;
      tie.second = ground_first ? box : 0;
      (ground_first ? tie.first_anchor : tie.second_anchor) = {0.5, 0.3, 1};
      (ground_first ? tie.second_anchor : tie.first_anchor) = {0, 0.3, 0};
      tie.relative_orientation = relative;
      other.equalities.push_back(tie);
      ModelSpec spec;
      spec.options = other.options;
      add_box(spec, {.position = {-9, 0, 0}});
      add_model(spec, other, "copy/", place, turn);
      World alone((Model(std::move(other)))), together((Model(std::move(spec))));
      for (int i = 0; i < 200; ++i) alone.step(), together.step();
      const double *own = alone.state().q.data(), *copy = together.state().q.data() + 7;
      EXPECT_GT(norm(rotation_between({}, Quat::from(own + 3))), 0.1) << "nothing has moved";
      EXPECT_LT(norm(Vec3::from(copy) - (place + rotate(turn, Vec3::from(own)))), 1e-9);
      EXPECT_LT(norm(rotation_between(turn * Quat::from(own + 3), Quat::from(copy + 3))), 1e-9);
    }
  }
}

TEST(AddModelTest, SitesOnTheGroundMoveWithTheCopy) {
  ModelSpec other;
  const Quat own = exp_rotation({1, 0, 0}), turn = exp_rotation({0, 0.5, 1});
  other.sites.push_back({.name = "mark", .body = 0, .position = {1, 2, 3}, .orientation = own});
  ModelSpec spec;
  const int box = add_box(spec, {});
  const Vec3 place{0, 0, 0.1}, expected = place + rotate(turn, {1, 2, 3});
  add_model(spec, other, "a/", place, turn);
  mount_model(spec, other, "b/", box, place, turn);
  for (const SiteSpec& site : spec.sites) {
    EXPECT_EQ(site.body, site.name == "a/mark" ? 0 : box);
    EXPECT_LT(norm(site.position - expected), 1e-14) << site.name;
    EXPECT_LT(norm(rotation_between(turn * own, site.orientation)), 1e-14) << site.name;
  }
  EXPECT_EQ(spec.sites.size(), 2U);
}

TEST(AddModelTest, WhatCantBeCopiedIsRefused) {
  ModelSpec other = ground(0.5);
  add_box(other, {});
  other.contact_pairs.push_back({.name = "pair", .geom1 = 0, .geom2 = 1});
  ModelSpec spec;
  EXPECT_THROW(add_model(spec, other, "a/", {}), InputError);
}

}  // namespace
}  // namespace uzawa::scenarios
