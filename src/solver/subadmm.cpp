/// SubADMM, the subsystem-based alternating direction method of multipliers ([AL] Algorithm 2): velocities subsystem by
/// subsystem with one factorisation (eq. 35), then slacks and impulses constraint by constraint in closed form with the
/// strict law (eq. 36-40). No step needs anything but its neighbours' last values.
#include "uzawa/solver/progress.hpp"
#include "uzawa/solver/subadmm_iteration.hpp"

namespace uzawa {

namespace {

constexpr int kDefaultIterations = 1000;
constexpr int kJudgeEvery = 10;  // iterations between two looks at the residual, where no history is asked for

struct SubAdmmMemory : Workspace::Base {
  Judge judge;
  SubAdmmIteration iteration;
  std::vector<double> start, best_lambda;
};

}  // namespace

void solve_subadmm(const Problem& problem, const Settings& settings, Workspace& workspace, Result& result) {
  auto& m = workspace.get<SubAdmmMemory>();
  Progress progress(problem, settings, m.judge, m.best_lambda, result);
  m.start.assign(static_cast<std::size_t>(problem.rows), 0.0);
  if (workspace.start.size() == m.start.size()) m.start = workspace.start;
  m.iteration.prepare(problem, settings.subadmm, m.judge, m.start);
  const auto judge = [&] {
    progress.look_at(m.iteration.impulses(problem));
    progress.record(m.iteration.beta());
  };
  judge();
  const int limit = settings.max_iterations > 0 ? settings.max_iterations : kDefaultIterations;
  bool late = false;
  while (!progress.converged() && !late && result.stats.iterations < limit) {
    m.iteration.step(problem);
    const int done = ++result.stats.iterations;
    late = progress.out_of_time();
    if (settings.history || late || done % kJudgeEvery == 0 || done == limit) judge();
  }
  result.stats.factorizations = m.iteration.factorizations();
  result.stats.inner_failures = m.iteration.healthy() ? 0 : 1;
  const SolveStatus otherwise = late ? SolveStatus::TimeLimit : SolveStatus::IterationLimit;
  progress.finish(progress.converged() ? SolveStatus::Converged : otherwise);
}

}  // namespace uzawa
