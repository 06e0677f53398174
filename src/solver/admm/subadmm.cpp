/// SubADMM, the subsystem-based alternating direction method of multipliers ([AL] Algorithm 2): velocities subsystem by
/// subsystem with one factorisation (eq. 35), then slacks and impulses constraint by constraint in closed form with the
/// strict law (eq. 36-40). No step needs anything but its neighbours' last values.
///
/// Beside it the two methods that [AL] Table III compares it with; they differ in how slacks are split and in nothing
/// else.
#include "uzawa/solver/admm/subadmm_iteration.hpp"
#include "uzawa/solver/progress.hpp"

namespace uzawa {

namespace {

/// With 1000, 160 in place of 88 of 528 steps of a heap of 27 robots are cut short, and what they leave adds up: in
/// some heaps joints pass their limits by more than 1e-4 rad. It costs a tenth to a third of the mean time of a solve.
constexpr int kDefaultIterations = 2000;

struct SubAdmmMemory : Workspace::Base {
  Judge judge;
  SubAdmmIteration iteration;
  std::vector<double> start, best_lambda;
};

void iterate(PreparedProblem& prepared, const Settings& settings, Splitting splitting, Workspace& workspace,
             Result& result) {
  auto& m = workspace.get<SubAdmmMemory>();
  const Problem& problem = prepared.problem();
  Progress progress(prepared, settings, m.judge, m.best_lambda, result);
  progress.start_from(workspace.start, m.start);
  ThreadPool* pool = settings.threads > 1 ? &workspace.threads(settings.threads) : nullptr;
  // In pieces the iteration has ties beside the problem's own rows; the judge is asked about the latter alone.
  const bool cut =
      splitting == Splitting::Bodies && settings.pieces != PieceUse::Whole && workspace.pieces.prepare(problem);
  PreparedProblem& iterated = cut ? workspace.pieces.prepared : prepared;
  if (cut) workspace.pieces.start_from(prepared, m.start);
  m.iteration.prepare(iterated, settings.subadmm, cut ? workspace.pieces.start : m.start, splitting, pool);
  const int limit = settings.max_iterations > 0 ? settings.max_iterations : kDefaultIterations;
  const double theta = settings.subadmm.theta;
  bool settled = false;
  const auto step = [&] {
    m.iteration.step(iterated.problem());
    settled = theta > 0 && m.iteration.theta() < theta;
  };
  const auto look = [&] {
    const std::span<const double> lambda = m.iteration.impulses(iterated.problem());
    if (result.stats.iterations > 0) progress.look_at(lambda.first(static_cast<std::size_t>(problem.rows)));
    progress.record(m.iteration.beta());
  };
  const SolveStatus status = theta > 0 ? progress.iterate_until(limit, step, look, [&] { return settled; })
                                       : progress.iterate(limit, step, look);
  result.stats.factorizations = m.iteration.factorizations();
  result.stats.inner_failures = m.iteration.healthy() ? 0 : 1;
  progress.finish(status);
}

}  // namespace

void solve_subadmm(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result) {
  iterate(prepared, settings, Splitting::Bodies, workspace, result);
}

void solve_admm_no_body(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result) {
  iterate(prepared, settings, Splitting::Subsystems, workspace, result);
}

void solve_admm_no_sub(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result) {
  iterate(prepared, settings, Splitting::None, workspace, result);
}

}  // namespace uzawa
