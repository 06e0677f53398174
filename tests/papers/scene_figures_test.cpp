/// Whole runs of scenes: what is counted, and PGS on a ladder of sweeps.
#include "uzawa/papers/scene_figures.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "uzawa/papers/scene_study.hpp"

namespace uzawa::papers {
namespace {

TEST(SceneFiguresTest, ARunIsFollowed) {
  scenarios::SceneRun scene = start_scene("franka-box", {}, {"CANAL", "canal"});
  const SceneFigures figures = follow(scene, 40);
  EXPECT_EQ(figures.residual.size(), 40U);
  EXPECT_EQ(figures.unsolved, 0);
  EXPECT_LE(figures.worst_residual(), 1e-8);
  EXPECT_EQ(figures.most_contacts, 4);
  EXPECT_NEAR(figures.time.back(), 40.0 / 240, 1e-12);
  EXPECT_GT(figures.cost.solve, 0);
  EXPECT_GE(figures.cost.total(), figures.cost.solve);
  EXPECT_GE(figures.worst_solve, figures.cost.solve) << "the worst of a step is not below the mean";
}

TEST(SceneFiguresTest, WhatIsNotSolvedIsCounted) {
  scenarios::SceneRun scene = start_scene("franka-box", {}, {"PGS", "pgs", {.max_iterations = 1}});
  const SceneFigures figures = follow(scene, 40);
  EXPECT_GT(figures.unsolved, 0);
  EXPECT_EQ(figures.capped, figures.unsolved) << "by the number of iterations";
  EXPECT_GT(figures.worst_residual(), 1e-8);
}

TEST(SceneFiguresTest, SweepsFillCanalsTime) {
  EXPECT_NEAR((SolveCosts{.canal = 30, .setup = 10, .sweep = 2}.sweeps()), 10, 1e-12);
  EXPECT_EQ((SolveCosts{.canal = 5, .setup = 10, .sweep = 2}.sweeps()), 1) << "one at the least";
  EXPECT_EQ(SolveCosts{}.sweeps(), 1) << "nothing was measured";
  scenarios::SceneRun scene = start_scene("franka-box", {}, {"CANAL", "canal"});
  std::vector<Case> cases;
  follow(scene, 40, {}, &cases, 8);
  EXPECT_EQ(cases.size(), 8U);
  const SolveCosts costs = solve_costs(cases, {});
  EXPECT_GT(costs.canal, 0);
  EXPECT_GT(costs.sweep, 0);
}

/// The ladder ends where every step is solved, and its rungs are the same runs every time.
TEST(SceneStudyTest, TheLadderIsReproducible) {
  const auto scenes = paper_scenes();
  const auto handle =
      std::find_if(scenes.begin(), scenes.end(), [](const PaperScene& s) { return s.label() == "door-handle"; });
  ASSERT_NE(handle, scenes.end());
  const SceneStudy once = study(*handle, {}), again = study(*handle, {});
  ASSERT_EQ(once.ladder.size(), again.ladder.size());
  for (std::size_t i = 0; i < once.ladder.size(); ++i) {
    EXPECT_EQ(once.ladder[i].figures.residual, again.ladder[i].figures.residual);
    EXPECT_EQ(once.ladder[i].figures.unsolved == 0, i + 1 == once.ladder.size());
  }
  EXPECT_LT(once.nearest, once.ladder.size());
}

}  // namespace
}  // namespace uzawa::papers
