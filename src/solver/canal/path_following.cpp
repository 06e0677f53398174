/// CANAL's attempts where Newton finds no descent: rounded laws whose solution is followed, then first-order
/// iterations.
#include <algorithm>
#include <cmath>
#include <utility>

#include "uzawa/solver/canal/canal.hpp"

namespace uzawa {

/// Where Newton finds no descent the contacts' states (open, stick, slip) are wrong, and no small step mends them. With
/// the corners of the law rounded over a width tau there are no states: Newton follows the solution while tau falls
/// from the size of the impulses to nothing, the multiplier following. A level that Newton does not quite solve is no
/// reason to stop: a later one may. False where nothing was gained.
bool Canal::follow_path(const CanalBudget& budget, double widest, double beta) {
  constexpr CanalStrategy::Path kPath = kStrategy.path;
  restart_from(m_.best_lambda);
  double square = 0;
  for (const double lambda : m_.lambda) square += lambda * lambda;
  const double mean = std::sqrt(square / std::max(1.0, static_cast<double>(problem_.constraints.size())));
  const double cascade_beta = std::exchange(beta_, beta);
  m_.trial_v = m_.v;
  double tau = widest * mean;
  for (int round = 0; round < budget.rounds; ++round, tau *= kPath.shrink) {
    if (!(tau > kPath.narrowest * mean) || progress_.out_of_time()) break;
    LawParameters rounded = law(true);
    rounded.smoothing = tau;
    const InnerOutcome inner = m_.surrogate.solve_strict(problem_, rounded, kPath.tolerance, budget.steps, m_.trial_v);
    count_steps(inner);
    if (inner.solved && inner.steps == 0) break;  // the corners are out of reach
    const std::span<const double> impulse = m_.surrogate.impulse();
    std::copy(impulse.begin(), impulse.end(), m_.lambda.begin());
  }
  m_.v = m_.trial_v;
  const bool helped = polish(kStrategy.polish.budget);
  beta_ = cascade_beta;
  if (!helped) restart_from(m_.best_lambda);
  return helped;
}

/// The width of the rounding in terms of J v is tau/beta: stacks are followed best with a penalty that has grown, piles
/// with the first one.
bool Canal::follow_paths(const CanalBudget& budget) {
  // From the same residual they would be lost again.
  if (idle_loops_ >= kStrategy.loops.patience && progress_.best() == lost_at_) return false;
  for (const double widest : kStrategy.path.widest) {
    if (progress_.out_of_time()) return false;
    if (follow_path(budget, widest, beta_) ||
        (beta_ != penalty_->first_beta() && follow_path(budget, widest, penalty_->first_beta())))
      return true;
  }
  lost_at_ = progress_.best();
  return false;
}

}  // namespace uzawa
