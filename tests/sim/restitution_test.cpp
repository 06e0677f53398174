/// Newton's law of impact to second order in the step: closed forms of balls that bounce, slide and spin.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/scenes.hpp"

namespace uzawa {
namespace {

constexpr double kRadius = 0.1;

struct Case {
  double dt, theta;
};
class RestitutionTest : public testing::TestWithParam<Case> {
 protected:
  /// A ball of 1 kg above a ground that is tilted by `angle`.
  static World ball(double height, double rho, double mu = 0, double angle = 0) {
    ModelSpec spec = test::ground(mu, angle);
    const Vec3 normal{std::sin(angle), 0, std::cos(angle)};
    test::add_ball(spec, "ball", kRadius, 1, normal * kRadius + Vec3{0, 0, height});
    return World(Model(std::move(spec)),
                 {.dt = GetParam().dt, .theta = GetParam().theta, .assembly = {.restitution = rho}});
  }
};
INSTANTIATE_TEST_SUITE_P(Steps, RestitutionTest,
                         testing::Values(Case{0.0005, 0}, Case{0.002, 0}, Case{0.005, 0}, Case{0.0005, 0.5},
                                         Case{0.002, 0.5}, Case{0.005, 0.5}));

TEST_P(RestitutionTest, ElasticBallKeepsItsHeightForAMinute) {
  constexpr double kHeight = 0.5, kPeriod = 0.64;  // s: 2 sqrt(2 height / g)
  World world = ball(kHeight, 1);
  double highest = 0, gain = 0;
  while (world.state().time < 60) {
    test::run(world, 1);
    gain = std::max(gain, world.report().energy.gain);
    if (world.state().time > 60 - 2 * kPeriod) highest = std::max(highest, world.state().q[2] - kRadius);
  }
  EXPECT_NEAR(highest, kHeight, 1e-3 * kHeight);
  EXPECT_LT(gain, 1e-9);
}

/// Drops of a ball that bounces lower each time: the n-th bounce comes after t0 (1 + 2 (rho + ... + rho^(n-1))). The
/// way out starts where the ball is at the start of the step of its impact, at most a step before the ground: that is
/// too early by up to h (1 + 1/rho). Energy is right all the same, as long as the ball bounces higher than it falls in
/// a step.
TEST_P(RestitutionTest, BouncesComeInTime) {
  constexpr double kHeight = 0.5, kRho = 0.5;
  World world = ball(kHeight, kRho);
  const double fall = std::sqrt(2 * kHeight / test::kGravity), early = world.dt() * (1 + 1 / kRho);
  double expected = fall, flight = 2 * kRho * fall, taken = 0, kept = test::kGravity * kHeight;
  int bounces = 0;
  while (world.state().time < 2) {
    test::run(world, 1);
    taken -= world.report().energy.unexplained;
    if (world.report().impacts == 0) continue;
    EXPECT_LT(world.state().time, expected + 2 * world.dt()) << "bounce " << bounces;
    EXPECT_GT(world.state().time, expected - bounces * early - world.dt()) << "bounce " << bounces;
    expected += flight;
    flight *= kRho;
    test::run(world, 1);  // books the impact
    taken -= world.report().energy.unexplained;
    const double speed = std::sqrt(2 * kept);
    kept *= kRho * kRho;
    EXPECT_GT(taken, test::kGravity * kHeight - kept - 1e-9) << "bounce " << bounces;
    if (kept / test::kGravity > world.dt() * speed) {
      EXPECT_NEAR(taken, test::kGravity * kHeight - kept, 1e-9) << "bounce " << bounces;
    }
    ++bounces;
  }
  EXPECT_EQ(bounces, 5);  // the sixth would leave with 3.13 rho^6 = 0.049 m/s, below the bounce speed
  EXPECT_NEAR(world.state().q[2], kRadius, 2e-6);
  EXPECT_LT(std::abs(world.state().v[2]), 1e-8);
}

/// A ball comes in at an angle and without spin. It slides through the impact where mu is small: the tangent loses
/// mu (1 + rho) v_n and the ball gains 5/2 of that over R; else it leaves rolling, with 5/7 of its tangential speed.
TEST_P(RestitutionTest, ObliqueImpactWithFriction) {
  constexpr double kRho = 0.8, kHeight = 0.2, kSpeed = 2;
  const double normal = std::sqrt(2 * test::kGravity * kHeight);
  for (const double mu : {0.1, 0.9}) {
    World world = ball(kHeight, kRho, mu);
    State state = world.state();
    state.v[0] = kSpeed;
    world.set_state(state);
    while (world.report().impacts == 0) test::run(world, 1);
    test::run(world, 1);
    const double braked = std::min(mu * (1 + kRho) * normal, 2.0 / 7 * kSpeed);
    // The speed at which the ball meets the ground is known to (g h)^2.
    const double slack = std::pow(test::kGravity * world.dt(), 2) + 1e-7;
    EXPECT_NEAR(world.state().v[0], kSpeed - braked, slack) << mu;
    EXPECT_NEAR(world.state().v[4], 2.5 * braked / kRadius, 2.5 * slack / kRadius) << mu;
    const double energy = 0.5 * kRho * kRho * normal * normal;
    const double spin = 0.5 * 0.4 * std::pow(kRadius * world.state().v[4], 2);
    EXPECT_NEAR(world.report().energy.total() - test::kGravity * kRadius,
                energy + spin + 0.5 * std::pow(world.state().v[0], 2), slack)
        << mu;
  }
}

/// Down a slope without friction: across it nothing is lost, along it the ball falls freely.
TEST_P(RestitutionTest, BallBouncesDownASlope) {
  constexpr double kHeight = 0.3, kAngle = 0.3;
  World world = ball(kHeight, 1, 0, kAngle);
  const Vec3 normal{std::sin(kAngle), 0, std::cos(kAngle)}, down{std::cos(kAngle), 0, -std::sin(kAngle)};
  const Vec3 start = Vec3::from(world.state().q.data());
  double highest = 0, gain = 0;
  while (world.state().time < 10) {
    test::run(world, 1);
    gain = std::max(gain, world.report().energy.gain);
    if (world.state().time > 8) highest = std::max(highest, dot(normal, Vec3::from(world.state().q.data())) - kRadius);
  }
  EXPECT_NEAR(highest, kHeight * std::cos(kAngle), 1e-3 * kHeight);
  const double t = world.state().time;
  const double along = dot(down, Vec3::from(world.state().q.data()) - start);
  const double expected = 0.5 * test::kGravity * std::sin(kAngle) * t * (t + (1 - 2 * GetParam().theta) * world.dt());
  EXPECT_NEAR(along, expected, 1e-7 * expected);
  EXPECT_LT(gain, 1e-7);
}

/// A box that tumbles from corner to corner without friction. Its gyroscopic moment changes with every impact, and must
/// not be taken for a force that speeds up the approach: that had gained a third of its energy in 20 s.
TEST_P(RestitutionTest, TumblingBoxGainsNothing) {
  ModelSpec spec = test::ground(0);
  test::add_box(spec, {.half = {0.1, 0.05, 0.03}, .mass = 1, .position = {0, 0, 1}});
  // The error of a solve is an error of energy, too: the tolerance is far below what is asked for.
  World world(
      Model(std::move(spec)),
      {.dt = GetParam().dt, .theta = GetParam().theta, .solve = {.tolerance = 1e-12}, .assembly = {.restitution = 1}});
  State state = world.state();
  state.v = {0.1, 0, 0, 2, 3, 1};
  world.set_state(state);
  double start = 0;
  int impacts = 0;
  while (world.state().time < 20) {
    test::run(world, 1);
    if (start == 0) start = world.report().energy.total();
    impacts += world.report().impacts;
    ASSERT_LT(world.report().energy.gain, 1e-8) << world.state().time;
  }
  EXPECT_GT(impacts, 30);
  EXPECT_GT(world.report().energy.total(), 0.9 * start);
}

TEST_P(RestitutionTest, ColumnComesToRest) {
  ModelSpec spec = test::ground(0.5);
  for (int i = 0; i < 3; ++i) {
    test::add_box(spec, {.name = "box" + std::to_string(i), .position = {0, 0, 0.05 + 0.15 * (i + 1)}, .mu = 0.5});
  }
  World world(Model(std::move(spec)),
              {.dt = GetParam().dt, .theta = GetParam().theta, .assembly = {.restitution = 0.5}});
  while (world.state().time < 5) {
    world.step();
    EXPECT_LT(world.report().energy.gain, 1e-3) << world.state().time;
  }
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(world.state().q[7 * i + 2], 0.05 + 0.1 * static_cast<double>(i), 1e-5) << i;
    EXPECT_LT(std::abs(world.state().v[6 * i + 2]), 1e-6) << i;
  }
}

}  // namespace
}  // namespace uzawa
