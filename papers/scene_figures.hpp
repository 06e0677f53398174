#pragma once

#include <string>
#include <vector>

#include "uzawa/papers/bench.hpp"
#include "uzawa/papers/cases.hpp"
#include "uzawa/papers/contender.hpp"

/// A whole run of a scene with one method: whether the scene's check holds, what its steps cost by stage and how well
/// they were solved.
namespace uzawa::papers {

struct SceneFigures {
  scenarios::Outcome outcome;
  int steps = 0, unsolved = 0;         ///< all; above the tolerance
  int capped = 0;                      ///< of the unsolved: iterations or time were used up
  StageTimes cost;                     ///< s of CPU time, mean of a step
  double solve = 0;                    ///< s of CPU time, mean of one solve with constraints in it
  double worst_solve = 0;              ///< s of CPU time, of a step
  double processor_share = 1;          ///< CPU time over wall time: below 1 where others use the machine
  double contacts = 0;                 ///< mean
  int most_contacts = 0;               ///< of a step
  std::vector<double> time, residual;  ///< s, and the judge's word; of every step
  double penetration = 0;              ///< m, deepest
  double jitter = 0;                   ///< m/s or rad/s, see below

  double median_residual() const;
  double worst_residual() const;
};

/// Watches a scene for so many steps; `cases`, where given, gets about `wanted` of its problems. Where it can't go on
/// the check fails, and its words say why.
///
/// Jitter is the median over the steps of the root mean square of v_{k+1} - 2 v_k + v_{k-1} over the dofs: next to
/// nothing where motion is smooth, and impacts, which are few, do not count.
SceneFigures follow(scenarios::SceneRun& scene, int steps, const Options& options = {},
                    std::vector<Case>* cases = nullptr, int wanted = 0);

/// What solves cost on the same problems, s of CPU time, mean of a problem.
struct SolveCosts {
  double canal = 0, setup = 0, sweep = 0;  ///< CANAL's, and PGS's parts
  /// Sweeps of PGS in CANAL's time; one at the least.
  double sweeps() const;
};
/// Method by method on one problem after the other, so that whoever else uses the machine is in the way of all alike.
SolveCosts solve_costs(const std::vector<Case>& cases, const Options& options);

}  // namespace uzawa::papers
