/// Projected Gauss-Seidel on the Delassus operator: one constraint at a time against the latest velocities. What most
/// engines use, so it must not be a straw man: blocks of three for contacts, with steps from the contact's own 3x3
/// block; shuffled sweeps, warm start, over-relaxation, matrix-free or explicit by what is cheaper.
#include "uzawa/solver/gauss_seidel/gauss_seidel.hpp"
#include "uzawa/solver/progress.hpp"

namespace uzawa {

namespace {

constexpr int kDefaultSweeps = 1000;

struct PgsMemory : Workspace::Base {
  Judge judge;
  CompactRows rows;
  DelassusOperator delassus;
  SweepOrder order;
  std::vector<double> lambda, best_lambda;
};

}  // namespace

void solve_pgs(const Problem& problem, const Settings& settings, Workspace& workspace, Result& result) {
  auto& m = workspace.get<PgsMemory>();
  Progress progress(problem, settings, m.judge, m.best_lambda, result);
  m.rows.build(problem, m.judge.rows());
  m.delassus.prepare(problem, m.judge, m.rows, settings.pgs.form);
  m.order.reset(m.rows.constraints());
  progress.start_from(workspace.start, m.lambda);
  m.delassus.reset(problem, m.judge, m.rows, m.lambda);
  const SolveStatus status = progress.iterate(
      settings.max_iterations > 0 ? settings.max_iterations : kDefaultSweeps,
      [&] {
        if (settings.pgs.shuffle) m.order.shuffle();
        gauss_seidel_sweep(problem, settings.pgs, m.order.order(), m.rows, m.delassus, m.lambda);
      },
      [&] {
        if (result.stats.iterations > 0) progress.look_at(m.lambda);
        progress.record(0);
      });
  progress.finish(status);
}

}  // namespace uzawa
