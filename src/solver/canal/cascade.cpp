/// CANAL's loops over convex surrogates.
#include <algorithm>
#include <cmath>

#include "uzawa/solver/canal/canal.hpp"
#include "uzawa/solver/linear/effective_mass.hpp"

namespace uzawa {

namespace {

constexpr int kMostLoops = 50;  // where settings.max_iterations is 0

}  // namespace

void Canal::loops(double /*work*/) {
  if (canal_.polish) restart_from(m_.best_lambda);
  beta_ = canal_.penalty * effective_mass(prepared_);
  penalty_.emplace(canal_, beta_);
  const int most = settings_.max_iterations > 0 ? settings_.max_iterations : kMostLoops;
  for (int loop = 0; loop < most && !is_over(); ++loop) {
    m_.last_lambda = m_.lambda;
    cascade();
    ++result_.stats.iterations;
    progress_.record(beta_);
    if (canal_.polish && !is_over())
      newton(m_.lambda, {.work = kStages[0].listed.work, .patience = kStrategy.newton.sharp_patience});
    contradiction_ = !progress_.converged() && is_contradictory();
  }
  if (contradiction_) m_.lambda = m_.constant_lambda;
}

/// Lines 4-15 of Algorithm 1, and the penalty update of eq. 28.
void Canal::cascade() {
  const InnerOutcome inner =
      m_.surrogate.solve_convex(problem_, law(false), canal_.newton_tolerance, canal_.max_newton_steps, m_.v);
  count_steps(inner);
  if (!inner.solved) ++result_.stats.inner_failures;
  penalty_->end_of_loop(update_multiplier(m_.surrogate.impulse(), m_.surrogate.constraint_velocity()));
  beta_ = penalty_->beta();
  if (canal_.anderson) {
    m_.mixing.mix(m_.shift, m_.next_shift);
    for (double& p : m_.shift) p = std::max(0.0, p);
  } else {
    m_.shift = m_.next_shift;
  }
  if (!progress_.look_at(m_.lambda)) m_.mixing.reset();
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

/// Multiplier, velocities and shift as these impulses ask for.
void Canal::restart_from(std::span<const double> lambda) {
  m_.judge.evaluate(prepared_, lambda);
  std::copy(lambda.begin(), lambda.end(), m_.lambda.begin());
  m_.v.assign(m_.judge.velocity().begin(), m_.judge.velocity().end());
  lagged_shift(m_.judge.constraint_velocity(), m_.shift);
  m_.mixing.reset();
}

/// Lambda grows by the same amount in every loop where constraints contradict each other, but also where the impulse at
/// which some contact slides or opens is still far. So lambda is extrapolated with growing strides. If the active set
/// still does not change, there is a contradiction, and the constant v is the least violation, even if other iterates
/// have smaller residuals.
bool Canal::is_contradictory() {
  constexpr int kLoops = 4;       // in which lambda grows by the same amount
  constexpr double kStride = 10;  // growth, from loop to loop, of the extrapolation of lambda
  const int constant = penalty_->constant_loops(settings_.tolerance);
  if (constant == 0) return false;
  if (constant == 1) m_.constant_lambda = m_.lambda;
  const double stride = std::pow(kStride, constant);
  for (std::size_t k = 0; k < m_.lambda.size(); ++k) m_.lambda[k] += stride * (m_.lambda[k] - m_.last_lambda[k]);
  return constant >= kLoops;
}

/// A symmetric factorisation is half of the work of a general one.
void Canal::count_steps(const InnerOutcome& inner) {
  result_.stats.inner_iterations += inner.steps;
  result_.stats.factorizations += inner.factorizations;
  progress_.spend(0.5 * inner.factorizations);
}

}  // namespace uzawa
