/// Whole runs of scenes: what is counted, and how time becomes sweeps.
#include "uzawa/papers/scene_figures.hpp"

#include <gtest/gtest.h>

namespace uzawa::papers {
namespace {

TEST(SceneFiguresTest, SweepsFillTheTime) {
  const SweepCost cost{.setup = 10, .sweep = 2};
  EXPECT_EQ(cost.sweeps_in(30), 10);
  EXPECT_EQ(cost.sweeps_in(5), 1) << "one at the least";
  EXPECT_EQ(SweepCost{}.sweeps_in(1), 1) << "nothing was measured";
}

TEST(SceneFiguresTest, ARunIsFollowed) {
  scenarios::SceneRun scene = start_scene("franka-box", {}, {"CANAL", "canal"});
  std::vector<Case> cases;
  const SceneFigures figures = follow(scene, 40, &cases, 8);
  EXPECT_EQ(cases.size(), 8U);
  EXPECT_EQ(figures.residual.size(), 40U);
  EXPECT_EQ(figures.unsolved, 0);
  EXPECT_LE(figures.worst_residual(), 1e-8);
  EXPECT_EQ(figures.most_contacts, 4);
  EXPECT_NEAR(figures.time.back(), 40.0 / 240, 1e-12);
  EXPECT_GT(figures.cost.solve, 0);
  EXPECT_GE(figures.cost.total(), figures.cost.solve);
  EXPECT_GE(sweep_cost(cases).sweeps_in(1e-3), 1);
}

TEST(SceneFiguresTest, WhatIsNotSolvedIsCounted) {
  scenarios::SceneRun scene = start_scene("franka-box", {}, {"PGS", "pgs", {.max_iterations = 1}});
  const SceneFigures figures = follow(scene, 40);
  EXPECT_GT(figures.unsolved, 0);
  EXPECT_GT(figures.worst_residual(), 1e-8);
}

}  // namespace
}  // namespace uzawa::papers
