/// The motion does not depend on the method, and problems with soft blocks are files as others.
#include <gtest/gtest.h>

#include <cmath>

#include "io/temp_folder.hpp"
#include "sim/soft_scenes.hpp"
#include "uzawa/problem_io/problem_file.hpp"

namespace uzawa {
namespace {

ModelSpec cube_on_ground() {
  ModelSpec spec = test::ground(0.5);
  add_soft_body(spec, box_mesh({0.1, 0.1, 0.1}, {2, 2, 2}), test::jelly("cube", {0, 0, 0.051}, 1e-3));
  return spec;
}

ModelSpec rope_on_ground() {
  ModelSpec spec = test::ground(0.5);
  RodOptions options;
  options.friction = test::kSmooth;
  options.damping = 1e-3;
  add_rod(spec, test::line({-0.1, 0, 0.006}, {0.1, 0.01, 0.02}, 8), options);
  return spec;
}

/// Pushed sideways, so that it sticks, slips and rocks.
State end_of_push(const ModelSpec& spec, const char* solver) {
  World world(Model(spec), {.solver = solver, .solve = {.tolerance = 1e-11}});
  State state = world.state();
  for (std::size_t d = 0; d < state.v.size(); d += spec.rods.empty() ? 3 : 6) state.v[d] = 0.3;
  world.set_state(state);
  int contacts = 0;
  for (int i = 0; i < 60; ++i) {
    test::run(world, 1);
    contacts = std::max(contacts, world.report().contacts);
  }
  EXPECT_GE(contacts, 4);
  return world.state();
}

double largest_difference(const State& a, const State& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.q.size(); ++i) largest = std::max(largest, std::abs(a.q[i] - b.q[i]));
  return largest;
}

TEST(SoftSolversTest, EveryMethodGivesTheSameMotion) {
  for (const ModelSpec& spec : {cube_on_ground(), rope_on_ground()}) {
    const State canal = end_of_push(spec, "canal");
    for (const char* solver : {"auto", "subadmm", "pgs"}) {
      const double difference = largest_difference(canal, end_of_push(spec, solver));
      // A residual of 1e-11 m/s a step over 60 steps of 2 ms, times what contacts amplify.
      EXPECT_LT(difference, 1e-8) << solver;
    }
  }
}

/// COND gets the whole problem, and starts from the velocities of the last step.
TEST(SoftSolversTest, CondGivesTheSameMotion) {
  const State canal = end_of_push(cube_on_ground(), "canal");
  EXPECT_LT(largest_difference(canal, end_of_push(cube_on_ground(), "cond")), 1e-8);
}

TEST(SoftSolversTest, ProblemFilesKeepBlocksOfNodes) {
  const test::TempFolder folder;
  for (const ModelSpec& spec : {cube_on_ground(), rope_on_ground()}) {
    World world{Model(spec)};
    test::run(world, 30);
    ASSERT_GE(world.report().contacts, 2);
    ASSERT_EQ(world.problem().nodal.size(), 1U);
    write_problem(world.problem(), folder.path() / "soft.json");
    const Problem read = read_problem(folder.path() / "soft.json");
    ASSERT_EQ(read.nodal.size(), 1U);
    EXPECT_EQ(read.nodal[0].value, world.problem().nodal[0].value);
    EXPECT_EQ(read.b, world.problem().b);
    for (const char* solver : {"canal", "pgs"}) {
      Workspace first, second;
      Settings settings;
      settings.tolerance = 1e-10;
      Result a, b;
      find_solver(solver).solve(world.problem(), settings, first, a);
      find_solver(solver).solve(read, settings, second, b);
      EXPECT_EQ(a.v, b.v) << solver;
      EXPECT_EQ(a.lambda, b.lambda) << solver;
      EXPECT_EQ(a.status, SolveStatus::Converged);
    }
  }
}

}  // namespace
}  // namespace uzawa
