#include "uzawa/sim/automatic.hpp"

#include <algorithm>
#include <cmath>

namespace uzawa {

namespace {

constexpr int kCascadeLoops = 10;  // of CANAL on a large island, after SubADMM

struct AutomaticMemory : Workspace::Base {
  Workspace canal, subadmm;
  Result second;
};

/// What the choice between two answers goes by; infinite where there are no numbers.
double measure(const Result& result) {
  const double worst = std::max(result.verdict.residual, result.verdict.siconos);
  return std::isfinite(worst) ? worst : HUGE_VAL;
}

void solve_automatic(const Problem& problem, const Settings& settings, Workspace& workspace, Result& result) {
  auto& m = workspace.get<AutomaticMemory>();
  const bool canal_first = problem.rows <= kCanalRows;
  const auto run = [&](bool canal, const std::vector<double>& start, Result& out) {
    Workspace& own = canal ? m.canal : m.subadmm;
    own.start = start;
    own.pool = workspace.pool;
    Settings own_settings = settings;
    if (canal && !canal_first) {
      own_settings.canal.polish = false;
      own_settings.max_iterations = kCascadeLoops;
    }
    (canal ? solve_canal : solve_subadmm)(problem, own_settings, own, out);
  };
  run(canal_first, workspace.start, result);
  const bool decided = result.status == SolveStatus::LeastViolation || result.status == SolveStatus::TimeLimit;
  if (measure(result) <= kFailure || (decided && std::isfinite(measure(result)))) return;
  const bool usable = std::isfinite(measure(result));
  run(!canal_first, usable ? result.lambda : workspace.start, m.second);
  if (measure(m.second) < measure(result)) std::swap(result, m.second);
}

constexpr Solver kAutomatic{"auto", "by the size of the island: canal or subadmm, the other where that fails",
                            solve_automatic, true};

}  // namespace

const Solver& automatic_solver() { return kAutomatic; }

const Solver& find_sim_solver(std::string_view name) {
  return name == kAutomatic.name ? kAutomatic : find_solver(name);
}

}  // namespace uzawa
