/// Projected Gauss-Seidel on the Delassus operator: one constraint at a time against the latest velocities. What most
/// engines use, so it must not be a straw man: blocks of three for contacts, the normal first and friction with the
/// updated sliding velocity, steps from the contact's own 3x3 block, warm start, over-relaxation, matrix-free or
/// explicit by what is cheaper.
#include "uzawa/solver/gauss_seidel.hpp"
#include "uzawa/solver/progress.hpp"

namespace uzawa {

namespace {

constexpr int kDefaultSweeps = 1000;
constexpr int kJudgeEvery = 10;  // sweeps between two looks at the residual, where no history is asked for

struct PgsMemory : Workspace::Base {
  Judge judge;
  CompactRows rows;
  DelassusOperator delassus;
  std::vector<double> lambda, best_lambda;
};

}  // namespace

void solve_pgs(const Problem& problem, const Settings& settings, Workspace& workspace, Result& result) {
  auto& m = workspace.get<PgsMemory>();
  Progress progress(problem, settings, m.judge, m.best_lambda, result);
  m.rows.build(problem, m.judge.rows());
  m.delassus.prepare(problem, m.judge, m.rows);
  m.lambda.assign(static_cast<std::size_t>(problem.rows), 0.0);
  if (workspace.start.size() == m.lambda.size()) m.lambda = workspace.start;
  m.delassus.reset(problem, m.judge, m.rows, m.lambda);
  progress.look_at(m.lambda);
  progress.record(0);
  const int sweeps = settings.max_iterations > 0 ? settings.max_iterations : kDefaultSweeps;
  while (!progress.converged() && result.stats.iterations < sweeps) {
    gauss_seidel_sweep(problem, settings.pgs, m.rows, m.delassus, m.lambda);
    const int done = ++result.stats.iterations;
    const bool late = progress.out_of_time();
    if (settings.history || late || done % kJudgeEvery == 0 || done == sweeps) {
      progress.look_at(m.lambda);
      progress.record(0);
    }
    if (late && !progress.converged()) return progress.finish(SolveStatus::TimeLimit);
  }
  progress.finish(progress.converged() ? SolveStatus::Converged : SolveStatus::IterationLimit);
}

}  // namespace uzawa
