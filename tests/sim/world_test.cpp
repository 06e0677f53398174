/// What a World promises beside the motion: the same bits, no silent NaN, honest reports.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/scenes.hpp"
#include "uzawa/base/error.hpp"

namespace uzawa {
namespace {

/// Boxes and balls that fall into a heap; several islands at first.
ModelSpec heap() {
  ModelSpec spec = test::ground(0.4);
  for (int i = 0; i < 12; ++i) {
    const Vec3 position{0.13 * (i % 3), 0.11 * (i % 2), 0.08 + 0.12 * i};
    const std::string name = "body" + std::to_string(i);
    if (i % 3 == 0) {
      test::add_ball(spec, name, 0.05, 0.5, position, 0.6);
    } else {
      test::add_box(spec, {.name = name,
                           .half = {0.06, 0.05, 0.04},
                           .mass = 1.0 + i,
                           .position = position,
                           .orientation = exp_rotation({0.1 * i, 0.2, 0})});
    }
  }
  return spec;
}

/// Bit for bit: NaN aside, == on doubles but for the sign of zero.
void expect_same(const World& a, const World& b) {
  EXPECT_EQ(a.state(), b.state());
  EXPECT_EQ(a.result().lambda, b.result().lambda);
}

void step(World& world, int count) {
  for (int i = 0; i < count; ++i) ASSERT_NE(world.step().status, StepStatus::Failed);
}

TEST(WorldTest, RestoredWorldGoesOnBitForBit) {
  const Model model(heap());
  World world(model), other(model);
  for (const int before : {1, 120, 240}) {
    step(world, before);
    const World::Snapshot saved = world.save();
    step(world, 60);
    const State expected = world.state();
    other.restore(saved);  // a world with another past
    step(other, 60);
    EXPECT_EQ(other.state(), expected) << "after " << before;
    world.restore(saved);  // and the same one
    step(world, 60);
    EXPECT_EQ(world.state(), expected) << "after " << before;
  }
}

TEST(WorldTest, SameBitsForAnyNumberOfThreads) {
  for (const char* solver : {"auto", "subadmm"}) {
    const Model model(heap());
    World one(model, {.solver = solver, .solve = {.threads = 1}});
    step(one, 300);
    for (const int threads : {2, 8}) {
      World many(model, {.solver = solver, .solve = {.threads = threads}});
      step(many, 300);
      expect_same(one, many);
    }
  }
}

TEST(WorldTest, EverySolverKeepsABoxOnTheGround) {
  for (const Solver& solver : solvers()) {
    ModelSpec spec = test::ground(0.5);
    test::add_box(spec, {.position = {0, 0, 0.06}});
    World world(Model(std::move(spec)), {.solver = solver.name});
    step(world, 500);
    EXPECT_NEAR(world.state().q[2], 0.05, 2e-3) << solver.name;
  }
}

TEST(WorldTest, WarmStartSavesIterations) {
  long warm = 0, cold = 0;
  for (const bool use : {false, true}) {
    ModelSpec spec = test::ground(0.5);
    for (int i = 0; i < 10; ++i) {
      test::add_box(spec, {.name = "box" + std::to_string(i), .position = {0, 0, 0.05 + 0.1 * i}});
    }
    World world(Model(std::move(spec)), {.warm_start = use});
    for (int i = 0; i < 100; ++i) (use ? warm : cold) += world.step().inner_iterations;
  }
  EXPECT_LT(2 * warm, cold) << "warm " << warm << ", cold " << cold;
}

TEST(WorldTest, NotANumberIsRefusedByName) {
  ModelSpec spec = test::ground(0.5);
  test::add_box(spec, {.name = "crate", .position = {0, 0, 0.05}});
  test::add_finger(spec, "thumb", {0.01, 0.01, 0.01}, {1, 0, 1}, {1, 0, 0}, 0.5);
  World world((Model(std::move(spec))));
  const auto expect_culprit = [](const char* name, auto&& call) {
    try {
      call();
      ADD_FAILURE() << "no exception for " << name;
    } catch (const InputError& error) {
      EXPECT_NE(error.element().find(name), std::string::npos) << error.what();
    }
  };
  const State start = world.state();
  expect_culprit("thumb", [&] { world.step(std::vector<double>{NAN}); });
  expect_culprit("crate", [&] { world.step({}, std::vector<double>{0, 0, INFINITY, 0, 0, 0, 0}); });
  expect_culprit("control", [&] { world.step(std::vector<double>{1, 2}); });
  State bad = start;
  bad.q[2] = NAN;
  expect_culprit("crate", [&] { world.set_state(bad); });
  bad = start;
  bad.v[6] = NAN;
  expect_culprit("thumb", [&] { world.set_state(bad); });
  bad = start;
  bad.v.pop_back();
  expect_culprit("velocity", [&] { world.set_state(bad); });
  EXPECT_EQ(world.state(), start);
}

TEST(WorldTest, SettingsAreChecked) {
  const Model model(heap());
  EXPECT_THROW(World(model, {.dt = -1}), InputError);
  EXPECT_THROW(World(model, {.theta = 1}), InputError);
  EXPECT_THROW(World(model, {.solver = "magic"}), InputError);
  EXPECT_THROW(World(model, {.assembly = {.restitution = 2}}), InputError);
}

TEST(WorldTest, BudgetIsReported) {
  World world(Model(heap()), {.solve = {.tolerance = 1e-14}, .budget_us = 1});
  int capped = 0;
  for (int i = 0; i < 200; ++i) capped += world.step().status == StepStatus::Capped ? 1 : 0;
  EXPECT_GT(capped, 0);
}

TEST(WorldTest, ContradictionIsReported) {
  // One point of a body is to be in two places, 1 mm apart.
  ModelSpec spec = test::ground(0);
  test::add_box(spec, {.position = {0, 0, 0.05}});
  spec.equalities.push_back({.name = "here", .first = 1, .second = 0, .second_anchor = {0, 0, 0.05}});
  spec.equalities.push_back({.name = "there", .first = 1, .second = 0, .second_anchor = {0.001, 0, 0.05}});
  World world((Model(std::move(spec))));
  EXPECT_EQ(world.step().status, StepStatus::LeastViolation);
}

TEST(WorldTest, EmptyWorldPassesTime) {
  World world(Model(test::ground(1)));
  step(world, 10);
  EXPECT_NEAR(world.state().time, 0.02, 1e-12);
}

}  // namespace
}  // namespace uzawa
