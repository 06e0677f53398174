/// Contact forces at rest are those of the load, whatever has happened before: of all that the laws allow the least.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/scenes.hpp"
#include "uzawa/base/at.hpp"

namespace uzawa {
namespace {

/// Normal forces of the contacts of geom `name`, N.
double force_on(const World& world, std::string_view name) {
  double sum = 0;
  const Problem& problem = world.problem();
  for (const Contact& contact : world.contacts()) {
    const auto& geoms = world.model().spec().geoms;
    if (geoms[at(contact.geom1)].name != name && geoms[at(contact.geom2)].name != name) continue;
    for (int i = 0; i < problem.contacts.size(); ++i) {
      const std::size_t c = at(problem.contacts.constraint[at(i)]);
      if (world.keys()[c] == contact.key)
        sum += world.result().lambda[at(problem.contacts.row[at(i)] + 2)] / world.dt();
    }
  }
  return sum;
}

/// Forces of all contacts, N, in the order of their places: keys of corners on edges change by rounding errors.
std::vector<double> forces(const World& world) {
  std::vector<std::pair<std::array<long, 3>, std::array<double, 3>>> found;
  const Problem& problem = world.problem();
  for (const Contact& contact : world.contacts()) {
    for (int i = 0; i < problem.contacts.size(); ++i) {
      if (world.keys()[at(problem.contacts.constraint[at(i)])] != contact.key) continue;
      std::array<long, 3> place{};
      for (int k = 0; k < 3; ++k) place[at(k)] = std::lround(1e4 * contact.position[2 - k]);
      const double* impulse = &world.result().lambda[at(problem.contacts.row[at(i)])];
      found.push_back({place, {impulse[0], impulse[1], impulse[2]}});
    }
  }
  std::sort(found.begin(), found.end());
  std::vector<double> out;
  for (const auto& [place, impulse] : found) {
    for (const double part : impulse) out.push_back(part / world.dt());
  }
  return out;
}

/// Steps until the world is at rest, and a hundred more: the number of their Newton steps.
int settle(World& world, int count) {
  test::run(world, count);
  int newton = 0;
  for (int i = 0; i < 100; ++i) {
    test::run(world, 1);
    newton += static_cast<int>(world.result().stats.work);
  }
  return newton;
}

constexpr double kRadius = 0.05;
constexpr int kBalls = 20;

/// A column of balls of 1 kg in a square tube that fits; `apart`: m, between them at the start.
ModelSpec tube(double apart) {
  ModelSpec spec = test::ground(0.5);
  spec.geoms[0].name = "floor";
  const double height = kBalls * (2 * kRadius + apart);
  for (const double side : {-1.0, 1.0}) {
    scenarios::add_wall(
        spec,
        {.name = "wall", .half = {0.01, kRadius, height}, .position = {side * (kRadius + 0.01), 0, height}, .mu = 0.5});
    scenarios::add_wall(
        spec,
        {.name = "wall", .half = {kRadius, 0.01, height}, .position = {0, side * (kRadius + 0.01), height}, .mu = 0.5});
  }
  for (int i = 0; i < kBalls; ++i)
    test::add_ball(spec, "ball" + std::to_string(i), kRadius, 1, {0, 0, kRadius + apart + i * (2 * kRadius + apart)},
                   0.5);
  return spec;
}

TEST(ForcesTest, ColumnInATubeWeighsWhatItWeighs) {
  constexpr double kWeight = kBalls * 9.81;
  for (const double speed : {0.0, 1.0, 3.0}) {
    World world(Model(tube(2e-3)), {.dt = 2e-3});
    State state = world.state();
    for (int i = 0; i < kBalls; ++i) state.v[at(6 * i + 2)] = -speed;
    world.set_state(state);
    const int newton = settle(world, 300);
    EXPECT_NEAR(force_on(world, "floor"), kWeight, 1e-6 * kWeight) << speed;
    EXPECT_LE(newton, 50) << speed;
  }
}

ModelSpec table(double height) {
  ModelSpec spec = test::ground(0.5);
  const int body =
      test::add_box(spec, {.name = "plate", .half = {0.3, 0.3, 0.02}, .mass = 4, .position = {0, 0, 0.4 + height}});
  for (int i = 0; i < 4; ++i) {
    const double x = i % 2 == 0 ? -0.25 : 0.25, y = i < 2 ? -0.25 : 0.25;
    spec.geoms.push_back({.name = "leg" + std::to_string(i),
                          .body = body,
                          .shape = ShapeType::Sphere,
                          .size = {0.02, 0, 0},
                          .position = {x, y, -0.38}});
    spec.geoms.back().friction[0] = 0.5;
  }
  return spec;
}

/// By symmetry a quarter each; after a fall on one leg, and after a push at one corner that is over.
TEST(ForcesTest, LegsOfATableShareItsWeight) {
  constexpr double kLeg = 9.81;
  for (const int history : {0, 1, 2, 3}) {
    World world(Model(table(history == 1 ? 0.05 : 0)), {.dt = 2e-3});
    if (history == 2) {
      for (int i = 0; i < 100; ++i) world.step({}, std::array{0.0, 0.0, -60.0, -10.0, 10.0, 0.0});
    }
    if (history == 3) {
      for (int i = 0; i < 100; ++i) world.step({}, std::array{15.0, 0.0, 0.0, 0.0, 0.0, 0.5});
    }
    const int newton = settle(world, 300);
    for (int i = 0; i < 4; ++i) {
      EXPECT_NEAR(force_on(world, "leg" + std::to_string(i)), kLeg, 1e-6 * kLeg) << history << ' ' << i;
    }
    EXPECT_LE(newton, 5) << history;
  }
}

/// A stack that was only put down, and one that was pressed before: the same boxes at the same places.
TEST(ForcesTest, HistoriesOfAStackAreForgotten) {
  std::vector<double> first;
  for (const bool pressed : {false, true}) {
    ModelSpec spec = test::ground(0.8);
    for (int i = 0; i < 4; ++i)
      test::add_box(spec, {.name = "box" + std::to_string(i),
                           .half = {0.1, 0.1, 0.05},
                           .mass = 1.0 + i,
                           .position = {0.01 * i, 0.004 * i, 0.05 + 0.1 * i},
                           .mu = 0.8});
    World world(Model(std::move(spec)), {.dt = 2e-3});
    std::vector<double> push(24, 0.0);
    for (int i = 0; pressed && i < 100; ++i) {
      push[20] = -300;
      world.step({}, push);
    }
    const int newton = settle(world, 300);
    EXPECT_LE(newton, 20);
    const std::vector<double> found = forces(world);
    if (first.empty()) first = found;
    ASSERT_EQ(found.size(), first.size());
    double worst = 0;
    for (std::size_t k = 0; k < found.size(); ++k) worst = std::max(worst, std::abs(found[k] - first[k]));
    EXPECT_LT(worst, 1e-6 * 9.81 * 10);
  }
}

/// Bricks that are hit and settle change their loads in every step: forces that mean something at rest cost nothing
/// there.
TEST(ForcesTest, LeastImpulsesCostNothingInMotion) {
  double work[2] = {};
  for (const bool least : {false, true}) {
    ModelSpec spec = test::ground(0.6);
    constexpr int kSide = 4;
    for (int i = 0; i < kSide * kSide; ++i) {
      const int row = i / kSide;
      test::add_box(spec, {.name = "brick" + std::to_string(i),
                           .half = {0.05, 0.1, 0.04},
                           .mass = 1.6,
                           .position = {0, 0.2 * (i % kSide + 0.5 * (row % 2)), 0.04 * (2 * row + 1)},
                           .mu = 0.6});
    }
    test::add_ball(spec, "ball", 0.1, 8, {-0.2, 0.1 * kSide, 0.04 * kSide}, 0.6);
    SimSettings settings{.dt = 2e-3};
    settings.solve.tolerance = 1e-6;
    settings.solve.canal.least_impulses = least;
    World world(Model(std::move(spec)), settings);
    State state = world.state();
    state.v[state.v.size() - 6] = 10;
    world.set_state(state);
    for (int i = 0; i < 300; ++i) {
      test::run(world, 1);
      work[least ? 1 : 0] += world.result().stats.work;
    }
  }
  EXPECT_LT(work[1], 1.15 * work[0]);
}

}  // namespace
}  // namespace uzawa
