#include "uzawa/sim/automatic.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/solver/effective_mass.hpp"
#include "uzawa/solver/progress.hpp"

namespace uzawa {

namespace {

struct AutomaticMemory : Workspace::Base {
  Workspace canal, subadmm;
  Result second;
};

/// What the choice between two answers goes by; infinite where there are no numbers.
double measure(const Result& result, const Settings& settings) {
  const double worst = Progress::measure(result.verdict, settings);
  return std::isfinite(worst) ? worst : HUGE_VAL;
}

/// Heaviest over lightest of what the constraints hold.
double mass_spread(const Problem& problem) {
  double least = HUGE_VAL, most = 0;
  for (const Block& block : problem.blocks) {
    const double mass = block_mass(problem, block);
    least = std::min(least, mass);
    most = std::max(most, mass);
  }
  return most / least;
}

/// One method on the whole problem, from `start`; `even`: masses, where it matters.
void run(bool canal, bool even, const Problem& problem, const Settings& settings, const std::vector<double>& start,
         Workspace& own, Result& result) {
  own.start = start;
  Settings own_settings = settings;
  own_settings.canal.cascade = settings.canal.cascade && !(problem.rows > kCascadeRows && even);
  (canal ? solve_canal : solve_subadmm)(problem, own_settings, own, result);
}

void solve_automatic(const Problem& problem, const Settings& settings, Workspace& workspace, Result& result) {
  auto& m = workspace.get<AutomaticMemory>();
  const bool even = problem.rows > kCascadeRows && mass_spread(problem) <= kEvenMasses;
  const bool canal_first = !(problem.rows > kNewtonRows && even);
  m.canal.pool = m.subadmm.pool = workspace.pool;
  Workspace &first = canal_first ? m.canal : m.subadmm, &other = canal_first ? m.subadmm : m.canal;
  run(canal_first, even, problem, settings, workspace.start, first, result);
  const bool decided = result.status == SolveStatus::Converged || result.status == SolveStatus::LeastViolation ||
                       result.status == SolveStatus::TimeLimit;
  const bool usable = std::isfinite(measure(result, settings));
  if (decided && usable) return;
  run(!canal_first, even, problem, settings, usable ? result.lambda : workspace.start, other, m.second);
  if (measure(m.second, settings) < measure(result, settings)) std::swap(result, m.second);
  // Of two that fail, the one that says why is to be believed.
  const bool stalled = m.second.status == SolveStatus::Stalled || m.second.status == SolveStatus::LeastViolation;
  if (stalled && result.status == SolveStatus::IterationLimit) result.status = m.second.status;
}

constexpr Solver kAutomatic{"auto", "by size and masses of the island: canal or subadmm, the other where that fails",
                            solve_automatic, true};

}  // namespace

const Solver& automatic_solver() { return kAutomatic; }

const Solver& find_sim_solver(std::string_view name) {
  return name == kAutomatic.name ? kAutomatic : find_solver(name);
}

}  // namespace uzawa
