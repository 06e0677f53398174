/// Torsional and rolling friction (condim 4 and 6) in motion, against closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/scenes.hpp"

namespace uzawa {
namespace {

using test::kGravity;

constexpr double kSpin = 0.02, kRoll = 0.003;  // m; both above the ground's own

/// Makes the geom that was added last resist spin (4), or spin and rolling (6).
void resist(ModelSpec& spec, int dimension) {
  GeomSpec& geom = spec.geoms.back();
  geom.contact_dimension = dimension;
  geom.friction[1] = kSpin;
  geom.friction[2] = kRoll;
}

/// Sets velocities by dof.
void start(World& world, std::initializer_list<std::pair<std::size_t, double>> speeds) {
  State state = world.state();
  for (const auto& [dof, speed] : speeds) state.v[dof] = speed;
  world.set_state(state);
}

double angular_z(const World& world) { return world.state().v[5]; }

/// Spin about the vertical: deceleration until it stops, and rest.
void expect_spin_down(ModelSpec spec, double spin, double deceleration) {
  World world(Model(std::move(spec)), {});
  start(world, {{5, spin}});
  const double stop = spin / deceleration;
  const int half = static_cast<int>(0.5 * stop / world.dt());
  test::run(world, half);
  EXPECT_NEAR(angular_z(world), spin - deceleration * half * world.dt(), 1e-6);
  test::run(world, half + 10);
  EXPECT_NEAR(angular_z(world), 0, 1e-6);
  EXPECT_LT(std::abs(world.state().v[2]), 1e-6);
}

TEST(TorsionTest, ABallSpinsDown) {
  const double radius = 0.05, mass = 0.3, spin = 20;
  ModelSpec spec = test::ground(0.5);
  test::add_ball(spec, "ball", radius, mass, {0, 0, radius}, 0.5);
  resist(spec, 4);
  expect_spin_down(spec, spin, kSpin * mass * kGravity / (0.4 * mass * radius * radius));
}

TEST(TorsionTest, WithCoulombFrictionAloneItSpinsForEver) {
  ModelSpec spec = test::ground(0.5);
  test::add_ball(spec, "ball", 0.05, 0.3, {0, 0, 0.05}, 0.5);
  resist(spec, 3);
  World world(Model(std::move(spec)), {});
  start(world, {{5, 20}});
  test::run(world, 500);
  EXPECT_NEAR(angular_z(world), 20, 1e-6);
}

TEST(TorsionTest, ACoinSpinsDown) {
  // On a slippery floor: whatever share of its weight each point bears, the moments add up to spin m g.
  const double radius = 0.04, mass = 0.1, spin = 30;
  ModelSpec spec = test::ground(0);
  scenarios::add_disc(spec, {.radius = radius, .half_height = 0.003, .mass = mass, .position = {0, 0, 0.003}});
  resist(spec, 4);
  expect_spin_down(spec, spin, kSpin * kGravity / (0.5 * radius * radius));
}

/// A rod with a ball-shaped grip between two fingers that press with `force`; its centre of mass is `offset` from the
/// grip, along x. Fingers close along y.
struct Pinch {
  double force = 5, offset = 0, length = 0.2, mass = 0.05;
  int dimension = 4;
  double inertia() const { return mass * length * length / 12; }

  ModelSpec spec(double gravity) const {
    ModelSpec spec;
    spec.options.gravity = {0, 0, -gravity};
    const double grip = 0.01, half = 0.01;
    test::add_finger(spec, "left", {half, half, half}, {0, -grip - half, 0}, {0, 1, 0}, 1);
    test::add_finger(spec, "right", {half, half, half}, {0, grip + half, 0}, {0, -1, 0}, 1);
    const int rod = test::add_ball(spec, "rod", grip, mass, {0, 0, 0}, 1);
    BodySpec& body = spec.bodies[static_cast<std::size_t>(rod)];
    body.com = {offset, 0, 0};
    body.principal_inertia = {0.01 * inertia(), inertia(), inertia()};
    resist(spec, dimension);
    return spec;
  }
};

/// Dof of the rod about the fingers' axis: after the fingers' two slides, linear then angular velocity.
constexpr std::size_t kRodTurn = 2 + 3 + 1;
double turn_of_rod(const World& world) { return world.state().v[kRodTurn]; }

TEST(TorsionTest, APinchedRodSpinsDown) {
  const Pinch pinch;
  const double spin = 40, deceleration = 2 * kSpin * pinch.force / pinch.inertia();
  World world(Model(pinch.spec(0)), {.dt = 1e-4});
  start(world, {{kRodTurn, spin}});
  const std::vector<double> force{pinch.force, pinch.force};
  const int half = static_cast<int>(0.5 * spin / deceleration / world.dt());
  test::run(world, half, force);
  EXPECT_NEAR(turn_of_rod(world), spin - deceleration * half * world.dt(), 1e-6);
  test::run(world, half + 10, force);
  EXPECT_NEAR(turn_of_rod(world), 0, 1e-6);
}

/// A pen that is held beside its centre of mass: 2 spin F against m g offset.
TEST(TorsionTest, APinchedPenStaysLevelByTorsionAlone) {
  Pinch pinch;
  const std::vector<double> force{pinch.force, pinch.force};
  const double most = 2 * kSpin * pinch.force / (pinch.mass * kGravity);
  for (const double share : {0.99, 1.01}) {
    pinch.offset = share * most;
    World world(Model(pinch.spec(kGravity)), {.dt = 1e-3});
    test::run(world, 50, force);
    if (share < 1) {
      EXPECT_LT(std::abs(turn_of_rod(world)), 1e-6);
    } else {
      EXPECT_GT(std::abs(turn_of_rod(world)), 1e-4);
    }
  }
  pinch.offset = 0.1 * most;
  pinch.dimension = 3;
  World slips(Model(pinch.spec(kGravity)), {.dt = 1e-3});
  test::run(slips, 50, force);
  EXPECT_GT(std::abs(turn_of_rod(slips)), 0.1);  // Coulomb's friction at two points holds no moment about their axis
}

TEST(TorsionTest, ARollingBallStopsWhereEnergySaysSo) {
  const double radius = 0.1, speed = 0.3;
  ModelSpec spec = test::ground(0.8);
  test::add_ball(spec, "ball", radius, 0.5, {0, 0, radius}, 0.8);
  resist(spec, 6);
  // The midpoint rule is exact but for the step in which the ball stops.
  World world(Model(std::move(spec)), {.dt = 1e-3, .theta = 0.5});
  start(world, {{0, speed}, {4, speed / radius}});
  const double deceleration = kRoll * kGravity / (1.4 * radius);
  const double from = world.state().q[0];
  test::run(world, static_cast<int>(speed / deceleration / world.dt()) + 10);
  EXPECT_NEAR(world.state().q[0] - from, speed * speed / (2 * deceleration), 1e-6);
  EXPECT_LT(std::abs(world.state().v[0]), 1e-7);
}

TEST(TorsionTest, ABallStaysOnAGentleSlope) {
  // Rolling friction holds where tan(angle) < roll / radius.
  const double radius = 0.1;
  for (const double share : {0.99, 1.01}) {
    ModelSpec spec = test::ground(0.8, std::atan(share * kRoll / radius));
    const double angle = std::atan(share * kRoll / radius);
    test::add_ball(spec, "ball", radius, 0.5, {radius * std::sin(angle), 0, radius * std::cos(angle)}, 0.8);
    resist(spec, 6);
    World world(Model(std::move(spec)), {});
    test::run(world, 200);
    const double speed = std::abs(world.state().v[0]);
    if (share < 1) {
      EXPECT_LT(speed, 1e-7);
    } else {
      EXPECT_GT(speed, 1e-5);
    }
  }
}

/// Where the model does not ask for moments there are none: the problem is the same as before, row by row.
TEST(TorsionTest, CoulombContactsHaveNoMoments) {
  ModelSpec spec = test::ground(0.5);
  test::add_box(spec, {.position = {0, 0, 0.05}});
  World world(Model(std::move(spec)), {});
  test::run(world, 3);
  EXPECT_EQ(world.problem().moments.size(), 0);
  EXPECT_EQ(world.problem().rows, 3 * world.problem().contacts.size());
}

}  // namespace
}  // namespace uzawa
