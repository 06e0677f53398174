/// Rolling without slipping, skates, and points that are tied while the world runs.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/scenes.hpp"
#include "support/simple_models.hpp"
#include "uzawa/base/error.hpp"

namespace uzawa {
namespace {

class TiesTest : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Theta, TiesTest, testing::Values(0.0, 0.5));

TEST_P(TiesTest, ChaplyginSleigh) {
  // A body on a blade at `a` behind its centre of mass, started by a pure turn: with b^2 = I/m + a^2 and c = b w_0, it
  // turns at w = w_0 sech(a c t / b^2) and runs at u = c tanh(a c t / b^2) (Bloch, Nonholonomic Mechanics,
  // section 1.7).
  const double m = 2, inertia = 0.05, a = 0.1, w0 = 3;
  ModelSpec spec = test::free_body({inertia, inertia, inertia}, m);
  spec.options.gravity = {};
  World world(Model(std::move(spec)), {.theta = GetParam()});
  world.set_ties({.no_slip = {{.name = "blade", .body = 1, .axes = 1, .offset = {-a, 0, 0}, .direction = {0, 1, 0}}}});
  State state = world.state();
  state.v = {0, a * w0, 0, 0, 0, w0};
  world.set_state(state);
  const double b = std::sqrt(inertia / m + a * a), c = b * w0, energy = test::energy(world);
  for (int i = 0; i < 1500; ++i) {
    test::run(world, 1);
    const double t = world.state().time, phase = a * c * t / (b * b);
    const Vec3 v = rotate(conjugate(Quat::from(&world.state().q[3])), Vec3::from(world.state().v.data()));
    EXPECT_NEAR(world.state().v[5], w0 / std::cosh(phase), 2e-3 * w0) << t;
    EXPECT_NEAR(v.x(), c * std::tanh(phase), 2e-3 * c) << t;
    EXPECT_NEAR(test::energy(world), energy, 1e-4 * energy) << t;  // a blade does no work
  }
}

/// A wheel on a fork that moves in the plane: x, y, yaw; then the axle.
constexpr double kRadius = 0.2, kMass = 3, kWheelInertia = 0.02;
ModelSpec unicycle() {
  ModelSpec spec;
  const auto add_body = [&](const char* name, int parent, double mass, double inertia) {
    BodySpec body;
    body.name = name;
    body.parent = parent;
    body.mass = mass;
    body.principal_inertia = {inertia, inertia, inertia};
    spec.bodies.push_back(body);
  };
  const auto add_joint = [&](const char* name, JointType type, int body, const Vec3& axis) {
    JointSpec joint;
    joint.name = name;
    joint.type = type;
    joint.body = body;
    joint.axis = axis;
    spec.joints.push_back(joint);
  };
  add_body("fork", 0, kMass - 1, 0.1);
  add_body("wheel", 1, 1, kWheelInertia);
  add_joint("x", JointType::Slide, 1, {1, 0, 0});
  add_joint("y", JointType::Slide, 1, {0, 1, 0});
  add_joint("yaw", JointType::Hinge, 1, {0, 0, 1});
  add_joint("axle", JointType::Hinge, 2, {0, 1, 0});
  return spec;
}

Ties rolling() {
  NoSlip along{.name = "along", .body = 2, .axes = 1, .offset = {0, 0, -kRadius}, .direction = {1, 0, 0}};
  NoSlip across = along;
  across.name = "across";
  across.direction = {0, 2, 0};  // any length
  return {.no_slip = {along, across}};
}

TEST_P(TiesTest, WheelRollsInACircle) {
  World world(Model(unicycle()), {.theta = GetParam()});
  world.set_ties(rolling());
  const double speed = 1, yaw = 0.8;
  State state = world.state();
  state.v = {speed, 0, yaw, speed / kRadius};
  world.set_state(state);
  const int steps = static_cast<int>(std::lround(2 * M_PI / yaw / world.dt()));
  double widest = 0;
  for (int i = 0; i < steps; ++i) {
    test::run(world, 1);
    widest = std::max(widest, world.state().q[1]);
    EXPECT_NEAR(std::hypot(world.state().v[0], world.state().v[1]), speed, 1e-6);
  }
  EXPECT_NEAR(widest, 2 * speed / yaw, 1e-4);
  const double rest = steps * world.dt() * yaw - 2 * M_PI;  // of a step, radians
  EXPECT_NEAR(world.state().q[0], speed / yaw * std::sin(rest), 1e-5);
  EXPECT_NEAR(world.state().q[1], speed / yaw * (1 - std::cos(rest)), 5e-3);  // theta = 0 runs h/2 beside the circle
  const double wheel = speed / kRadius * steps * world.dt(), turn = world.dt() * yaw;
  EXPECT_NEAR(world.state().q[3], wheel, turn * turn * wheel);
}

TEST_P(TiesTest, DrivenWheelAccelerates) {
  // Torque T on the axle: a = (T/r)/(m + I/r^2).
  World world(Model(unicycle()), {.theta = GetParam()});
  world.set_ties(rolling());
  const double torque = 0.5;
  test::run(world, 500, {}, std::vector<double>{0, 0, 0, torque});
  const double a = torque / kRadius / (kMass + kWheelInertia / (kRadius * kRadius));
  EXPECT_NEAR(world.state().v[0], a * 500 * world.dt(), 1e-6);
  EXPECT_NEAR(world.state().v[3], world.state().v[0] / kRadius, 1e-6);
}

TEST(TieTest, ConveyorCarries) {
  ModelSpec spec = test::slider(1);
  World world(Model(std::move(spec)));
  world.set_ties({.no_slip = {{.name = "belt", .body = 1, .direction = {1, 0, 0}, .speed = 0.7}}});
  test::run(world, 100);
  EXPECT_NEAR(world.state().v[0], 0.7, 1e-7);
}

TEST(TieTest, TiedPointIsAConnectThatCanBeUndone) {
  ModelSpec spec;
  test::add_box(spec, {.position = {0.5, 0, 0}});
  ModelSpec connected = spec;
  connected.equalities.push_back({.name = "rope", .first = 1, .second = 0, .first_anchor = {-0.5, 0, 0}});
  World world(Model(std::move(spec))), oracle(Model(std::move(connected)));
  world.set_ties({.points = {{.name = "rope", .first = 1, .first_anchor = {-0.5, 0, 0}}}});
  test::run(world, 200);
  test::run(oracle, 200);
  EXPECT_EQ(world.state(), oracle.state());

  World::Snapshot saved = world.save();  // ties are part of it
  world.set_ties({});
  const double vz = world.state().v[2];
  test::run(world, 10);
  EXPECT_NEAR(world.state().v[2], vz - test::kGravity * 10 * world.dt(), 1e-9);
  world.restore(saved);
  test::run(world, 10);
  test::run(oracle, 10);
  EXPECT_EQ(world.state(), oracle.state());
}

TEST(TieTest, BadTiesAreRefusedByName) {
  World world((Model(unicycle())));
  const auto expect_refused = [&](Ties ties) {
    try {
      world.set_ties(std::move(ties));
      ADD_FAILURE() << "accepted";
    } catch (const InputError& error) {
      EXPECT_NE(error.element().find("'t'"), std::string::npos) << error.what();
    }
  };
  expect_refused({.no_slip = {{.name = "t", .body = 9}}});
  expect_refused({.no_slip = {{.name = "t", .axes = -1}}});
  expect_refused({.no_slip = {{.name = "t", .direction = {0, 0, 0}}}});
  expect_refused({.no_slip = {{.name = "t", .offset = {NAN, 0, 0}}}});
  expect_refused({.no_slip = {{.name = "t", .speed = INFINITY}}});
  expect_refused({.points = {{.name = "t", .second = 3}}});
  expect_refused({.points = {{.name = "t", .second_anchor = {0, INFINITY, 0}}}});
}

}  // namespace
}  // namespace uzawa
