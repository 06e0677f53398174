/// What soft bodies and rods keep, whatever happens to them.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/soft_scenes.hpp"
#include "uzawa/base/at.hpp"
#include "uzawa/dynamics/newton_euler.hpp"

namespace uzawa {
namespace {

using test::momentum_of;

/// Two cubes, one of which is about to hit the other off its centre.
ModelSpec two_cubes(double timestep, double mu) {
  ModelSpec spec = test::empty_space(timestep);
  SoftBodyOptions options = test::jelly("a", {});
  options.friction = {mu, 0, 0};
  add_soft_body(spec, box_mesh({0.1, 0.1, 0.1}, {2, 2, 2}), options);
  options.name = "b";
  options.position = {0.112, 0.03, 0.02};
  add_soft_body(spec, box_mesh({0.1, 0.1, 0.1}, {2, 2, 2}), options);
  return spec;
}

ModelSpec rod(double timestep, int links, double length, double damping = 0) {
  ModelSpec spec = test::empty_space(timestep);
  RodOptions options;
  options.damping = damping;
  add_rod(spec, test::line({-length / 2, 0, 0}, {length / 2, 0, 0}, links), options);
  return spec;
}

/// Velocities without symmetry: translation, rotation and stretch.
void stir(World& world, double speed) {
  State state = world.state();
  for (std::size_t d = 0; d < state.v.size(); ++d)
    state.v[d] = speed * std::sin(1.7 * static_cast<double>(d * d) + 0.4);
  world.set_state(state);
}

double largest_momentum(const World& world) {
  double sum = 0;  // kg m/s, of the parts: what the sum's rounding is relative to
  const DynamicsData data = test::data_of(world);
  for (std::size_t i = 0; i < data.velocity.size(); ++i) {
    sum += norm((data.tree.inertia[i] * data.velocity[i]).force);
  }
  return sum;
}

/// Rounding of one step is a few eps of the largest impulse inside the body, and steps add up as a random walk at
/// worst linearly: 1e-16 a step and part. The impulses of elastic forces are up to h K x / (m v) = 1e2 times the
/// momentum of a node.
TEST(SoftInvariantsTest, LinearMomentumOfAFlyingCubeIsKeptToRounding) {
  ModelSpec spec = test::empty_space(2e-3);
  add_soft_body(spec, box_mesh({0.1, 0.1, 0.1}, {2, 2, 2}), test::jelly("a", {}));
  for (const double theta : {0.0, 0.5}) {
    World world(Model(spec), {.theta = theta});
    stir(world, 0.1);
    const Vec3 before = momentum_of(world).linear;
    const double scale = largest_momentum(world);
    test::run(world, 1000);
    const double error = norm(momentum_of(world).linear - before) / scale;
    EXPECT_LT(error, 1e-12);
  }
}

TEST(SoftInvariantsTest, LinearMomentumOfAFlyingRodIsKeptToRounding) {
  for (const double theta : {0.0, 0.5}) {
    World world(Model(rod(2e-3, 10, 0.4)), {.theta = theta});
    stir(world, 0.1);
    const Vec3 before = momentum_of(world).linear;
    const double scale = largest_momentum(world);
    test::run(world, 1000);
    const double error = norm(momentum_of(world).linear - before) / scale;
    EXPECT_LT(error, 1e-12);
  }
}

TEST(SoftInvariantsTest, CollidingCubesExchangeMomentum) {
  World world(Model(two_cubes(2e-3, 0.5)));
  State state = world.state();
  for (std::size_t d = 0; d < state.v.size() / 2; d += 3) state.v[d] = 0.5;
  world.set_state(state);
  const Momentum before = momentum_of(world);
  int contacts = 0;
  for (int i = 0; i < 200; ++i) {
    test::run(world, 1);
    contacts = std::max(contacts, world.report().contacts);
  }
  EXPECT_GT(contacts, 3);
  const Momentum after = momentum_of(world);
  // Relative to the momentum at a cube's width from the origin: contacts act at one point, elements turn.
  EXPECT_LT(norm(after.angular - before.angular), 0.01 * 0.1 * norm(before.linear));
  EXPECT_LT(norm(after.linear - before.linear), 1e-12 * norm(before.linear));
  // All of it was in the first cube.
  double second = 0;
  for (std::size_t d = state.v.size() / 2; d < state.v.size(); d += 3) second += world.state().v[d];
  EXPECT_GT(second, 0.1);
}

/// The midpoint rule with forces linearised once a step turns with the body to second order. Measured over 0.5 s with
/// nodes at 0.3 m/s at random: 7e-4 (cube) and 2e-3 (rod) at 2 ms, 7e-5 and 1e-4 at 0.5 ms.
TEST(SoftInvariantsTest, AngularMomentumDriftsWithTheSquareOfTheStep) {
  const auto drift = [](const ModelSpec& spec, double h) {
    World world(Model(spec), {.dt = h, .theta = 0.5});
    stir(world, 0.3);
    const Momentum before = momentum_of(world);
    test::run(world, static_cast<int>(std::lround(0.5 / h)));
    return norm(momentum_of(world).angular - before.angular) / norm(before.angular);
  };
  ModelSpec cube = test::empty_space(2e-3);
  add_soft_body(cube, box_mesh({0.1, 0.1, 0.1}, {2, 2, 2}), test::jelly("a", {}));
  ModelSpec bar = rod(2e-3, 10, 0.4);
  for (const ModelSpec* spec : {&cube, &bar}) {
    const double coarse = drift(*spec, 2e-3), fine = drift(*spec, 5e-4);
    EXPECT_LT(coarse, 3e-3);
    EXPECT_LT(fine, 0.2 * coarse);  // second order: a sixteenth
  }
}

/// Largest and smallest energy over many steps, over that of the start.
struct EnergyRange {
  double lowest = 1, highest = 1;
};
EnergyRange energy_range(const ModelSpec& spec, double speed, int steps) {
  World world(Model(spec), {.theta = 0.5});
  stir(world, speed);
  const double start = test::total_energy(world);
  EnergyRange range;
  for (int i = 0; i < steps; ++i) {
    world.step();
    if (i % 97 != 0) continue;
    const double energy = test::total_energy(world) / start;
    range.lowest = std::min(range.lowest, energy);
    range.highest = std::max(range.highest, energy);
  }
  EXPECT_EQ(world.report().status, StepStatus::Solved);
  return range;
}

TEST(SoftInvariantsTest, EnergyOfAFlyingCubeIsBoundedOver100000Steps) {
  ModelSpec spec = test::empty_space(5e-4);
  add_soft_body(spec, box_mesh({0.1, 0.1, 0.1}, {1, 1, 1}), test::jelly("a", {}));
  const EnergyRange range = energy_range(spec, 0.1, 100000);
  EXPECT_GT(range.lowest, 0.9999);
  EXPECT_LT(range.highest, 1.0001);
}

TEST(SoftInvariantsTest, EnergyOfAFlyingRodIsBoundedOver100000Steps) {
  const EnergyRange range = energy_range(rod(5e-4, 6, 0.4), 0.1, 100000);
  EXPECT_GT(range.lowest, 0.99);
  EXPECT_LT(range.highest, 1.01);
}

/// Jelly and a rope that fall on a ground with friction.
ModelSpec heap() {
  ModelSpec spec = test::ground(0.5);
  add_soft_body(spec, box_mesh({0.1, 0.1, 0.1}, {3, 3, 3}), test::jelly("a", {0, 0, 0.052}, 1e-3));
  add_soft_body(spec, box_mesh({0.06, 0.06, 0.06}, {2, 2, 2}), test::jelly("b", {0.02, 0.01, 0.14}, 1e-3));
  RodOptions options;
  options.friction = test::kSmooth;
  options.damping = 1e-3;
  add_rod(spec, test::line({-0.15, 0.02, 0.2}, {0.25, 0.03, 0.19}, 12), options);
  return spec;
}

TEST(SoftInvariantsTest, ThreadsDoNotChangeABit) {
  std::vector<State> ends;
  for (const int threads : {1, 2, 8}) {
    World world(Model(heap()), {.solve = {.threads = threads}});
    for (int i = 0; i < 150; ++i) world.step();
    EXPECT_GT(world.report().contacts, 10);
    ends.push_back(world.state());
  }
  EXPECT_EQ(ends[0], ends[1]);
  EXPECT_EQ(ends[0], ends[2]);
}

TEST(SoftInvariantsTest, ARestoredWorldContinuesWithTheSameBits) {
  for (const double theta : {0.0, 0.5}) {
    World world(Model(heap()), {.theta = theta});
    for (int i = 0; i < 100; ++i) world.step();
    EXPECT_GT(world.report().contacts, 10);
    const World::Snapshot middle = world.save();
    for (int i = 0; i < 50; ++i) world.step();
    World other(world.shared_model(), world.settings());
    other.restore(middle);
    for (int i = 0; i < 50; ++i) other.step();
    EXPECT_EQ(other.state(), world.state());
    world.restore(middle);
    for (int i = 0; i < 50; ++i) world.step();
    EXPECT_EQ(other.state(), world.state());
  }
}

/// A body without factors, which falls and rests: memory of the iterations (where the next one starts from) is part of
/// no result but through what is saved.
TEST(SoftInvariantsTest, IterationsAreTheSameBitsOverThreadsAndAfterARestore) {
  std::vector<State> ends;
  std::shared_ptr<const SharedModel> shared;
  World::Snapshot middle;
  constexpr int kSteps = 8;
  for (const int threads : {1, 2, 8}) {
    World world(Model(test::large_jelly()), {.solve = {.threads = threads}});
    for (int i = 0; i < kSteps; ++i) world.step();
    if (threads == 1) middle = world.save(), shared = world.shared_model();
    for (int i = 0; i < kSteps; ++i) world.step();
    EXPECT_EQ(world.report().status, StepStatus::Solved);
    EXPECT_GT(world.report().contacts, 100);
    EXPECT_TRUE(test::iterates(world));
    ends.push_back(world.state());
  }
  EXPECT_EQ(ends[0], ends[1]);
  EXPECT_EQ(ends[0], ends[2]);
  World other(shared, {.solve = {.threads = 1}});
  other.restore(middle);
  for (int i = 0; i < kSteps; ++i) other.step();
  EXPECT_EQ(other.state(), ends[0]);
}

}  // namespace
}  // namespace uzawa
