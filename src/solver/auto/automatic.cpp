#include "uzawa/solver/auto/automatic.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/solver/linear/effective_mass.hpp"
#include "uzawa/solver/progress.hpp"

namespace uzawa {

namespace {

struct AutomaticMemory : Workspace::Base {
  Workspace canal, subadmm, cond;
  Result second;
};

/// Error by which two answers are compared; infinite where it is not a number.
double measure(const Result& result, const Settings& settings) {
  const double worst = Progress::measure(result.verdict, settings);
  return std::isfinite(worst) ? worst : HUGE_VAL;
}

/// Mass of the heaviest subsystem over that of the lightest.
double mass_spread(const Problem& problem) {
  double least = HUGE_VAL, most = 0;
  for (const Block& block : problem.blocks) {
    const double mass = block_mass(problem, block);
    least = std::min(least, mass);
    most = std::max(most, mass);
  }
  return most / least;
}

bool is_final(const Result& result, const Settings& settings) {
  return result.status != SolveStatus::IterationLimit && result.status != SolveStatus::Stalled &&
         std::isfinite(measure(result, settings));
}

bool is_limited(SolveStatus status) {
  return status == SolveStatus::WorkLimit || status == SolveStatus::TimeLimit || status == SolveStatus::Interrupted;
}

/// The better of two answers. Of two that fail, the one that says why is to be believed.
void keep_better(Result& result, const Result& other, const Settings& settings) {
  const bool better = measure(other, settings) < measure(result, settings);
  const SolveStatus rejected = better ? result.status : other.status;
  if (better) result = other;  // a copy: memory that changes places would be allocated twice
  const bool says_why = rejected == SolveStatus::Stalled || rejected == SolveStatus::LeastViolation;
  if (says_why && result.status == SolveStatus::IterationLimit) result.status = rejected;
  // Whichever answer is kept: it is the limit that has ended the search for a better one.
  if (is_limited(rejected) && result.status != SolveStatus::Converged) result.status = rejected;
}

/// Time and work of all attempts, whichever of them is kept.
class Account {
 public:
  Account(const PreparedProblem& prepared, const Settings& settings) : prepared_(prepared), settings_(settings) {}
  /// With the time that is left; each attempt itself counts the time that preparing took.
  Settings settings() const {
    Settings left = settings_;
    if (left.budget_us > 0) left.budget_us = std::max(1.0, left.budget_us - seconds_ * 1e6);
    return left;
  }
  void add(const Stats& stats) {
    iterations_ += stats.iterations;
    inner_iterations_ += stats.inner_iterations;
    inner_failures_ += stats.inner_failures;
    factorizations_ += stats.factorizations;
    work_ += stats.work;
    seconds_ += stats.seconds - prepared_.seconds();
  }
  void write(Stats& stats) const {
    stats.iterations = iterations_;
    stats.inner_iterations = inner_iterations_;
    stats.inner_failures = inner_failures_;
    stats.factorizations = factorizations_;
    stats.work = work_;
    stats.seconds = prepared_.seconds() + seconds_;
  }

 private:
  const PreparedProblem& prepared_;
  const Settings& settings_;
  double work_ = 0, seconds_ = 0;  ///< s: of the attempts alone
  int iterations_ = 0, inner_iterations_ = 0, inner_failures_ = 0, factorizations_ = 0;
};

/// What COND's iterations grow with: sqrt of a row of A over the mass of a node, mean. Constant velocities strain
/// nothing, so the sum of all of A is three times the mass.
double stiffness_root(const NodalMatrix& matrix) {
  const NodalPattern& pattern = *matrix.pattern;
  double mass = 0, stiffness = 0;
  for (int row = 0; row < pattern.nodes(); ++row) {
    for (int k = pattern.start[at(row)]; k < pattern.start[at(row) + 1]; ++k) {
      const double *block = matrix.block(at(k)), twice = pattern.column[at(k)] == row ? 1 : 2;
      for (int i = 0; i < 9; i += 4) mass += twice * block[i];
      for (int i = 0; i < 9; ++i) stiffness += twice * std::abs(block[i]);
    }
  }
  return std::sqrt(stiffness / mass);
}

}  // namespace

bool prefers_cond(const Problem& problem, const Settings& settings) {
  if (problem.nodal.empty() || settings.tolerance < kLoose || settings.require_siconos) return false;
  if (problem.moments.size() > 0) return false;
  int nodes = 0, touched = 0, rigid = 0;
  for (const NodalMatrix& matrix : problem.nodal) nodes += matrix.nodes();
  if (nodes < kCondNodes) return false;
  for (const Attachment& a : problem.attachments) {
    const bool soft = problem.blocks[at(a.block)].kind == BlockKind::Nodal;
    (soft ? touched : rigid) += 1;
  }
  if (touched < kTouchedShare * nodes || rigid > kRigidShare * touched) return false;
  return std::all_of(problem.nodal.begin(), problem.nodal.end(),
                     [](const NodalMatrix& matrix) { return stiffness_root(matrix) <= kCondRoot; });
}

void solve_auto(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result) {
  auto& m = workspace.get<AutomaticMemory>();
  const Problem& problem = prepared.problem();
  if (workspace.pool)
    m.canal.pool = m.subadmm.pool = m.cond.pool = workspace.pool;  // else a pool that was made once is kept
  Account account(prepared, settings);
  m.canal.start = workspace.start;
  if (prefers_cond(problem, settings)) {
    Settings trial = settings;
    trial.max_iterations = settings.max_iterations > 0 ? std::min(settings.max_iterations, kCondTrial) : kCondTrial;
    m.cond.start = workspace.start;
    m.cond.start_velocity = workspace.start_velocity;
    solve_cond(prepared, trial, m.cond, result);
    account.add(result.stats);
    if (result.status == SolveStatus::Converged || is_limited(result.status)) return account.write(result.stats);
    if (std::isfinite(measure(result, settings))) m.canal.start = result.lambda;
  }
  Settings first = account.settings();
  first.canal.first_order =
      problem.rows > kNewtonRows && settings.tolerance >= kLoose && mass_spread(problem) <= kEvenMasses;
  // The residual is |J v - z| over the number of constraints: single ones are off by sqrt(constraints) of it. Where the
  // load of a pile is below that, bodies would sink in every step, and never come to rest; tighter steps start warm.
  if (first.canal.first_order && settings.tolerance > kLoose) {
    const auto count = static_cast<double>(problem.constraints.size());
    first.tolerance = std::max(kLoose, settings.tolerance / std::sqrt(count));
  }
  m.canal.least = workspace.least;
  solve_canal(prepared, first, m.canal, result);
  account.add(result.stats);
  if (measure(result, settings) <= settings.tolerance) result.status = SolveStatus::Converged;
  if (!is_final(result, settings)) {
    m.subadmm.start = std::isfinite(measure(result, settings)) ? result.lambda : workspace.start;
    solve_subadmm(prepared, account.settings(), m.subadmm, m.second);
    account.add(m.second.stats);
    keep_better(result, m.second, settings);
  }
  account.write(result.stats);
}

}  // namespace uzawa
