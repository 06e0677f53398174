/// CANAL's proximal problems, each with a compliance about the impulses of the one before, which falls while they are
/// solved. Where the path of shrinking rounding has folds (a wall of bricks that is hit, a heap of rocks), Newton is
/// lost on it; with a compliance contacts feel each other less, and the folds are gone. Where there is no solution at
/// all, the rounds prove it (contradiction.hpp).
#include <algorithm>

#include "uzawa/solver/canal/canal.hpp"

namespace uzawa {

void Canal::proximal(double work) {
  constexpr CanalStrategy::Proximal kProximal = kStrategy.proximal;
  const double end = result_.stats.work + work;
  double kappa = kProximal.kappa;
  m_.judge.evaluate(prepared_, m_.best_lambda);
  m_.newton.start(problem_, m_.best_lambda, m_.judge.constraint_velocity(), 0);
  m_.contradiction.reset();
  int idle = 0;
  while (result_.stats.work < end && idle < kProximal.patience && !is_over()) {
    const double before = progress_.best();
    m_.newton.anchor(problem_, kappa);
    m_.anchor_u.assign(m_.newton.constraint_velocity().begin(), m_.newton.constraint_velocity().end());
    const bool solved = solve_proximal(kProximal.accuracy * m_.newton.mean_residual(problem_), end);
    if (solved && m_.newton.contradicts(problem_, m_.anchor_u, settings_.tolerance, m_.contradiction)) {
      contradiction_ = true;
      m_.lambda.assign(m_.newton.impulses().begin(), m_.newton.impulses().end());
      return;
    }
    if (!solved) m_.contradiction.reset();
    if (!solved && kappa == kProximal.most) break;
    kappa = solved ? kappa * kProximal.shrink : std::min(kProximal.most, kappa * kProximal.growth);
    idle = progress_.best() < kProximal.gain * before ? 0 : idle + 1;
  }
}

/// One round; true where its residual has fallen below `residual`.
bool Canal::solve_proximal(double residual, double end) {
  for (int i = 0; i < kStrategy.proximal.steps && result_.stats.work < end && !progress_.must_end(); ++i) {
    if (!newton_step()) return false;
    m_.newton.correct(problem_, m_.judge.constraint_velocity());
    if (well_within() || m_.newton.mean_residual(problem_) < residual) return true;
  }
  return false;
}

}  // namespace uzawa
