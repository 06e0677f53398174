/// Motions that are known in closed form.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/scenes.hpp"
#include "support/simple_models.hpp"

namespace uzawa {
namespace {

using test::kGravity;

TEST(MotionTest, FreeFall) {
  // Semi-implicit Euler: z_n = -g h^2 n (n + 1)/2; the midpoint rule is exact.
  for (const double theta : {0.0, 0.5}) {
    ModelSpec spec;
    test::add_ball(spec, "ball", 0.1, 2, {0, 0, 100});
    World world(Model(std::move(spec)), {.dt = 0.01, .theta = theta});
    const int n = 100;
    test::run(world, n);
    const double t = 0.01 * n, fallen = theta == 0 ? 0.5 * kGravity * 1e-4 * n * (n + 1) : 0.5 * kGravity * t * t;
    EXPECT_NEAR(world.state().q[2], 100 - fallen, 1e-11);
    EXPECT_NEAR(world.state().v[2], -kGravity * t, 1e-12);
  }
}

/// A box that lies on a slope of `angle`.
World slope(double mu, double angle, SimSettings settings = {}) {
  ModelSpec spec = test::ground(mu, angle);
  const Quat tilt = exp_rotation({0, angle, 0});
  test::add_box(spec, {.half = {0.1, 0.1, 0.05}, .position = rotate(tilt, {0, 0, 0.05}), .orientation = tilt});
  return World(Model(std::move(spec)), std::move(settings));
}

double speed(const World& world) { return norm(Vec3::from(world.state().v.data())); }

TEST(MotionTest, SlopeHoldsBelowTheFrictionAngle) {
  const double mu = 0.5;
  World world = slope(mu, std::atan(mu - 1e-6));
  test::run(world, 500);
  EXPECT_LT(speed(world), 1e-8);
}

TEST(MotionTest, SlopeSlidesAboveTheFrictionAngle) {
  // a = g cos(angle) (tan(angle) - mu): 8.8e-6 m/s^2, or 2e-8 m/s in a step, which is twice the solver's tolerance.
  const double mu = 0.5, angle = std::atan(mu + 1e-6);
  World world = slope(mu, angle);
  test::run(world, 500);
  const double a = kGravity * (std::sin(angle) - mu * std::cos(angle));
  EXPECT_NEAR(speed(world), a * 500 * world.dt(), 1e-3 * a);
}

TEST(MotionTest, SlidingDistance) {
  // v_k = v_0 - mu g h k until it stops: the sum of the discrete motion.
  const double mu = 0.4, v0 = 1.5;
  for (const double theta : {0.0, 0.5}) {
    World world = slope(mu, 0, {.theta = theta});
    State state = world.state();
    state.v[0] = v0;
    world.set_state(state);
    const double h = world.dt(), slowdown = mu * kGravity * h;
    double expected = 0, v = v0;
    for (int k = 0; k < 400; ++k) {
      const double next = std::max(0.0, v - slowdown);
      expected += h * (theta * v + (1 - theta) * next);
      v = next;
    }
    test::run(world, 400);
    EXPECT_NEAR(world.state().q[0], expected, 1e-7) << "theta " << theta;
    EXPECT_NEAR(expected, v0 * v0 / (2 * mu * kGravity), 0.01);
    EXPECT_LT(speed(world), 1e-8);
    EXPECT_NEAR(world.state().q[2], 0.05, 1e-9);
  }
}

TEST(MotionTest, BallRollsWithoutSlipping) {
  // From sliding at v_0 to rolling at 5/7 v_0, whatever the friction is.
  ModelSpec spec = test::ground(0.3);
  test::add_ball(spec, "ball", 0.1, 1, {0, 0, 0.1});
  World world((Model(std::move(spec))));
  State state = world.state();
  state.v[0] = 2;
  world.set_state(state);
  test::run(world, 500);
  EXPECT_NEAR(world.state().v[0], 2 * 5.0 / 7, 1e-6);
  EXPECT_NEAR(world.state().v[0], 0.1 * std::hypot(world.state().v[3], world.state().v[4], world.state().v[5]), 1e-6);
}

TEST(MotionTest, BallBouncesToTheHeightOfRestitution) {
  // Each bounce keeps rho^2 of the height, to the distance that the ball moves in a step.
  const double rho = 0.8, radius = 0.1, height = 1;
  for (const double theta : {0.0, 0.5}) {
    ModelSpec spec = test::ground(0);
    test::add_ball(spec, "ball", radius, 1, {0, 0, radius + height});
    World world(Model(std::move(spec)), {.dt = 1e-4, .theta = theta, .assembly = {.restitution = rho}});
    const double fall = std::sqrt(2 * height / kGravity), flight = 2 * rho * fall;
    double top = 0;
    while (world.state().time < fall + flight) {
      test::run(world, 1);
      if (world.state().time > fall + 0.01) top = std::max(top, world.state().q[2] - radius);
    }
    EXPECT_NEAR(top, rho * rho * height, 2e-3) << "theta " << theta;
  }
}

TEST(MotionTest, OnlyTheExceptedPairBounces) {
  ModelSpec spec = test::ground(0);
  test::add_ball(spec, "rubber", 0.1, 1, {0, 0, 0.6});
  test::add_ball(spec, "clay", 0.1, 1, {1, 0, 0.6});
  World world(Model(std::move(spec)), {.assembly = {.pairs = {{.geom1 = 0, .geom2 = 1, .restitution = 0.9}}}});
  double rubber = 0, clay = 0;
  test::run(world, 170);  // both have hit the ground after 0.32 s
  for (int i = 0; i < 150; ++i) {
    test::run(world, 1);
    rubber = std::max(rubber, world.state().q[2]);
    clay = std::max(clay, world.state().q[9]);
  }
  EXPECT_NEAR(rubber, 0.1 + 0.81 * 0.5, 0.01);
  EXPECT_NEAR(clay, 0.1, 1e-5);
}

TEST(MotionTest, ImpactIsInelasticAtEveryTheta) {
  for (const double theta : {0.0, 0.25, 0.5}) {
    ModelSpec spec = test::ground(0);
    test::add_ball(spec, "ball", 0.1, 1, {0, 0, 0.3});
    World world(Model(std::move(spec)), {.theta = theta});
    test::run(world, 1000);
    EXPECT_NEAR(world.state().v[2], 0, 1e-8) << "theta " << theta;
    EXPECT_NEAR(world.state().q[2], 0.1, 1e-5) << "theta " << theta;
  }
}

TEST(MotionTest, TwoBallsCollide) {
  // Momentum is kept; the relative velocity is reversed and scaled by rho.
  for (const double rho : {0.0, 0.5, 1.0}) {
    ModelSpec spec;
    spec.options.gravity = {};
    test::add_ball(spec, "light", 0.1, 1, {0, 0, 0});
    test::add_ball(spec, "heavy", 0.1, 3, {0.5, 0, 0});
    World world(Model(std::move(spec)), {.assembly = {.restitution = rho}});
    State state = world.state();
    state.v[0] = 2;
    state.v[6] = -1;
    world.set_state(state);
    test::run(world, 200);
    const double common = (1 * 2 - 3 * 1) / 4.0;
    EXPECT_NEAR(world.state().v[0], common - 0.75 * rho * 3, 1e-8) << "rho " << rho;
    EXPECT_NEAR(world.state().v[6], common + 0.25 * rho * 3, 1e-8) << "rho " << rho;
  }
}

TEST(MotionTest, PendulumPeriod) {
  // Swings of a unit pendulum: 2 pi sqrt(l/g) (1 + a^2/16 + 11 a^4/3072); the midpoint rule shortens them by (h
  // w)^2/24.
  const double amplitude = 0.1;
  World world(Model(test::pendulum()), {.dt = 1e-3, .theta = 0.5});
  State state = world.state();
  state.q[0] = amplitude;
  world.set_state(state);
  // The period from two passages through zero upwards, each interpolated.
  std::vector<double> passages;
  while (passages.size() < 3) {
    const State before = world.state();
    test::run(world, 1);
    const double q0 = before.q[0], q1 = world.state().q[0];
    if (q0 < 0 && q1 >= 0) passages.push_back(before.time + world.dt() * -q0 / (q1 - q0));
  }
  const double square = amplitude * amplitude;
  const double exact = 2 * M_PI * std::sqrt(1 / kGravity) * (1 + square / 16 + 11 * square * square / 3072);
  const double step_angle = world.dt() * std::sqrt(kGravity);
  EXPECT_NEAR(passages[2] - passages[1], exact * (1 - step_angle * step_angle / 24), 1e-8);
}

/// A tray at the end of an arm that goes around at constant speed, with a box on it that friction holds.
ModelSpec tray_on_an_arm() {
  ModelSpec spec;
  BodySpec tray;
  tray.name = "tray";
  tray.mass = 10;
  tray.com = {0.5, 0, 0};
  tray.principal_inertia = {1, 1, 1};
  spec.bodies.push_back(tray);
  spec.joints.push_back({.name = "axle", .body = 1});
  GeomSpec plate;
  plate.name = "plate";
  plate.body = 1;
  plate.shape = ShapeType::Box;
  plate.size = {0.2, 0.2, 0.01};
  plate.position = {0.5, 0, -0.01};
  plate.friction = {1, 0, 0};
  spec.geoms.push_back(plate);
  test::add_box(spec, {.half = {0.05, 0.05, 0.05}, .position = {0.5, 0, 0.05}});
  return spec;
}

TEST(MotionTest, WhatIsCarriedAroundDoesNotCreep) {
  // Friction could hold g = 9.8 m/s^2; 0.5 m * (2 rad/s)^2 = 2 m/s^2 are asked for. No slip of velocities alone would
  // let the box go outwards by (h w)^2 r / 2 a step: 26 mm in the two turns of this run. (h w)^3 r / 6 is left, 73 um.
  World world(Model(tray_on_an_arm()), {.dt = 1.0 / 240});
  State state = world.state();
  state.v[0] = state.v[6] = 2;  // of the axle and of the box, which moves along with it
  state.v[2] = 1;
  world.set_state(state);
  test::run(world, 1508);
  const std::vector<double>& q = world.state().q;
  const double angle = q[0];
  const Vec3 place = rotate(exp_rotation({0, 0, -angle}), Vec3::from(&q[1]));
  EXPECT_NEAR(place.x(), 0.5, 1e-4);
  EXPECT_NEAR(place.y(), 0, 1e-4);
  EXPECT_GT(std::abs(angle), 12) << "it does go around";
}

TEST(MotionTest, ContactsOfOnePairAskForOneMotion) {
  // The box slips and twists on the tray a little, by more at some corners than at others. What the corners ask for
  // must be something that a rigid body can do: here, the same for all of them.
  World world(Model(tray_on_an_arm()), {.dt = 1.0 / 240});
  State state = world.state();
  state.q[1] = 0.6;
  state.v[0] = 2;
  state.v[2] = 1.21;
  state.v[6] = 1.8;
  world.set_state(state);
  test::run(world, 1);
  const Contacts& contacts = world.problem().contacts;
  ASSERT_EQ(contacts.size(), 4);
  for (std::size_t i = 0; i < 4; ++i) {
    for (int k = 0; k < 2; ++k) {
      EXPECT_NEAR(contacts.e[i][k], contacts.e[0][k], 1e-15) << "corner " << i << ", tangent " << k;
    }
  }
  EXPECT_GT(std::hypot(contacts.e[0][0], contacts.e[0][1]), 1e-4) << "they are asked for something";
}

TEST(MotionTest, SpinningBallsDoNotSinkIntoEachOther) {
  // What turns as one is held together while it turns; balls that only spin alike slide on each other instead.
  ModelSpec spec;
  spec.options.gravity = {};
  test::add_ball(spec, "a", 0.01, 0.1, {0, 0, 0}, 0);
  test::add_ball(spec, "b", 0.01, 0.1, {0.0201, 0, 0}, 0);
  World world(Model(std::move(spec)), {.dt = 2e-3});
  State state = world.state();
  state.v = {0.02, 0, 0, 0, 50, 0, -0.02, 0, 0, 0, 50, 0};
  world.set_state(state);
  for (int i = 0; i < 100; ++i) {
    test::run(world, 1);
    EXPECT_GT(world.state().q[7] - world.state().q[0], 0.02 - 1e-7) << "step " << i;
  }
}

}  // namespace
}  // namespace uzawa
