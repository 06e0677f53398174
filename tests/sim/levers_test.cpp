/// Contacts that no joint can answer are no contacts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/scenes.hpp"

namespace uzawa {
namespace {

constexpr double kLength = 0.3, kRadius = 0.05;

/// A capsule along x from `from` to `to`, part of the last body.
GeomSpec capsule(int body, double from, double to, double aside = 0) {
  GeomSpec geom;
  geom.name = "capsule" + std::to_string(body);
  geom.body = body;
  geom.shape = ShapeType::Capsule;
  geom.size = {kRadius, (to - from) / 2, 0};
  geom.position = {(from + to) / 2, 0, 0};
  geom.orientation = exp_rotation({0, M_PI / 2, 0}) * exp_rotation({aside, 0, 0});
  return geom;
}

/// A capsule that is fixed and two more on ball joints in a row, which overlap where they are joined. `inset`: from the
/// ends of the links to those of the capsules' axes.
ModelSpec three_capsules(double inset, double aside) {
  ModelSpec spec;
  spec.options.gravity = {0, 0, -test::kGravity};
  spec.options.filter_parent = false;
  spec.geoms.push_back(capsule(0, -kLength + inset, -inset));
  for (int i = 1; i <= 2; ++i) {
    BodySpec body;
    body.name = "link" + std::to_string(i);
    body.parent = i - 1;
    body.position = {i == 1 ? 0 : kLength, 0, 0};
    body.mass = 1;
    body.com = {kLength / 2, 0, 0};
    body.principal_inertia = {2e-3, 0.01, 0.01};
    spec.bodies.push_back(body);
    JointSpec joint;
    joint.name = body.name;
    joint.type = JointType::Ball;
    joint.body = static_cast<int>(spec.bodies.size()) - 1;
    joint.damping = 0.02;
    spec.joints.push_back(joint);
    spec.geoms.push_back(capsule(joint.body, inset, kLength - inset, aside));
  }
  return spec;
}

/// They hang and swing: no faster than the fall of their weight allows.
TEST(LeversTest, CapsulesThatOverlapAtTheirJointsAreCalm) {
  for (const double inset : {0.0, 0.005, 0.02}) {
    for (const double aside : {0.0, 0.02}) {
      World world(Model(three_capsules(inset, aside)), {.dt = 2e-3});
      const double start = test::energy(world);
      for (int i = 0; i < 1000; ++i) {
        ASSERT_EQ(world.step().status, StepStatus::Solved) << inset << ' ' << aside << ' ' << i;
        ASSERT_LT(test::energy(world), start + 0.05 * 2 * test::kGravity * kLength)
            << inset << ' ' << aside << ' ' << i;
      }
    }
  }
}

/// A link that turns about z through the origin, and a wall that its tip leans on.
ModelSpec door(double armature) {
  ModelSpec spec;
  spec.options.gravity = {};
  BodySpec body;
  body.name = "door";
  body.mass = 1;
  body.com = {kLength / 2, 0, 0};
  body.principal_inertia = {2e-3, 0.01, 0.01};
  spec.bodies.push_back(body);
  JointSpec joint;
  joint.name = "hinge";
  joint.body = static_cast<int>(spec.bodies.size()) - 1;
  joint.armature = armature;
  spec.joints.push_back(joint);
  scenarios::add_wall(spec, {.name = "stop", .half = {0.02, 0.1, 0.1}, .position = {kLength, 0.15, 0}});
  spec.geoms.push_back(capsule(joint.body, 0.1, kLength));
  return spec;
}

/// Gears make a link slow, not immovable.
TEST(LeversTest, GearedLinkIsStopped) {
  for (const double armature : {0.0, 100.0}) {
    World world(Model(door(armature)), {.dt = 2e-3});
    State state = world.state();
    state.v[0] = 0.5;
    world.set_state(state);
    test::run(world, 200);
    EXPECT_NEAR(world.state().v[0], 0, 1e-9) << armature;
    EXPECT_LT(world.report().penetration, 2e-6) << armature;
  }
}

/// Two fingers on slides along an arm that turns about x, which overlap across their slides by 5 mm: no slide gets them
/// apart. The arm hits its stop, so collision detection looks a second time; then their normal has turned away from
/// where the slides were at the start of the step, and looks as if they had a lever.
TEST(LeversTest, OverlapThatTurnsWithItsLinksIsNoNewContact) {
  ModelSpec spec = door(0);
  spec.geoms.clear();
  spec.joints[0].axis = {1, 0, 0};
  spec.joints[0].range = {{-3, 0.11}};
  for (int i = 0; i < 2; ++i) {
    BodySpec finger = spec.bodies.back();
    finger.name = "finger" + std::to_string(i);
    finger.parent = 1;
    finger.position = {0, 0, 0.3 + 0.015 * i};
    finger.mass = 0.02;
    finger.com = {};
    finger.principal_inertia = {1e-5, 1e-5, 1e-5};
    spec.bodies.push_back(finger);
    JointSpec slide;
    slide.name = finger.name;
    slide.type = JointType::Slide;
    slide.axis = {0, 1, 0};
    slide.stiffness = 2000;
    slide.damping = 5;
    slide.body = static_cast<int>(spec.bodies.size()) - 1;
    spec.joints.push_back(slide);
    GeomSpec box;
    box.name = finger.name;
    box.body = slide.body;
    box.shape = ShapeType::Box;
    box.size = {0.03, 0.03, 0.01};
    spec.geoms.push_back(box);
  }
  World world(Model(std::move(spec)), {.dt = 2e-3});
  State state = world.state();
  state.v[0] = 20;
  world.set_state(state);
  double most = 0;
  for (int i = 0; i < 50; ++i) {
    ASSERT_NE(world.step().status, StepStatus::Failed) << i;
    most = std::max(most, world.state().q[0]);
    ASSERT_LT(std::abs(world.state().q[1]), 0.05) << i;
    ASSERT_LT(std::abs(world.state().q[2]), 0.05) << i;
    ASSERT_TRUE(world.contacts().empty()) << i;
  }
  EXPECT_GT(most, 0.109) << "the arm has not hit its stop";
}

/// Pairs that a model asks for on one link, and a wall that pushes along the link through its hinge.
TEST(LeversTest, ContactsThatMoveNothingAreDropped) {
  ModelSpec spec = door(0);
  spec.geoms[0].position = {kLength + kRadius + 0.019, 0, 0};  // 1 mm deep at the tip
  GeomSpec knob = spec.geoms.back();
  knob.name = "knob";
  knob.position.set(2, kRadius);
  spec.geoms.push_back(knob);
  spec.contact_pairs.push_back({.name = "knob and door", .geom1 = 1, .geom2 = 2});
  World world(Model(std::move(spec)), {.dt = 2e-3});
  test::run(world, 10);
  EXPECT_TRUE(world.contacts().empty());
  EXPECT_NEAR(world.state().q[0], 0, 1e-12);
}

}  // namespace
}  // namespace uzawa
