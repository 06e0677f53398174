/// CANAL, the cascaded Newton augmented Lagrangian method ([AL] Algorithm 1), and what comes before its loops.
///
/// The published method, under settings.canal.polish = false: each loop solves a convex surrogate, contacts as cones,
/// shifted by p = mu |z_t| taken from the loop before, with the multiplier u = -lambda and the penalty beta. Then
/// lambda, z and p are updated. At the fixed point the cone condition with the shift is Signorini-Coulomb exactly ([AL]
/// eq. 21). The lagged shift makes the rate linear (mu^2/(1+mu^2) for one slipping contact).
///
/// So the loops are the last resort. Before them come stages of Newton on the strict law, kStages, in the order of the
/// price that is to be expected; on large islands at loose tolerances `auto` puts first-order iterations first.
///
/// A solve ends as soon as its work is used up (settings.work), its time is up or somebody asks for it, with the best
/// iterate so far. Convergence is decided by the judge, never by |J v - z| ([AL] line 16), which is tiny after one loop
/// on a sliding contact that is far from solved.
#include "uzawa/solver/canal/canal.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/solver/linear/vector_math.hpp"

namespace uzawa {

constexpr std::array<Canal::Stage, 5> Canal::kStages = {{
    {{"Newton", "impulses of the last step, or a few contacts: most steps of a simulation", 10}, &Canal::sharp_newton},
    {{"proximal Newton from none", "changes where first-order iterations are dear: small islands, also jammed ones",
      20},
     &Canal::fresh_proximal},
    {{"first-order, rounded Newton", "many changes at once: SubADMM finds out which contacts stick, slip or open", 4},
     &Canal::smoothed_newton},
    {{"proximal Newton", "the rest of them; and proof where constraints contradict each other", 0}, &Canal::proximal},
    {{"loops", "the published method, each loop with Newton after it: what is left", 0}, &Canal::loops},
}};

std::span<const SolverStage> Canal::stages() {
  static constexpr auto kListed = [] {
    std::array<SolverStage, kStages.size()> out{};
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = kStages[i].listed;
    return out;
  }();
  return kListed;
}

Canal::Canal(PreparedProblem& prepared, const Settings& settings, CanalMemory& memory, ThreadPool* pool, Result& result)
    : prepared_(prepared),
      problem_(prepared.problem()),
      settings_(settings),
      canal_(settings.canal),
      m_(memory),
      pool_(pool),
      result_(result),
      progress_(prepared, settings, memory.judge, memory.best_lambda, result) {}

void Canal::run(const std::vector<double>& start, std::span<const double> least) {
  prepare(start);
  if (canal_.polish && !well_within() && !(canal_.first_order && is_over())) approach();
  if (canal_.cascade && !is_over()) loops(0);
  forget_self_stress(least);
  if (progress_.converged()) return progress_.finish(SolveStatus::Converged);
  if (contradiction_) return progress_.finish(SolveStatus::LeastViolation, m_.lambda);
  progress_.finish(progress_.ending(settings_.max_iterations > 0 ? SolveStatus::IterationLimit : SolveStatus::Stalled));
}

void Canal::prepare(const std::vector<double>& start) {
  m_.trial_lambda.assign(static_cast<std::size_t>(problem_.rows), 0.0);
  const auto contacts = static_cast<std::size_t>(problem_.contacts.size());
  m_.shift.assign(contacts, 0.0);
  m_.next_shift.resize(contacts);
  m_.mixing.resize(contacts);
  const bool warm = progress_.start_from(start, m_.lambda);
  const bool given = start.size() == m_.lambda.size() && norm(start) > 0;
  if (warm || (given && progress_.start_is_worth_a_try())) given_ = start;
  start_judged_ = warm || given_.empty();
  if (canal_.polish ? well_within() : progress_.converged()) return;  // the warm start is good enough
  m_.v.assign(m_.judge.velocity().begin(), m_.judge.velocity().end());
  if (warm) lagged_shift(m_.judge.constraint_velocity(), m_.shift);
  if (canal_.first_order) first_order();
  if (canal_.first_order && is_over()) return;
  m_.surrogate.prepare(prepared_);
  if (canal_.least_impulses) m_.self_stress.reserve(problem_);
  m_.surrogate.matrix().set_deadline(progress_.deadline());
  iteration_work_ = SubAdmmIteration::work(problem_) / m_.surrogate.matrix().work();
  progress_.spend(iteration_work_ * smoothed_);
}

/// All stages but the loops; after the first two, in rounds with twice the first-order iterations of the one before.
/// What is not solved in one geometry, with its own folds, may be in another: each round also has stiffer impulses.
void Canal::approach() {
  m_.newton.prepare(prepared_);
  const auto run = [&](std::size_t first, double factor) {
    for (const Stage& stage : std::span(kStages).subspan(first, 2)) {
      if (is_over() && result_.stats.work > 0) return;  // even out of time one step is better than none
      (this->*stage.run)(factor * stage.listed.work);
    }
  };
  const bool at_rest = progress_.best() <= kStrategy.newton.stalled;
  run(0, 1);
  if (canal_.least_impulses && at_rest) newton_without_stress();
  for (int round = 0; round < kStrategy.proximal.rounds && (!is_over() || result_.stats.work == 0); ++round) {
    if (round > 0) m_.newton.stiffen(kStrategy.proximal.stiffening);
    run(2, std::exp2(round));
    if (round == 0 && canal_.least_impulses && !at_rest) newton_without_stress();
  }
}

/// At rest, where the start was good enough and a solve has cost nothing: impulses that do not depend on how the load
/// came about. They are kept in mind from step to step, so that this is done once, when a load has changed.
void Canal::forget_self_stress(std::span<const double> least) {
  result_.least.assign(least.begin(), least.end());
  const bool at_rest = well_within() && result_.stats.work == 0 && smoothed_ == 0;
  if (!canal_.least_impulses || !at_rest || progress_.must_end() || is_least(least)) return;
  m_.surrogate.prepare(prepared_);
  const double within = kStrategy.newton.margin * settings_.tolerance;
  if (relax({.opening = within, .slip = settings_.tolerance}) &&
      Progress::measure(m_.judge.evaluate(prepared_, m_.trial_lambda), settings_) <= within) {
    progress_.forget();
    progress_.look_at(m_.trial_lambda);
  }
  result_.least = m_.best_lambda;  // also where it stays: there is nothing to be gained by another try
}

/// The least impulses with the velocities of the best ones, in trial_lambda.
bool Canal::relax(const SelfStress::Rest& rest) {
  m_.judge.evaluate(prepared_, m_.best_lambda);
  const SelfStress::Outcome outcome = m_.self_stress.relax(prepared_, m_.surrogate.matrix(), m_.best_lambda,
                                                           m_.judge.constraint_velocity(), rest, m_.trial_lambda);
  progress_.spend(outcome.factorizations);
  result_.stats.factorizations += outcome.factorizations;
  return outcome.found;
}

/// Newton stalls just above the tolerance where stress has piled up: a column that an impact has jammed in a tube with
/// a hundred times its weight has its loads in the last digits. Without the stress the same velocities are a good
/// start. In motion a round of the other stages comes first: most that Newton leaves, they solve at a lower price.
void Canal::newton_without_stress() {
  const double rest = progress_.best() * static_cast<double>(problem_.constraints.size());
  if (is_over() || !(progress_.best() <= kStrategy.newton.stalled)) return;
  if (!relax({.opening = rest, .slip = rest})) return;
  m_.judge.evaluate(prepared_, m_.trial_lambda);
  m_.lambda = m_.trial_lambda;
  newton(m_.lambda, {.work = kStages[0].listed.work, .patience = kStrategy.newton.sharp_patience});
}

/// Whether the best impulses have hardly changed since they were made least.
bool Canal::is_least(std::span<const double> least) const {
  constexpr double kSame = 1e-7;  // of the impulses
  if (least.size() != m_.best_lambda.size()) return false;
  double change = 0;
  for (std::size_t k = 0; k < least.size(); ++k) change += std::pow(m_.best_lambda[k] - least[k], 2);
  return change <= kSame * kSame * dot(m_.best_lambda, m_.best_lambda);
}

std::span<const SolverStage> canal_stages() { return Canal::stages(); }

void solve_canal(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result) {
  ThreadPool* pool = settings.threads > 1 ? &workspace.threads(settings.threads) : nullptr;
  Canal(prepared, settings, workspace.get<CanalMemory>(), pool, result).run(workspace.start, workspace.least);
}

}  // namespace uzawa
