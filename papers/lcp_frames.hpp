#pragma once

#include <string>
#include <vector>

#include "uzawa/papers/bench.hpp"
#include "uzawa/papers/contender.hpp"

/// What the tables of [LCP] count: frames of a scene, and how pivoting ended in each.
namespace uzawa::papers {

struct LcpFrames {
  int frames = 0, solved = 0;                            ///< with contacts
  int no_solution = 0, cycle = 0, error = 0, other = 0;  ///< how the others ended; other: limits
  double contacts = 0, active = 0;                       ///< mean number; active: with an impulse
  long pivots = 0;
  double basic = 0;   ///< mean number of basic z of a solution: the least pivots that lead there from no basis at all
  double lcp_ms = 0;  ///< mean CPU time of pivoting alone; of a warm start with the choice of its basis
  double solve_ms = 0, step_ms = 0;  ///< mean wall time of a frame
  bool fell = false;                 ///< the state is no longer finite, or a step has failed
  plot::Series curve;                ///< pivots over time

  int failures() const { return frames - solved; }
};

/// How a scene is run.
struct LcpRun {
  const char* scene;
  std::vector<std::string> changes;
  int steps = 0;
  double dt = 0;  ///< s; 0: the scene's
  SmoothRule smooth = SmoothRule::Theta;
  bool warm_start = false;  ///< false: as the paper does
};
LcpFrames count_frames(const LcpRun& run, const Contender& contender, const Options& options);

/// lcp, lcp-search and the baselines as contenders.
Contender pivoting(const char* label, const char* solver, double tie = 0, plot::Color color = plot::Color::Blue);

/// A column of figures a method, as the paper's tables have them.
Table frames_table(const std::string& title, const std::vector<std::pair<std::string, LcpFrames>>& found);

}  // namespace uzawa::papers
