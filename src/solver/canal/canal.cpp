/// CANAL, the cascaded Newton augmented Lagrangian method ([AL] Algorithm 1).
///
/// Each loop solves a convex surrogate: contacts as cones, shifted by p = mu |z_t| taken from the loop before, with the
/// multiplier u = -lambda and the penalty beta. Then lambda, z and p are updated. At the fixed point the cone condition
/// with the shift is Signorini-Coulomb exactly ([AL] eq. 21).
///
/// Deviations from the paper, under settings.canal.polish and .anderson: the lagged shift makes the outer rate linear
/// (mu^2/(1+mu^2) for one slipping contact), so each loop from the second on is followed by semismooth Newton on the
/// strict law from the cascade's point, kept only where the judge sees a clear gain; and the shift is Anderson-mixed.
/// Where the polish finds no descent, the strict law's corners are rounded and Newton follows the solution while the
/// rounding shrinks (path following). Where this fails too, first-order smoothing (SubADMM) settles which contacts
/// stick, slip or open before another polish. The last attempt is a sequence of proximal problems.
///
/// Before the first loop, primal-dual Newton on velocities and impulses is tried (primal_dual.cpp): from the warm
/// start, then with rounded corners; on large islands after a few first-order iterations. Most steps of a simulation
/// need no more. (For a cold start of crowded bodies these attempts come after the loops.) Convergence is decided by
/// the judge, never by |J v - z| ([AL] line 16), which is tiny after one loop on a sliding contact that is far from
/// solved.
#include "uzawa/solver/canal/canal.hpp"

#include <cmath>

#include "uzawa/solver/linear/effective_mass.hpp"

namespace uzawa {

/// The whole strategy: attempts in the order in which they are tried, when, and the work that each may do.
constexpr std::array<Canal::Attempt, 11> Canal::kAttempts = {{
    // Before the first loop; after the last one at a cold start of crowded bodies.
    {Phase::Approach, "Newton", "warm start", &Canal::is_warm, &Canal::sharp_newton, kStrategy.approach.warm},
    {Phase::Approach, "Newton", "cold start of a small island", &Canal::is_small_and_cold, &Canal::sharp_newton,
     kStrategy.approach.cold},
    {Phase::Approach, "rounded Newton", "small island", &Canal::is_small_and_unfinished, &Canal::rounded_newton,
     kStrategy.approach.rounded},
    {Phase::Approach, "smoothing, rounded Newton", "small island", &Canal::is_small_and_unfinished,
     &Canal::smoothed_newton, kStrategy.approach.small},
    {Phase::Approach, "smoothing, rounded Newton", "large island of few dofs", &Canal::is_large_with_few_dofs,
     &Canal::smoothed_newton, kStrategy.approach.few_dofs},
    {Phase::Approach, "smoothing, rounded Newton", "large island", &Canal::is_large_and_unfinished,
     &Canal::smoothed_newton, kStrategy.approach.large},
    // In every loop. The cascade keeps to settings.canal.max_newton_steps, of which this is the default.
    {Phase::Loop,
     "cascade",
     "loop, while loops gain",
     &Canal::is_cascading,
     &Canal::cascade,
     {.steps = CanalSettings{}.max_newton_steps}},
    {Phase::Loop, "polish", "loop, after the cascade", &Canal::wants_polish, &Canal::polish_loop,
     kStrategy.polish.budget},
    {Phase::Loop, "path following", "loop, where the polish did not help", &Canal::is_stuck, &Canal::follow_paths,
     kStrategy.path.budget},
    {Phase::Loop, "smoothing, polish", "loop, where no path helped", &Canal::is_stuck, &Canal::smooth,
     kStrategy.smoothing.budget},
    // After the last loop.
    {Phase::Last, "proximal Newton", "near the solution, where nothing else has helped", &Canal::is_near,
     &Canal::proximal, kStrategy.proximal.budget},
}};

std::span<const SolverStage> Canal::stages() {
  static constexpr auto kStages = [] {
    std::array<SolverStage, kAttempts.size()> out{};
    for (std::size_t i = 0; i < out.size(); ++i) {
      const Attempt& attempt = kAttempts[i];
      out[i] = {attempt.name, attempt.when, attempt.budget.rounds, attempt.budget.steps, attempt.budget.first_order};
    }
    return out;
  }();
  return kStages;
}

Canal::Canal(PreparedProblem& prepared, const Settings& settings, CanalMemory& memory, Result& result)
    : prepared_(prepared),
      problem_(prepared.problem()),
      settings_(settings),
      canal_(settings.canal),
      m_(memory),
      result_(result),
      progress_(prepared, settings, memory.judge, memory.best_lambda, result) {}

void Canal::run(const std::vector<double>& start) {
  prepare(start);
  approach_late_ = is_crowded() && !warm_ && canal_.cascade && problem_.n() > kStrategy.loops.single_body;
  if (canal_.polish && !well_within() && !approach_late_) approach_first();
  if (progress_.converged()) return progress_.finish(SolveStatus::Converged);
  if (!canal_.cascade) return progress_.finish(progress_.out_of_time() ? SolveStatus::TimeLimit : SolveStatus::Stalled);
  beta_ = canal_.penalty * effective_mass(prepared_);
  penalty_.emplace(canal_, beta_);
  const int loops = settings_.max_iterations > 0 ? settings_.max_iterations : kStrategy.loops.most;
  for (int number = 0; number < loops && !progress_.converged(); ++number) {
    loop(number);
    ++result_.stats.iterations;
    progress_.record(beta_);
    if (progress_.converged()) break;
    if (canal_.polish && idle_loops_ >= kStrategy.loops.most_idle) return give_up(SolveStatus::Stalled);
    if (loop_.cascades && is_contradictory()) {
      return progress_.finish(SolveStatus::LeastViolation, m_.constant_lambda);
    }
    if (progress_.out_of_time()) return finish_with_best(SolveStatus::TimeLimit);
  }
  if (progress_.converged()) return progress_.finish(SolveStatus::Converged);
  give_up(canal_.polish && settings_.max_iterations <= 0 ? SolveStatus::Stalled : SolveStatus::IterationLimit);
}

void Canal::prepare(const std::vector<double>& start) {
  m_.trial_lambda.assign(static_cast<std::size_t>(problem_.rows), 0.0);
  const auto contacts = static_cast<std::size_t>(problem_.contacts.size());
  m_.shift.assign(contacts, 0.0);
  m_.next_shift.resize(contacts);
  m_.approach_lambda.clear();
  m_.mixing.resize(contacts);
  m_.trial_v.resize(static_cast<std::size_t>(problem_.n()));
  warm_ = progress_.start_from(start, m_.lambda);
  if (canal_.polish ? well_within() : progress_.converged()) return;  // the warm start is good enough
  m_.v.assign(m_.judge.velocity().begin(), m_.judge.velocity().end());
  if (warm_) lagged_shift(m_.judge.constraint_velocity(), m_.shift);
  m_.surrogate.prepare(prepared_);
}

void Canal::approach() {
  m_.newton.prepare(prepared_);
  for (const Attempt& attempt : kAttempts) {
    if (attempt.phase == Phase::Approach && (this->*attempt.is_due)()) (this->*attempt.run)(attempt.budget);
  }
}

void Canal::approach_first() {
  approach();
  if (progress_.converged()) return;
  if (warm_) return restart_from(m_.best_lambda);
  // A cold start stays cold: where Newton has failed, its impulses are no better a first iterate for the cascade than
  // zero, and its residual is no reference for the cascade's gains.
  m_.approach_lambda = m_.best_lambda;
  progress_.forget();
}

void Canal::loop(int number) {
  const double before = progress_.best();
  loop_ = {.number = number, .before = before, .cascades = !canal_.polish || idle_loops_ < kStrategy.loops.patience};
  m_.last_lambda = m_.lambda;
  for (const Attempt& attempt : kAttempts) {
    if (attempt.phase != Phase::Loop || !(this->*attempt.is_due)()) continue;
    loop_.helped = (this->*attempt.run)(attempt.budget);
  }
  if (!may_contradict()) idle_loops_ = progress_.best() < kStrategy.loops.gain * before ? 0 : idle_loops_ + 1;
}

/// A polish costs more than the loop before it: it is left out where the cascade converges well, and tried less often
/// where it did not help.
bool Canal::wants_polish() const {
  return canal_.polish && loop_.number > 0 && !progress_.converged() &&
         !(loop_.getting_on && loop_.number < next_polish_);
}

bool Canal::is_stuck() const {
  return loop_.polished && !loop_.helped && !loop_.getting_on && !(loop_.cascades && may_contradict());
}

/// Ends with the best iterate of the loops and of the attempts before them.
void Canal::finish_with_best(SolveStatus status) {
  if (!m_.approach_lambda.empty()) progress_.look_at(m_.approach_lambda);
  progress_.finish(status);
}

void Canal::give_up(SolveStatus status) {
  if (canal_.polish && approach_late_) approach();
  if (canal_.polish && status == SolveStatus::Stalled) {
    if (!m_.approach_lambda.empty()) progress_.look_at(m_.approach_lambda);
    for (const Attempt& attempt : kAttempts) {
      if (attempt.phase == Phase::Last && (this->*attempt.is_due)()) (this->*attempt.run)(attempt.budget);
    }
  }
  if (progress_.converged()) return progress_.finish(SolveStatus::Converged);
  finish_with_best(progress_.out_of_time() ? SolveStatus::TimeLimit : status);
}

/// Lambda grows by the same amount in every loop where constraints contradict each other, but also where the impulse at
/// which some contact slides or opens is still far. So lambda is extrapolated with growing strides. If the active set
/// still does not change, there is a contradiction, and the constant v is the least violation, even if other iterates
/// have smaller residuals.
bool Canal::is_contradictory() {
  const int constant = penalty_->constant_loops(settings_.tolerance);
  if (constant == 0) return false;
  if (constant == 1) m_.constant_lambda = m_.lambda;
  const double stride = std::pow(kStrategy.contradiction.stride, constant);
  for (std::size_t k = 0; k < m_.lambda.size(); ++k) m_.lambda[k] += stride * (m_.lambda[k] - m_.last_lambda[k]);
  return constant >= kStrategy.contradiction.loops;
}

void Canal::count_steps(const InnerOutcome& inner) {
  result_.stats.inner_iterations += inner.steps;
  result_.stats.factorizations += inner.factorizations;
}

std::span<const SolverStage> canal_stages() { return Canal::stages(); }

void solve_canal(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result) {
  Canal(prepared, settings, workspace.get<CanalMemory>(), result).run(workspace.start);
}

}  // namespace uzawa
