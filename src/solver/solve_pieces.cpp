/// Soft bodies and rods in pieces (PieceSplit).
#include "uzawa/base/at.hpp"
#include "uzawa/solver/progress.hpp"

namespace uzawa {

bool PiecesMemory::prepare(const Problem& whole) {
  if (!split.split(whole)) return false;
  prepared.prepare(split.problem());
  return true;
}

void PiecesMemory::start_from(const PreparedProblem& whole, std::span<const double> lambda) {
  const Problem& problem = whole.problem();
  start.assign(at(split.problem().rows), 0.0);
  v.resize(at(problem.n()));
  const std::span<double> own(start.data(), at(problem.rows));
  if (lambda.size() == own.size()) std::copy(lambda.begin(), lambda.end(), own.begin());
  whole.velocity(own, v);
  split.split_impulses(problem, prepared.rows(), own, v, start);
}

/// A method that knows nothing of pieces solves the problem in pieces, ties and all; the judge's word is on the whole.
void Solver::solve_split(const Problem& problem, const Settings& settings, Workspace& workspace, Result& result) const {
  PiecesMemory& cut = workspace.pieces;
  workspace.prepared.prepare(problem);
  if (!cut.prepare(problem)) return method(workspace.prepared, settings, workspace, result);
  cut.start_from(workspace.prepared, workspace.start);
  workspace.start.swap(cut.start);
  method(cut.prepared, settings, workspace, result);
  workspace.start.swap(cut.start);
  result.lambda.resize(at(problem.rows));
  result.verdict = cut.judge.evaluate(workspace.prepared, result.lambda);
  result.v.assign(cut.judge.velocity().begin(), cut.judge.velocity().end());
  result.stats.seconds += workspace.prepared.seconds();
  const bool good = Progress::measure(result.verdict, settings) <= settings.tolerance;
  if (good) result.status = SolveStatus::Converged;
  if (!good && result.status == SolveStatus::Converged) result.status = SolveStatus::Stalled;
}

}  // namespace uzawa
