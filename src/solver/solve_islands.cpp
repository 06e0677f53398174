#include <algorithm>
#include <chrono>

#include "uzawa/problem/islands.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa {

namespace {

/// The status that says most about what went wrong.
SolveStatus worse(SolveStatus a, SolveStatus b) {
  const auto rank = [](SolveStatus s) {
    switch (s) {
      case SolveStatus::Converged: return 0;
      case SolveStatus::LeastViolation: return 1;
      case SolveStatus::IterationLimit: return 2;
      case SolveStatus::TimeLimit: return 3;
    }
    return 4;
  };
  return rank(a) >= rank(b) ? a : b;
}

}  // namespace

void solve_islands(const Solver& solver, const Problem& problem, const Settings& settings, Workspace& workspace,
                   Result& result) {
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  const std::vector<Island> islands = split_into_islands(problem);
  result = {};
  result.status = SolveStatus::Converged;
  result.lambda.assign(static_cast<std::size_t>(problem.rows), 0.0);
  // The Siconos error of the whole is at most sqrt(3) times the largest of the parts.
  Settings part_settings = settings;
  part_settings.tolerance = settings.tolerance / 2;
  Workspace part_workspace;
  Result part;
  for (const Island& island : islands) {
    if (settings.budget_us > 0) part_settings.budget_us = std::max(1.0, settings.budget_us - seconds() * 1e6);
    part_workspace.start.clear();
    if (workspace.start.size() == result.lambda.size()) {
      part_workspace.start.resize(static_cast<std::size_t>(island.problem.rows));
      scatter_impulses(problem, island, workspace.start, part_workspace.start);
    }
    solver.solve(island.problem, part_settings, part_workspace, part);
    gather_impulses(problem, island, part.lambda, result.lambda);
    result.status = worse(result.status, part.status);
    result.stats.iterations = std::max(result.stats.iterations, part.stats.iterations);
    result.stats.inner_iterations += part.stats.inner_iterations;
    result.stats.inner_failures += part.stats.inner_failures;
    result.stats.factorizations += part.stats.factorizations;
    // The history of the whole is that of the island that took longest.
    if (part.stats.history.size() > result.stats.history.size()) result.stats.history = part.stats.history;
  }
  result.stats.islands = static_cast<int>(islands.size());
  Judge judge;
  judge.prepare(problem);
  result.verdict = judge.evaluate(problem, result.lambda);
  result.v.assign(judge.velocity().begin(), judge.velocity().end());
  result.stats.seconds = seconds();
}

}  // namespace uzawa
