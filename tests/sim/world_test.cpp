/// What a World promises beside the motion: the same bits, no silent NaN, honest reports.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "sim/scenes.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/problem/judge.hpp"

namespace uzawa {
namespace {

/// Boxes and balls that fall into a heap; several islands at first.
ModelSpec heap(double apart = 0.12) {
  ModelSpec spec = test::ground(0.4);
  for (int i = 0; i < 12; ++i) {
    const Vec3 position{0.13 * (i % 3), 0.11 * (i % 2), 0.08 + apart * i};
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
  ModelSpec spec = heap();
  test::add_triple_pendulum(spec, {0, 0, 2});  // expects to go on as it did, which is not part of its state
  const Model model(std::move(spec));
  World world(model), other(model);
  State whirling = world.state();
  std::fill_n(whirling.v.rbegin(), 3, 5.0);
  world.set_state(whirling);
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

/// Iterations of `steps` steps with and without warm starts.
struct Iterations {
  double warm = 0, cold = 0;
};
Iterations iterations(const ModelSpec& spec, const char* solver, int steps) {
  Iterations sum;
  for (const bool use : {false, true}) {
    World world(Model(spec), {.solver = solver, .warm_start = use});
    for (int i = 0; i < steps; ++i) {
      const StepReport& report = world.step();
      (use ? sum.warm : sum.cold) += report.inner_iterations + report.iterations;
    }
  }
  return sum;
}

TEST(WorldTest, WarmStartSavesIterations) {
  ModelSpec stack = test::ground(0.5);
  for (int i = 0; i < 10; ++i) {
    test::add_box(stack, {.name = "box" + std::to_string(i), .position = {0, 0, 0.05 + 0.1 * i}});
  }
  // Shares of the iterations that must be saved: by a stack that stands, by a heap with impacts, rolling and sliding.
  // SubADMM gains little or nothing (its penalties are found anew in every step), so little is promised.
  struct Expected {
    const char* solver;
    double standing;
    std::optional<double> falling;
  };
  for (const Expected& e : {Expected{"canal", 0.5, 0.2}, {"subadmm", 0, {}}, {"pgs", 0.45, 0.1}}) {
    const Iterations standing = iterations(stack, e.solver, 100);
    EXPECT_LT(standing.warm, (1 - e.standing) * standing.cold) << e.solver;
    if (!e.falling) continue;
    // Heaps go different ways by rounding errors: the mean of several says more than one.
    Iterations falling;
    for (const double apart : {0.11, 0.115, 0.12, 0.125, 0.13, 0.135}) {
      const Iterations one = iterations(heap(apart), e.solver, 300);
      falling.warm += one.warm;
      falling.cold += one.cold;
    }
    EXPECT_LT(falling.warm, (1 - *e.falling) * falling.cold) << e.solver;
  }
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

/// Of the whole step, or of the solver alone.
class WorldBudgetTest : public testing::TestWithParam<SimSettings> {};
INSTANTIATE_TEST_SUITE_P(OneMicrosecond, WorldBudgetTest,
                         testing::Values(SimSettings{.solve = {.tolerance = 1e-14}, .budget_us = 1},
                                         SimSettings{.solve = {.tolerance = 1e-14, .budget_us = 1}}));
TEST_P(WorldBudgetTest, GivesTheBestSoFar) {
  World world(Model(heap()), GetParam());
  int capped = 0;
  PreparedProblem prepared;
  Judge judge;
  for (int i = 0; i < 200; ++i) {
    const StepReport& report = world.step();
    ASSERT_NE(report.status, StepStatus::Failed);
    if (report.status != StepStatus::Capped) continue;
    ++capped;
    // The report is about the impulses that were taken, and those are no worse than none.
    prepared.prepare(world.problem());
    const std::vector<double> none(world.result().lambda.size(), 0.0);
    const double without = judge.evaluate(prepared, none).residual;
    EXPECT_DOUBLE_EQ(report.residual, judge.evaluate(prepared, world.result().lambda).residual);
    EXPECT_LE(report.residual, without);
  }
  EXPECT_GT(capped, 50);
}

TEST(WorldTest, BudgetThatIsNotUsedUpChangesNothing) {
  World world(Model(heap()), {.solve = {.budget_us = 1e9}, .budget_us = 1e9}), free_world((Model(heap())));
  step(world, 100);
  step(free_world, 100);
  expect_same(world, free_world);
}

/// A box of 0.1 m at the origin overlaps with either of them by 1 mm.
void add_narrow_walls(ModelSpec& spec) {
  for (const double side : {-1.0, 1.0}) {
    GeomSpec wall;
    wall.name = side < 0 ? "left" : "right";
    wall.shape = ShapeType::Box;
    wall.size = {0.05, 0.2, 0.2};
    wall.position = {0.099 * side, 0, 0.1};
    spec.geoms.push_back(wall);
  }
}

TEST(WorldTest, BoxBetweenWallsThatAreTooNarrowStaysWhereItIs) {
  // 1 mm of penetration on either side: errors that contradict each other.
  ModelSpec spec = test::ground(0.5);
  test::add_box(spec, {.position = {0, 0, 0.05}});
  add_narrow_walls(spec);
  World world((Model(std::move(spec))));
  for (int i = 0; i < 1000; ++i) {
    const StepReport& report = world.step();
    EXPECT_EQ(report.status, StepStatus::Solved) << i;
    EXPECT_NEAR(report.penetration, 1e-3, 1e-4) << i;
    EXPECT_NEAR(report.remainder, 1e-3, 1e-4) << i;
  }
  EXPECT_NEAR(world.state().q[0], 0, 1e-6);
  for (const double v : world.state().v) EXPECT_LT(std::abs(v), 1e-6);
}

TEST(WorldTest, ContradictionOfSomeLeavesOthersAlone) {
  // Between the walls no move helps; beside them, another box is moved out of the ground.
  ModelSpec spec = test::ground(0.5);
  test::add_box(spec, {.position = {0, 0, 0.05}});
  test::add_box(spec, {.name = "other", .position = {1, 0, 0.049}});
  add_narrow_walls(spec);
  World world((Model(std::move(spec))));
  for (int i = 0; i < 100; ++i) EXPECT_EQ(world.step().status, StepStatus::Solved) << i;
  EXPECT_NEAR(world.state().q[9], 0.05, 1e-6);
}

TEST(WorldTest, StepWithoutFiniteVelocitiesFailsAndLeavesTheState) {
  ModelSpec spec = test::ground(0.5);
  test::add_box(spec, {.mass = 1e-4, .position = {0, 0, 0.05}});
  World world((Model(std::move(spec))));
  step(world, 10);
  const State before = world.state();
  const std::vector<double> force = {1e308, 0, 0, 0, 0, 0};  // finite, but its impulse on 0.1 g is not
  EXPECT_EQ(world.step({}, force).status, StepStatus::Failed);
  EXPECT_EQ(world.state(), before);
  EXPECT_EQ(world.step().status, StepStatus::Solved);  // and goes on
}

TEST(WorldTest, ContradictionIsReported) {
  // One point of a body is to be in two places, 1 mm apart: half of it is left at either, at rest, and the report says
  // so.
  ModelSpec spec = test::ground(0);
  test::add_box(spec, {.position = {0, 0, 0.05}});
  spec.equalities.push_back({.name = "here", .first = 1, .second = 0, .second_anchor = {0, 0, 0.05}});
  spec.equalities.push_back({.name = "there", .first = 1, .second = 0, .second_anchor = {0.001, 0, 0.05}});
  World world((Model(std::move(spec))));
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(world.step().status, StepStatus::Solved);
    EXPECT_NEAR(world.report().remainder, 5e-4, 1e-8);
  }
  EXPECT_NEAR(world.state().q[0], 5e-4, 1e-8);
  EXPECT_NEAR(world.state().v[0], 0, 1e-9);
}

TEST(WorldTest, EmptyWorldPassesTime) {
  World world(Model(test::ground(1)));
  step(world, 10);
  EXPECT_NEAR(world.state().time, 0.02, 1e-12);
}

}  // namespace
}  // namespace uzawa
