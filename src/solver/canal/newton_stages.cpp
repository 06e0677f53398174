/// CANAL's stages that are Newton on velocities and impulses at once (primal_dual.hpp), from where others lead.
#include <algorithm>
#include <cmath>

#include "uzawa/solver/canal/canal.hpp"

namespace uzawa {

namespace {

constexpr CanalStrategy::Newton kNewton = kStrategy.newton;

}  // namespace

/// From given impulses even where they score worse than none: an impulse too many, of a contact point that has jumped,
/// hides that all others are right. Where a step finds no descent many contacts change, and first-order iterations find
/// out which, unless they are dearer than bold steps and steps with more damping.
void Canal::sharp_newton(double work) {
  if (given_.empty() && !is_cheap()) return;
  const std::span<const double> from = given_.empty() ? std::span<const double>(m_.lambda) : given_;
  if (!start_judged_) m_.judge.evaluate(prepared_, from);
  const bool cheap = is_cheap();
  newton(from, {.work = work, .patience = kNewton.sharp_patience, .tries = cheap ? kNewton.tries : 1, .bold = cheap});
}

/// From where first-order iterations of so much work lead, with the corners of the law rounded at first.
void Canal::smoothed_newton(double work) {
  smooth(std::max(kNewton.fewest, static_cast<int>(work / iteration_work_)));
  if (is_over()) return;
  const std::span<const double> from = m_.smoother.impulses(problem_);
  m_.judge.evaluate(prepared_, from);
  newton(from, {kNewton.rounded_work, kNewton.patience, kNewton.tries, kNewton.rounding});
}

/// First-order iterations alone, for as long as twice as many halve the residual. They come before everything else,
/// even before the Newton matrix is known, and are paid for when it is.
void Canal::first_order() {
  int iterations = kNewton.fewest;
  for (int round = 0; round < kNewton.first_order && !is_over(); ++round, iterations *= 2) {
    const double before = progress_.best();
    smooth(iterations);
    if (!(progress_.best() < kNewton.gain * before)) break;
  }
  result_.stats.iterations += smoothed_;
  // Newton goes on from the best of them.
  std::copy(m_.best_lambda.begin(), m_.best_lambda.end(), m_.lambda.begin());
  given_ = m_.lambda;
  start_judged_ = false;
}

/// SubADMM goes on from where it was the last time. It begins at the best iterate, but at none where the given impulses
/// score worse than none: what Newton makes of those may be a dead end that scores well, and first-order iterations
/// would not lead far away from it (dominoes: 67 Newton steps instead of 40, mean of 14 factors of rho).
void Canal::smooth(int iterations) {
  const std::span<const double> from = start_judged_ ? m_.best_lambda : m_.lambda;
  if (smoothed_ == 0) m_.smoother.prepare(prepared_, settings_.subadmm, from, Splitting::Bodies, pool_);
  int i = 0;
  do {
    m_.smoother.step(problem_);
    ++smoothed_;
    progress_.spend(iteration_work_);
    if (++i % Progress::kJudgeEvery != 0 && i != iterations && !progress_.must_end()) continue;
    progress_.look_at(m_.smoother.impulses(problem_));
    progress_.record(m_.smoother.beta());
  } while (i < iterations && !is_over());
}

/// From the impulses that the judge has just looked at, for as long as it gets anywhere.
void Canal::newton(std::span<const double> from, const NewtonRun& run) {
  m_.newton.start(problem_, from, m_.judge.constraint_velocity(), run.rounding);
  double mark = HUGE_VAL;
  int idle = 0;
  const double end = result_.stats.work + run.work;
  do {  // one step in any case: even out of time it is better than none
    if (idle >= (progress_.converged() ? kNewton.content_patience : run.patience)) break;
    if (!newton_step(run.tries, run.bold)) break;
    // The error of the rounding is small but always the same: the next steps would add it up, too.
    if (well_within() && !m_.newton.end_rounding()) break;
    idle = progress_.last_residual() < kNewton.gain * mark ? 0 : idle + 1;
    if (idle == 0) mark = progress_.last_residual();
    m_.newton.correct(problem_, m_.judge.constraint_velocity());
  } while (result_.stats.work < end && !progress_.must_end());
}

/// One step, judged. False where there is no descent.
bool Canal::newton_step(int tries, bool bold) {
  const int before = m_.newton.factorizations();
  const bool found = m_.newton.step(problem_, m_.surrogate.matrix(), tries, bold);
  ++result_.stats.inner_iterations;
  const int done = m_.newton.factorizations() - before;
  result_.stats.factorizations += done;
  progress_.spend(done);
  if (!found) return false;
  progress_.look_at(m_.newton.impulses());
  progress_.record(0);
  return true;
}

}  // namespace uzawa
