/// The soft convex formulation of contact, as in MuJoCo: the baseline of [AL] section VII-E. One convex problem,
///
///     minimise over v   v^T A v/2 - b^T v + sum psi_i(J_i v),
///
/// solved exactly by Newton with exact line search; the laws behind psi are in soft_laws.hpp. No outer loop: what its
/// relaxation of Signorini-Coulomb costs (sinking, creeping, gliding) stays in the answer. So the status is `Relaxed`
/// unless the judge happens to be satisfied.
#include "uzawa/solver/baseline/convex_newton.hpp"
#include "uzawa/solver/baseline/soft_laws.hpp"
#include "uzawa/solver/progress.hpp"

namespace uzawa {

namespace {

constexpr int kDefaultSteps = 100;  // Newton needs about 10

struct SoftConvexMemory : Workspace::Base {
  Judge judge;
  SoftLaws laws;
  ConvexNewtonMemory newton;
  std::vector<double> best_lambda, rates;
};

}  // namespace

void solve_soft_convex(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result) {
  auto& m = workspace.get<SoftConvexMemory>();
  const Problem& problem = prepared.problem();
  Progress progress(prepared, settings, m.judge, m.best_lambda, result);
  std::vector<double>& impulse = m.newton.impulse;
  impulse.assign(static_cast<std::size_t>(problem.rows), 0.0);
  if (workspace.start.size() == impulse.size()) impulse = workspace.start;
  m.judge.evaluate(prepared, impulse);
  m.newton.v.assign(m.judge.velocity().begin(), m.judge.velocity().end());
  m.rates.clear();
  if (problem.start_v.size() == problem.b.size()) {
    m.rates.resize(static_cast<std::size_t>(problem.rows));
    prepared.compact_rows().multiply(problem.start_v.data(), m.rates.data());
  }
  m.laws.prepare(problem, settings.soft_convex, prepared.delassus(DelassusForm::MatrixFree), m.rates);
  ConvexNewton newton(prepared, m.laws, m.newton);
  const int steps = settings.max_iterations > 0 ? settings.max_iterations : kDefaultSteps;
  bool solved = newton.evaluate();
  while (!solved && result.stats.iterations < steps && !progress.must_end()) {
    const bool moved = newton.step();
    ++result.stats.iterations;
    ++result.stats.factorizations;
    solved = newton.evaluate() || !moved;
    if (settings.history) progress.look_at(impulse);
    progress.record(0);
  }
  // The answer is the convex problem's, even where an iterate on the way pleases the judge more.
  SolveStatus status = SolveStatus::Relaxed;
  if (!solved) status = progress.ending(SolveStatus::IterationLimit);
  const Verdict verdict = m.judge.evaluate(prepared, impulse);
  if (Progress::measure(verdict, settings) <= settings.tolerance) status = SolveStatus::Converged;
  progress.finish(status, impulse);
}

}  // namespace uzawa
