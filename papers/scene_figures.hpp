#pragma once

#include <string>
#include <vector>

#include "uzawa/papers/cases.hpp"
#include "uzawa/papers/contender.hpp"

/// A whole run of a scene with one method: whether the scene's check holds, what its steps cost by stage and how well
/// they were solved.
namespace uzawa::papers {

struct SceneFigures {
  scenarios::Outcome outcome;
  int steps = 0, unsolved = 0, jammed = 0;  ///< all; above the tolerance; solved with overlaps left
  StageTimes cost;                          ///< s of CPU time, mean of a step
  double solve = 0;                         ///< s of CPU time, mean of one solve with constraints in it
  double contacts = 0;                      ///< mean
  int most_contacts = 0;                    ///< of a step
  std::vector<double> time, residual;       ///< s, and the judge's word; of every step
  double penetration = 0;                   ///< m, deepest
  double jitter = 0;                        ///< m/s or rad/s, see below

  double median_residual() const;
  double worst_residual() const;
};

/// Watches a scene for so many steps. Where `cases` is given, it gets about `wanted` of the problems on the way.
///
/// Jitter is the median over the steps of the root mean square of v_{k+1} - 2 v_k + v_{k-1} over the dofs: next to
/// nothing where motion is smooth, and impacts, which are few, do not count.
SceneFigures follow(scenarios::SceneRun& scene, int steps, std::vector<Case>* cases = nullptr, int wanted = 0);

/// What PGS costs on problems, s of CPU time, mean of a problem. Number of sweeps that fit into a time.
struct SweepCost {
  double setup = 0, sweep = 0;
  int sweeps_in(double seconds) const;
};
SweepCost sweep_cost(const std::vector<Case>& cases);

}  // namespace uzawa::papers
