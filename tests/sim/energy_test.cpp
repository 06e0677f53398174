/// Constraints neither drift nor feed energy, over long runs and at every theta.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "sim/scenes.hpp"
#include "support/simple_models.hpp"

namespace uzawa {
namespace {

struct Held {
  const char* name;
  ModelSpec spec;
  std::vector<double> q, v;                   ///< empty: those of the spec
  std::function<double(const State&)> error;  ///< of position, m or rad
  double sagitta = 0;                         ///< bound of error between two exact positions, m: see below
  double swing = 0;                           ///< J, size of the energy that goes to and fro
};

Vec3 position(const State& state, std::size_t body) { return Vec3::from(&state.q[7 * body]); }
Quat orientation(const State& state, std::size_t body) { return Quat::from(&state.q[7 * body + 3]); }

/// A body that swings about a point at 0.5 m.
Held connect() {
  Held held{.name = "connect", .v = {0, 2, 0, 0, 0, 4}, .sagitta = 3e-5, .swing = 5};
  test::add_box(held.spec, {.position = {0.5, 0, 0}});
  held.spec.equalities.push_back({.name = "rope", .first = 1, .second = 0, .first_anchor = {-0.5, 0, 0}});
  held.error = [](const State& s) { return norm(position(s, 0) + rotate(orientation(s, 0), {-0.5, 0, 0})); };
  return held;
}

/// Two bodies that tumble as one.
Held weld() {
  Held held{.name = "weld", .sagitta = 1e-5, .swing = 0.5};
  held.spec.options.gravity = {};
  test::add_box(held.spec, {.name = "a"});
  test::add_box(held.spec, {.name = "b", .mass = 3, .position = {0.3, 0, 0}});
  held.spec.geoms.clear();
  held.spec.equalities.push_back(
      {.name = "weld", .type = EqualityType::Weld, .first = 1, .second = 2, .first_anchor = {0.3, 0, 0}});
  const Vec3 w{0.5, 2, 3}, b = cross(w, {0.3, 0, 0});
  held.v = {0, 0, 0, w.x(), w.y(), w.z(), b.x(), b.y(), b.z(), w.x(), w.y(), w.z()};
  held.error = [](const State& s) {
    const Vec3 gap = position(s, 0) + rotate(orientation(s, 0), {0.3, 0, 0}) - position(s, 1);
    return std::max(norm(gap), norm(rotation_between(orientation(s, 0), orientation(s, 1))));
  };
  return held;
}

/// A weight whose height is a parabola of where another block is.
Held coupling() {
  Held held{.name = "joint coupling", .q = {0.5, 0.5}, .sagitta = 4e-5, .swing = 1};
  test::add_finger(held.spec, "up", {0.1, 0.1, 0.1}, {0, 0, 0}, {0, 0, 1}, 0);
  test::add_finger(held.spec, "along", {0.1, 0.1, 0.1}, {0, 1, 0}, {1, 0, 0}, 0);
  held.spec.equalities.push_back(
      {.name = "c", .type = EqualityType::Joint, .first = 0, .second = 1, .polynomial = {0, 0, 2, 0, 0}});
  held.error = [](const State& s) { return std::abs(s.q[0] - 2 * s.q[1] * s.q[1]); };
  return held;
}

/// A weight on a string of 0.5 m: of constant length, or of that length at the most.
Held string(bool limit) {
  Held held{.name = limit ? "tendon limit" : "tendon coupling", .sagitta = 3e-5, .swing = 5};
  test::add_box(held.spec, {.position = {0.5, 0, 0}});
  held.spec.geoms.clear();
  held.spec.sites.push_back({.name = "hook", .body = 0});
  held.spec.sites.push_back({.name = "weight", .body = 1});
  TendonSpec tendon{.name = "string", .path = {{.site = 0}, {.site = 1}}};
  if (limit) {
    tendon.range = Range{0, 0.5};
  } else {
    held.spec.equalities.push_back({.name = "rod", .type = EqualityType::Tendon, .first = 0});
  }
  held.spec.tendons.push_back(tendon);
  held.error = [limit](const State& s) {
    const double stretch = norm(position(s, 0)) - 0.5;
    return limit ? stretch : std::abs(stretch);
  };
  return held;
}

class EnergyTest : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Theta, EnergyTest, testing::Values(0.0, 0.25, 0.5));

/// The constraint holds to the error of the linearisation at the middle of every step (ThetaRule); theta = 0 reports
/// just those positions, the others what is on the chord between two of them.
TEST_P(EnergyTest, EqualitiesKeepTheEnergy) {
  for (const Held& held : {connect(), weld(), coupling(), string(false), string(true)}) {
    World world(Model(held.spec), {.theta = GetParam()});
    State state = world.state();
    if (!held.q.empty()) state.q = held.q;
    if (!held.v.empty()) state.v = held.v;
    world.set_state(state);
    const double start = test::energy(world);
    // At theta < 1/2 the energy is that of a point (1/2 - theta) h away along the orbit: it sways, and must not drift.
    double error = 0, first = 0, last = 0;
    const int steps = 15000, part = 5000;
    for (int i = 0; i < steps; ++i) {
      test::run(world, 1);
      error = std::max(error, held.error(world.state()));
      const double gain = (test::energy(world) - start) / held.swing;
      EXPECT_LT(std::abs(gain), 0.01) << held.name << ", step " << i;
      if (i < part) first += gain / part;
      if (i >= steps - part) last += gain / part;
    }
    EXPECT_LT(error, GetParam() == 0 ? 2e-7 : held.sagitta) << held.name;
    EXPECT_NEAR(first, last, GetParam() == 0.5 ? 1e-5 : 5e-4) << held.name;
  }
}

TEST_P(EnergyTest, WhirlingTreesKeepTheirEnergy) {
  ModelSpec spec;
  test::add_triple_pendulum(spec, {});
  World world(Model(std::move(spec)), {.dt = 0.002, .theta = GetParam()});
  State state = world.state();
  state.v = {12, -10, 14};
  world.set_state(state);
  const double start = test::energy(world);
  for (int i = 0; i < 10000; ++i) {
    test::run(world, 1);
    // With velocity products at the start of the step it has grown to 20 to 70 times as much at the end.
    EXPECT_NEAR(test::energy(world), start, 0.03 * start) << "step " << i;
  }
}

TEST_P(EnergyTest, LimitsAndContactsOnlyTake) {
  ModelSpec pendulum = test::pendulum();
  pendulum.joints[0].range = Range{-1, 0.7};
  ModelSpec tumble = test::ground(0.5);
  test::add_box(tumble,
                {.half = {0.1, 0.05, 0.02}, .position = {0, 0, 0.5}, .orientation = exp_rotation({1, 0.4, 0.3})});
  for (const auto& [spec, v] : {std::pair{pendulum, std::vector<double>{3}}, {tumble, {1, 0, 0, 1, 10, 1}}}) {
    World world(Model(spec), {.theta = GetParam()});
    State state = world.state();
    state.v = v;
    world.set_state(state);
    // Sways of the rule itself: |1/2 - theta| h times the power of gravity.
    const double start = test::energy(world), sway = std::abs(0.5 - GetParam()) * world.dt() * 30 + 1e-4;
    double least = start;
    for (int i = 0; i < 5000; ++i) {
      test::run(world, 1);
      const double now = test::energy(world);
      EXPECT_LT(now, least + 2 * sway) << "step " << i;
      least = std::min(least, now);
    }
    EXPECT_LT(least, start - 1);  // it has hit something
  }
}

}  // namespace
}  // namespace uzawa
