/// Models made of copies of other models.
#include "uzawa/scenarios/builders.hpp"

#include <gtest/gtest.h>

#include "uzawa/base/error.hpp"
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

TEST(AddModelTest, WhatCantBeCopiedIsRefused) {
  ModelSpec other = ground(0.5);
  add_box(other, {});
  other.contact_pairs.push_back({.name = "pair", .geom1 = 0, .geom2 = 1});
  ModelSpec spec;
  EXPECT_THROW(add_model(spec, other, "a/", {}), InputError);
}

}  // namespace
}  // namespace uzawa::scenarios
