/// CANAL's loop: a convex surrogate, then Newton on the strict law from its solution.
#include <algorithm>
#include <cmath>

#include "uzawa/solver/canal/canal.hpp"

namespace uzawa {

/// Lines 4-15 of Algorithm 1, and the penalty update of eq. 28. A gain is no help in the sense of the attempts: a
/// polish may follow.
bool Canal::cascade(const CanalBudget& /*budget*/) {
  const InnerOutcome inner =
      m_.surrogate.solve_convex(problem_, law(false), canal_.newton_tolerance, canal_.max_newton_steps, m_.v);
  count_steps(inner);
  if (!inner.solved) ++result_.stats.inner_failures;
  const double gap = update_multiplier(m_.surrogate.impulse(), m_.surrogate.constraint_velocity());
  penalty_->end_of_loop(gap);
  beta_ = penalty_->beta();
  if (canal_.anderson) {
    m_.mixing.mix(m_.shift, m_.next_shift);
    for (double& p : m_.shift) p = std::max(0.0, p);
  } else {
    m_.shift = m_.next_shift;
  }
  if (!progress_.look_at(m_.lambda)) m_.mixing.reset();
  loop_.getting_on = progress_.best() < kStrategy.loops.gain * loop_.before ||
                     (is_crowded() && idle_loops_ < kStrategy.loops.patience);
  return false;
}

/// p = mu |z_t + e_t| from z.
void Canal::lagged_shift(std::span<const double> z, std::span<double> shift) const {
  for (std::size_t i = 0; i < shift.size(); ++i) {
    const Vec3 slip = Vec3::from(&z[static_cast<std::size_t>(problem_.contacts.row[i])]) + problem_.contacts.e[i];
    shift[i] = sliding_power(problem_.contacts.cone[i], slip);
  }
}

/// z = J v + (lambda+ - lambda)/beta, lambda <- lambda+, and the shift that z asks for. Returns |J v - z|.
double Canal::update_multiplier(std::span<const double> impulse, std::span<const double> u) {
  double square = 0;
  for (std::size_t k = 0; k < impulse.size(); ++k) {
    const double change = (impulse[k] - m_.lambda[k]) / beta_;
    m_.trial_lambda[k] = u[k] + change;  // z, for a moment
    square += change * change;
    m_.lambda[k] = impulse[k];
  }
  lagged_shift(m_.trial_lambda, m_.next_shift);
  return std::sqrt(square);
}

/// The polish of a loop, which pauses for longer each time that it did not help.
bool Canal::polish_loop(const CanalBudget& budget) {
  loop_.polished = true;
  const bool helped = loop_.cascades && polish(budget);
  if (!helped) next_polish_ = loop_.number + 1 + ++polish_pause_;
  return helped;
}

/// Semismooth Newton on the strict law from the cascade's point. False where it did not help.
bool Canal::polish(const CanalBudget& budget) {
  bool helped = false;
  for (int round = 0; round < budget.rounds && is_unfinished(); ++round) {
    m_.trial_v = m_.v;
    const InnerOutcome inner =
        m_.surrogate.solve_strict(problem_, law(true), canal_.newton_tolerance, budget.steps, m_.trial_v);
    count_steps(inner);
    const std::span<const double> impulse = m_.surrogate.impulse();
    const double before = progress_.best();
    std::copy(impulse.begin(), impulse.end(), m_.trial_lambda.begin());
    if (!progress_.look_at(m_.trial_lambda) || !(progress_.best() < kStrategy.polish.gain * before)) break;
    m_.v = m_.trial_v;
    update_multiplier(impulse, m_.surrogate.constraint_velocity());
    m_.shift = m_.next_shift;
    m_.mixing.reset();
    helped = true;
  }
  return helped;
}

/// Multiplier, velocities and shift as these impulses ask for.
void Canal::restart_from(std::span<const double> lambda) {
  m_.judge.evaluate(prepared_, lambda);
  std::copy(lambda.begin(), lambda.end(), m_.lambda.begin());
  m_.v.assign(m_.judge.velocity().begin(), m_.judge.velocity().end());
  lagged_shift(m_.judge.constraint_velocity(), m_.shift);
  m_.mixing.reset();
}

}  // namespace uzawa
