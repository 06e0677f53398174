/// CANAL's proximal problems, each with a compliance about the impulses of the one before, which falls while they are
/// solved and grows where they are not. Where many contacts change at once (a wall of bricks that is hit, a heap of
/// rocks), Newton is lost among them; with a compliance they feel each other less. Where there is no solution at all,
/// they prove it (contradiction.hpp).
#include <algorithm>
#include <cmath>

#include "uzawa/solver/canal/canal.hpp"

namespace uzawa {

/// From no impulses: what redundant contacts have too much of (self-stress) Newton keeps, and in a jam, where nothing
/// moves and any load may be shared out in many ways, contacts that hardly press then decide over descent. With a
/// compliance about none, loads are shared out evenly from the first step on, and all contacts that can hold do.
/// Islands with less than twice as many rows as dofs have little to share out (limp quadrupeds: 30 Newton steps with
/// it, 23 without).
void Canal::fresh_proximal(double work) {
  if (!is_cheap() || problem_.rows < 2 * problem_.n()) return;
  std::fill(m_.trial_lambda.begin(), m_.trial_lambda.end(), 0.0);
  follow_proximal(m_.trial_lambda, result_.stats.work + work);
}

void Canal::proximal(double /*work*/) { follow_proximal(m_.best_lambda, HUGE_VAL); }

/// `end`: work at which it ends.
void Canal::follow_proximal(std::span<const double> from, double end) {
  constexpr CanalStrategy::Proximal kProximal = kStrategy.proximal;
  double kappa = kProximal.kappa;
  m_.judge.evaluate(prepared_, from);
  m_.newton.start(problem_, from, m_.judge.constraint_velocity(), 0);
  m_.contradiction.reset();
  for (int idle = 0; idle < kProximal.patience && !is_over() && result_.stats.work < end;) {
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
    if (!solved && kappa > 1) return;  // where Newton is lost with it, too, there is nothing to follow
    kappa = solved ? kappa * kProximal.shrink : kappa / kProximal.shrink;
    idle = progress_.best() < kProximal.gain * before ? 0 : idle + 1;
  }
}

/// One anchor; true where its residual has fallen below `residual`.
bool Canal::solve_proximal(double residual, double end) {
  for (int i = 0; i < kStrategy.proximal.steps && !progress_.must_end() && result_.stats.work < end; ++i) {
    if (!newton_step(kStrategy.newton.tries)) return false;
    m_.newton.correct(problem_, m_.judge.constraint_velocity());
    if (well_within() || m_.newton.mean_residual(problem_) < residual) return true;
  }
  return false;
}

}  // namespace uzawa
