/// Springs and dampers in place of contact, the penalty model of [COND] Table I (its reference [22]; the laws are in
/// penalty_laws.hpp). A Problem has no velocities of the start of the step, so the two forms are:
///
/// - end (default): gaps and velocities at the end of the step. For given bounds of friction the laws have convex
///   potentials: Newton with exact line search; the bounds follow the normal impulses from round to round. Stable for
///   any gain.
/// - start: gaps at the start, velocities A^-1 b, which the step would end with if nothing touched: those of the start
///   and a step of the smooth forces, which dampers feel, too. Explicit, no system is solved: what [COND] means by a
///   penalty model, which large gains make bounce.
///
/// Either way the answer is that of the springs, `Relaxed` unless the judge happens to be satisfied.
#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/solver/baseline/convex_newton.hpp"
#include "uzawa/solver/baseline/penalty_laws.hpp"
#include "uzawa/solver/progress.hpp"

namespace uzawa {

namespace {

constexpr int kDefaultSteps = 500;      // Newton steps of all rounds; a round needs about 5, later ones 2
constexpr double kBoundChange = 1e-10;  // of the largest normal impulse: the bounds of friction are found

struct PenaltyMemory : Workspace::Base {
  Judge judge;
  PenaltyLaws laws;
  ConvexNewtonMemory newton;
  std::vector<double> best_lambda;
};

double largest_normal(const Problem& problem, std::span<const double> impulse) {
  double largest = 0;
  for (const int row : problem.contacts.row) largest = std::max(largest, impulse[at(row) + 2]);
  return largest;
}

/// True where the springs' problem is solved.
bool solve_implicitly(PreparedProblem& prepared, int limit, PenaltyMemory& m, Progress& progress, Stats& stats) {
  const Problem& problem = prepared.problem();
  ConvexNewton newton(prepared, m.laws, m.newton);
  bool solved = newton.evaluate();
  while (stats.iterations < limit && !progress.must_end()) {
    if (solved) {
      const double change = m.laws.bound_friction(problem, m.newton.impulse);
      if (change <= kBoundChange * largest_normal(problem, m.newton.impulse)) return true;
      solved = newton.evaluate();
      continue;
    }
    const bool moved = newton.step();
    ++stats.iterations;
    ++stats.factorizations;
    solved = newton.evaluate() || !moved;
  }
  return false;
}

}  // namespace

void solve_penalty(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result) {
  auto& m = workspace.get<PenaltyMemory>();
  const Problem& problem = prepared.problem();
  Progress progress(prepared, settings, m.judge, m.best_lambda, result);
  m.laws.prepare(problem, settings.penalty);
  std::vector<double>& impulse = m.newton.impulse;
  impulse.assign(at(problem.rows), 0.0);
  bool solved = true;
  if (settings.penalty.time == PenaltyTime::Start) {
    m.laws.respond_explicitly(problem, prepared.free_constraint_velocity(), impulse);
  } else {
    if (workspace.start.size() == impulse.size()) impulse = workspace.start;
    m.laws.bound_friction(problem, impulse);
    m.judge.evaluate(prepared, impulse);
    m.newton.v.assign(m.judge.velocity().begin(), m.judge.velocity().end());
    const int limit = settings.max_iterations > 0 ? settings.max_iterations : kDefaultSteps;
    solved = solve_implicitly(prepared, limit, m, progress, result.stats);
  }
  SolveStatus status = solved ? SolveStatus::Relaxed : progress.ending(SolveStatus::IterationLimit);
  const Verdict verdict = m.judge.evaluate(prepared, impulse);
  if (Progress::measure(verdict, settings) <= settings.tolerance) status = SolveStatus::Converged;
  progress.finish(status, impulse);
}

}  // namespace uzawa
