#include "uzawa/solver/ablation/strict_loop.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/solver/canal/penalty_rule.hpp"
#include "uzawa/solver/linear/effective_mass.hpp"
#include "uzawa/solver/progress.hpp"

namespace uzawa {

namespace {

constexpr int kDefaultLoops = 50;  // as CANAL's
constexpr int kContradiction = 3;  // loops in which nothing but lambda changes

struct StrictLoopMemory : Workspace::Base {
  Judge judge;
  StrictEquation equation;
  std::vector<double> y, lambda, best_lambda;  // y: v scaled, see StrictEquation
};

/// lambda <- impulse; returns |J v - z| = |lambda+ - lambda| / beta.
double update_multiplier(std::span<const double> impulse, double beta, std::span<double> lambda) {
  double square = 0;
  for (std::size_t k = 0; k < lambda.size(); ++k) {
    const double change = (impulse[k] - lambda[k]) / beta;
    square += change * change;
    lambda[k] = impulse[k];
  }
  return std::sqrt(square);
}

}  // namespace

void solve_strict_loop(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result,
                       InnerMethod inner) {
  auto& m = workspace.get<StrictLoopMemory>();
  Progress progress(prepared, settings, m.judge, m.best_lambda, result);
  m.equation.prepare(prepared);
  progress.start_from(workspace.start, m.lambda);
  m.y.resize(static_cast<std::size_t>(prepared.problem().n()));
  m.equation.set_velocity(m.judge.velocity(), m.y);
  PenaltyRule penalty(settings.canal, settings.canal.penalty * effective_mass(prepared));

  const int loops = settings.max_iterations > 0 ? settings.max_iterations : kDefaultLoops;
  for (int loop = 0; loop < loops && !progress.converged(); ++loop) {
    m.equation.pose(m.lambda, penalty.beta());
    const InnerOutcome outcome =
        inner(m.equation, settings.canal.newton_tolerance, settings.canal.max_newton_steps, m.y);
    ++result.stats.iterations;
    result.stats.inner_iterations += outcome.steps;
    result.stats.factorizations += outcome.factorizations;
    result.stats.inner_failures += outcome.solved ? 0 : 1;
    penalty.end_of_loop(update_multiplier(m.equation.impulse(), penalty.beta(), m.lambda));
    progress.look_at(m.lambda);
    progress.record(penalty.beta());
    if (progress.converged()) break;
    if (outcome.solved && penalty.constant_loops(settings.tolerance) >= kContradiction) {
      return progress.finish(SolveStatus::LeastViolation, m.lambda);
    }
    if (progress.must_end()) return progress.finish(progress.ending(SolveStatus::IterationLimit));
  }
  progress.finish(progress.converged() ? SolveStatus::Converged : SolveStatus::IterationLimit);
}

}  // namespace uzawa
