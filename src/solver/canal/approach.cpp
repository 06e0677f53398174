/// CANAL's attempts before the first loop: Newton on velocities and impulses at once (primal_dual.hpp).
#include <cmath>

#include "uzawa/solver/canal/canal.hpp"

namespace uzawa {

/// From the impulses that CANAL starts from, with the law as it is.
bool Canal::sharp_newton(const CanalBudget& budget) {
  newton(m_.lambda, 0, budget.steps);
  return progress_.converged();
}

/// From the best impulses so far, with the corners of the law rounded at first.
bool Canal::rounded_newton(const CanalBudget& budget) {
  m_.judge.evaluate(prepared_, m_.best_lambda);
  newton(m_.best_lambda, kStrategy.approach.rounding, budget.steps);
  return progress_.converged();
}

/// The same from where first-order iterations lead.
bool Canal::smoothed_newton(const CanalBudget& budget) {
  for (int round = 0; round < budget.rounds && is_unfinished(); ++round) {
    smooth_for(budget.first_order << round);
    if (progress_.converged()) break;
    const std::span<const double> from = m_.smoother.impulses(problem_);
    m_.judge.evaluate(prepared_, from);
    newton(from, kStrategy.approach.rounding, budget.steps);
  }
  return progress_.converged();
}

/// From the impulses that the judge has just looked at, for as long as it gets anywhere.
void Canal::newton(std::span<const double> from, double rounding, int steps) {
  constexpr CanalStrategy::Approach kApproach = kStrategy.approach;
  m_.newton.start(problem_, from, m_.judge.constraint_velocity(), rounding);
  const double first = progress_.best();
  double mark = HUGE_VAL;
  int idle = 0;
  for (int i = 0; i < steps; ++i) {
    if (idle >= (progress_.converged() ? kApproach.content_patience : kApproach.patience)) break;
    if (progress_.out_of_time()) break;
    const bool found = m_.newton.step(problem_, m_.surrogate.matrix(), kApproach.other_epsilons);
    ++result_.stats.inner_iterations;
    if (!found) break;
    progress_.look_at(m_.newton.impulses());
    progress_.record(0);
    // The error of the rounding is small but always the same: the next steps would add it up, too.
    if (well_within() && !m_.newton.end_rounding()) break;
    idle = progress_.last_residual() < kApproach.gain * mark ? 0 : idle + 1;
    if (idle == 0) mark = progress_.last_residual();
    m_.newton.correct(problem_, m_.judge.constraint_velocity());
    const bool hopeful = i + 1 != kApproach.hopeful_steps || progress_.best() < kStrategy.polish.gain * first;
    if (!hopeful && rounding == 0 && is_large()) break;
  }
  result_.stats.factorizations += m_.newton.factorizations();
}

}  // namespace uzawa
