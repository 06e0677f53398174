/// Projected Gauss-Seidel on the Delassus operator: one constraint at a time against the latest velocities. What most
/// engines use, so it must not be a straw man: blocks of three for contacts, with steps from the contact's own 3x3
/// block; shuffled sweeps, warm start, over-relaxation, matrix-free or explicit by what is cheaper.
#include "uzawa/solver/gauss_seidel/conjugate_sweeps.hpp"
#include "uzawa/solver/gauss_seidel/gauss_seidel.hpp"
#include "uzawa/solver/progress.hpp"

namespace uzawa {

namespace {

constexpr int kDefaultSweeps = 1000;

struct PgsMemory : Workspace::Base {
  Judge judge;
  DelassusOperator::Velocities velocities;
  SweepOrder order;
  ConjugateSweeps conjugate;
  std::vector<double> lambda, best_lambda;
};

}  // namespace

void solve_pgs(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result) {
  auto& m = workspace.get<PgsMemory>();
  const Problem& problem = prepared.problem();
  Progress progress(prepared, settings, m.judge, m.best_lambda, result);
  const CompactRows& rows = prepared.compact_rows();
  const DelassusOperator& delassus = prepared.delassus(settings.pgs.form);
  m.order.reset(rows.constraints());
  progress.start_from(workspace.start, m.lambda);
  DelassusOperator::reset(problem, prepared.factor(), rows, m.lambda, m.velocities);
  const bool conjugate = settings.pgs.acceleration == PgsAcceleration::Conjugate;
  m.conjugate.reset();
  const SolveStatus status = progress.iterate(
      settings.max_iterations > 0 ? settings.max_iterations : kDefaultSweeps,
      [&] {
        if (settings.pgs.shuffle && !conjugate) m.order.shuffle();
        const auto sweep = [&] {
          gauss_seidel_sweep(problem, settings.pgs, m.order.order(), rows, delassus, m.velocities, m.lambda);
        };
        if (conjugate) {
          m.conjugate.step(m.lambda, m.velocities, sweep);
        } else {
          sweep();
        }
      },
      [&] {
        if (result.stats.iterations > 0) progress.look_at(m.lambda);
        progress.record(0);
      });
  progress.finish(status);
}

}  // namespace uzawa
