/// CANAL's proximal problems, each with a compliance about the impulses of the one before, which falls while they are
/// solved and grows where they are not. Where many contacts change at once (a wall of bricks that is hit, a heap of
/// rocks), Newton is lost among them; with a compliance they feel each other less. Where there is no solution at all,
/// they prove it (contradiction.hpp).
#include <algorithm>

#include "uzawa/solver/canal/canal.hpp"

namespace uzawa {

void Canal::proximal(double /*work*/) {
  constexpr CanalStrategy::Proximal kProximal = kStrategy.proximal;
  double kappa = kProximal.kappa;
  m_.judge.evaluate(prepared_, m_.best_lambda);
  m_.newton.start(problem_, m_.best_lambda, m_.judge.constraint_velocity(), 0);
  m_.contradiction.reset();
  for (int idle = 0; idle < kProximal.patience && !is_over();) {
    const double before = progress_.best();
    m_.newton.anchor(problem_, kappa);
    m_.anchor_u.assign(m_.newton.constraint_velocity().begin(), m_.newton.constraint_velocity().end());
    const bool solved = solve_proximal(kProximal.accuracy * m_.newton.mean_residual(problem_));
    if (solved && m_.newton.contradicts(problem_, m_.anchor_u, settings_.tolerance, m_.contradiction)) {
      contradiction_ = true;
      m_.lambda.assign(m_.newton.impulses().begin(), m_.newton.impulses().end());
      return;
    }
    if (!solved) m_.contradiction.reset();
    if (!solved && kappa > 1) return;  // where Newton is lost with it, too, there is nothing to follow
    kappa = solved ? kappa * kProximal.shrink : kappa / kProximal.shrink;
    idle = progress_.best() < kProximal.gain * before ? 0 : idle + 1;
  }
}

/// One anchor; true where its residual has fallen below `residual`.
bool Canal::solve_proximal(double residual) {
  for (int i = 0; i < kStrategy.proximal.steps && !progress_.must_end(); ++i) {
    if (!newton_step(kStrategy.newton.tries)) return false;
    m_.newton.correct(problem_, m_.judge.constraint_velocity());
    if (well_within() || m_.newton.mean_residual(problem_) < residual) return true;
  }
  return false;
}

}  // namespace uzawa
