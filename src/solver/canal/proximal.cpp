/// CANAL's last attempt: proximal problems, each with a compliance about the impulses of the one before, which falls
/// while they are solved. Where the path of shrinking rounding has folds (a wall of bricks that is hit, a heap of
/// rocks), Newton is lost on it; with a compliance contacts feel each other less, and the folds are gone.
#include <algorithm>

#include "uzawa/solver/canal/canal.hpp"

namespace uzawa {

bool Canal::proximal(const CanalBudget& budget) {
  constexpr CanalStrategy::Proximal kProximal = kStrategy.proximal;
  double kappa = kProximal.kappa;
  m_.newton.prepare(prepared_);
  m_.judge.evaluate(prepared_, m_.best_lambda);
  m_.newton.start(problem_, m_.best_lambda, m_.judge.constraint_velocity(), 0);
  int idle = 0;
  for (int round = 0; round < budget.rounds && idle < kProximal.patience && is_unfinished(); ++round) {
    const double before = progress_.best();
    m_.newton.anchor(problem_, kappa);
    const double first = m_.newton.mean_residual(problem_);
    bool solved = false;
    for (int i = 0; i < budget.steps && !solved && !progress_.out_of_time(); ++i) {
      ++result_.stats.inner_iterations;
      if (!m_.newton.step(problem_, m_.surrogate.matrix(), kStrategy.approach.other_epsilons)) break;
      progress_.look_at(m_.newton.impulses());
      m_.newton.correct(problem_, m_.judge.constraint_velocity());
      solved = well_within() || m_.newton.mean_residual(problem_) < kProximal.accuracy * first;
    }
    if (well_within()) break;
    kappa = solved ? kappa * kProximal.shrink : std::min(1.0, kappa * kProximal.growth);
    idle = progress_.best() < kProximal.gain * before ? 0 : idle + 1;
  }
  result_.stats.factorizations += m_.newton.factorizations();
  return progress_.converged();
}

}  // namespace uzawa
