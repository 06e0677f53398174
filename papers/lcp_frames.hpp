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
  double lcp_ms = 0;                 ///< mean CPU time of pivoting alone, always cold
  double solve_ms = 0, step_ms = 0;  ///< mean wall time of a frame
  bool fell = false;                 ///< the state is no longer finite, or a step has failed
  plot::Series curve;                ///< pivots over time

  int failures() const { return frames - solved; }
};

/// Runs a scene for so many steps of `dt` (0: the scene's) with a pivoting method; cold is as the paper does.
LcpFrames count_frames(const char* scene, const std::vector<std::string>& changes, const Contender& contender,
                       int steps, double dt, bool warm_start, const Options& options);

/// lcp, lcp-search and the baselines as contenders.
Contender pivoting(const char* label, const char* solver, double tie = 0, plot::Color color = plot::Color::Blue);

/// A column of figures a method, as the paper's tables have them.
Table frames_table(const std::string& title, const std::vector<std::pair<std::string, LcpFrames>>& found);

}  // namespace uzawa::papers
