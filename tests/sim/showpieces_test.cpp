/// Scenes that people know: spinning coin, rolling coin, Newton's cradle. Default settings.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/scenes.hpp"

namespace uzawa {
namespace {

using test::kGravity;

/// A thin coin with a free joint; its axis is z of its body.
constexpr double kCoinRadius = 0.05;
ModelSpec coin() {
  const double mass = 0.1, half = 1e-6;
  ModelSpec spec = test::ground(1);
  test::add_ball(spec, "coin", kCoinRadius, mass, {}, 1);
  spec.geoms.back().shape = ShapeType::Cylinder;
  spec.geoms.back().size = {kCoinRadius, half, 0};
  const double inertia = mass * kCoinRadius * kCoinRadius / 4;
  spec.bodies[1].principal_inertia = {inertia, inertia, 2 * inertia};
  return spec;
}

TEST(ShowpiecesTest, CoinSpinsOnItsEdge) {
  // About its vertical diameter, on one point without torsional friction: for ever, at the same rate.
  World world((Model(coin())));
  State state = world.state();
  exp_rotation({M_PI / 2, 0, 0}).store(&state.q[3]);
  state.q[2] = kCoinRadius;
  const double rate = 60;
  state.v[4] = rate;  // body y is vertical
  world.set_state(state);
  test::run(world, 2500);
  EXPECT_NEAR(world.state().v[4], rate, 1e-6 * rate);
  EXPECT_NEAR(world.state().q[2], kCoinRadius, 1e-6);
  EXPECT_LT(std::abs(rotate(Quat::from(&world.state().q[3]), {0, 0, 1}).z()),
            1e-4);  // upright, but for 2500 solves to 1e-8
}

/// Time of the first full turn of a coin that rolls on its edge with its centre at rest, tilted by `tilt`.
double turn_of_rolling_coin(double tilt, double rate, double dt) {
  World world(Model(coin()), {.dt = dt});
  State state = world.state();
  exp_rotation({tilt, 0, 0}).store(&state.q[3]);
  state.q[2] = kCoinRadius * std::sin(tilt);
  state.v[4] = rate * std::sin(tilt);  // along the diameter to the contact, which is at rest
  world.set_state(state);
  double turned = 0, before = 0;
  for (double last = -M_PI / 2;;) {
    test::run(world, 1);
    const Vec3 axis = rotate(Quat::from(&world.state().q[3]), {0, 0, 1});
    const double angle = std::atan2(axis.y(), axis.x());
    before = turned;
    turned += std::abs(std::remainder(angle - last, 2 * M_PI));
    last = angle;
    if (turned >= 2 * M_PI) return world.state().time - dt * (turned - 2 * M_PI) / (turned - before);
  }
}

TEST(ShowpiecesTest, CoinRollsAtTheRateOfEulersDisc) {
  // Steady rolling with the centre at rest precesses at W^2 = 4 g / (a sin(tilt)) (Moffatt, Nature 404, 2000). Rolling
  // without slipping on a rim is of first order in the step.
  const double tilt = 0.5, rate = std::sqrt(4 * kGravity / (kCoinRadius * std::sin(tilt)));
  const double exact = 2 * M_PI / rate;
  const double coarse = turn_of_rolling_coin(tilt, rate, 1e-4) / exact - 1;
  const double fine = turn_of_rolling_coin(tilt, rate, 2.5e-5) / exact - 1;
  EXPECT_LT(std::abs(coarse), 4e-3);
  EXPECT_LT(std::abs(fine), 1e-3);
  EXPECT_NEAR(fine / coarse, 0.25, 0.1);
}

/// Velocities of five equal balls in a row after the first `strikers` came in at 0.5 m/s.
std::vector<double> cradle(int strikers, double spacing) {
  ModelSpec spec;
  spec.options.gravity = {};
  const double radius = 0.02;
  for (int i = 0; i < 5; ++i) {
    const double x = i * (2 * radius + spacing) - (i < strikers ? 0.01 : 0);
    test::add_ball(spec, "ball" + std::to_string(i), radius, 0.1, {x, 0, 0});
  }
  World world(Model(std::move(spec)), {.assembly = {.restitution = 1}});
  State state = world.state();
  for (int i = 0; i < strikers; ++i) state.v[static_cast<std::size_t>(6 * i)] = 0.5;
  world.set_state(state);
  test::run(world, 100);
  std::vector<double> v;
  for (std::size_t i = 0; i < 5; ++i) v.push_back(world.state().v[6 * i]);
  return v;
}

TEST(ShowpiecesTest, NewtonsCradle) {
  // As many balls leave as came, the others rest. impacts.cpp says which law that is.
  for (const int strikers : {1, 2, 3}) {
    for (const double spacing : {0.0, 1e-5, 2e-3}) {
      const std::vector<double> v = cradle(strikers, spacing);
      for (int i = 0; i < 5; ++i) {
        EXPECT_NEAR(v[static_cast<std::size_t>(i)], i < 5 - strikers ? 0 : 0.5, 1e-7)
            << strikers << " in, spacing " << spacing << ", ball " << i;
      }
    }
  }
}

TEST(ShowpiecesTest, ImpactsKeepMomentumAndNeverGainEnergy) {
  for (const double restitution : {0.3, 0.7, 1.0}) {
    ModelSpec spec;
    spec.options.gravity = {};
    for (int i = 0; i < 5; ++i) {
      test::add_ball(spec, "ball" + std::to_string(i), 0.02, 0.1 * (1 + i % 3), {0.04 * i, 0.001 * (i % 2), 0}, 0.4);
    }
    World world(Model(std::move(spec)), {.assembly = {.restitution = restitution}});
    State state = world.state();
    state.v[0] = 3;
    state.v[24] = -2;
    state.v[28] = 50;
    world.set_state(state);
    const double start = test::energy(world);
    test::run(world, 200);
    Vec3 momentum;
    for (std::size_t i = 0; i < 5; ++i) {
      momentum += Vec3::from(&world.state().v[6 * i]) * (0.1 * (1.0 + static_cast<double>(i % 3)));
    }
    EXPECT_NEAR(momentum.x(), 0.1 * 3 - 0.2 * 2, 1e-7);
    EXPECT_LT(std::abs(momentum.y()) + std::abs(momentum.z()), 1e-7);
    EXPECT_LT(test::energy(world), start * (1 + 1e-9)) << restitution;
  }
}

}  // namespace
}  // namespace uzawa
