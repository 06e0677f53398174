/// Projected Gauss-Seidel on the Delassus operator: one constraint at a time against the latest velocities. What most
/// engines use, so it must not be a straw man: blocks of three for contacts, the normal first and friction with the
/// updated sliding velocity, steps from the contact's own 3x3 block, warm start, over-relaxation, matrix-free or
/// explicit by what is cheaper.
#include <algorithm>
#include <chrono>
#include <cmath>

#include "uzawa/solver/gauss_seidel.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kDefaultSweeps = 1000;
constexpr int kJudgeEvery = 10;  // sweeps between two looks at the residual, where no history is asked for

std::size_t at(int i) { return static_cast<std::size_t>(i); }

struct PgsMemory : Workspace::Base {
  Judge judge;
  CompactRows rows;
  DelassusOperator delassus;
  std::vector<double> lambda, best_lambda;
};

}  // namespace

void solve_pgs(const Problem& problem, const Settings& settings, Workspace& workspace, Result& result) {
  const auto start = Clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  PgsMemory& m = workspace.get<PgsMemory>();
  result.stats = {};
  m.judge.prepare(problem);
  m.rows.build(problem, m.judge.rows());
  m.delassus.prepare(problem, m.judge, m.rows);
  m.lambda.assign(at(problem.rows), 0.0);
  if (workspace.start.size() == m.lambda.size()) m.lambda = workspace.start;
  m.delassus.reset(problem, m.judge, m.rows, m.lambda);

  double best = 1e300;
  const auto judge = [&] {
    const Verdict verdict = m.judge.evaluate(problem, m.lambda);
    const double measure = std::max(verdict.residual, verdict.siconos);
    if (measure < best) {
      best = measure;
      m.best_lambda = m.lambda;
      result.verdict = verdict;
    }
    if (settings.history) result.stats.history.push_back({verdict.residual, seconds(), result.stats.iterations, 0});
  };
  judge();
  const int sweeps = settings.max_iterations > 0 ? settings.max_iterations : kDefaultSweeps;
  result.status = SolveStatus::IterationLimit;
  while (best > settings.tolerance && result.stats.iterations < sweeps) {
    gauss_seidel_sweep(problem, settings.pgs, m.rows, m.delassus, m.lambda);
    ++result.stats.iterations;
    if (settings.history || result.stats.iterations % kJudgeEvery == 0 || result.stats.iterations == sweeps) judge();
    if (settings.budget_us > 0 && seconds() * 1e6 >= settings.budget_us) {
      judge();
      if (best > settings.tolerance) result.status = SolveStatus::TimeLimit;
      break;
    }
  }
  if (best <= settings.tolerance) result.status = SolveStatus::Converged;
  result.lambda = m.best_lambda;
  result.verdict = m.judge.evaluate(problem, result.lambda);
  result.v.assign(m.judge.velocity().begin(), m.judge.velocity().end());
  result.stats.seconds = seconds();
}

}  // namespace uzawa
