#include "uzawa/solver/auto/automatic.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "uzawa/solver/linear/effective_mass.hpp"
#include "uzawa/solver/progress.hpp"

namespace uzawa {

namespace {

struct AutomaticMemory : Workspace::Base {
  Workspace canal, subadmm;
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

struct Attempt {
  bool canal, cascade;
};

void run(const Attempt& attempt, PreparedProblem& prepared, const Settings& settings, const std::vector<double>& start,
         AutomaticMemory& m, Result& result) {
  Workspace& own = attempt.canal ? m.canal : m.subadmm;
  own.start = start;
  Settings own_settings = settings;
  own_settings.canal.cascade = attempt.cascade;
  (attempt.canal ? solve_canal : solve_subadmm)(prepared, own_settings, own, result);
}

bool is_final(const Result& result, const Settings& settings) {
  const bool decided = result.status == SolveStatus::Converged || result.status == SolveStatus::LeastViolation ||
                       result.status == SolveStatus::TimeLimit;
  return decided && std::isfinite(measure(result, settings));
}

/// The better of two answers. Of two that fail, the one that says why is to be believed.
void keep_better(Result& result, Result& other, const Settings& settings) {
  if (measure(other, settings) < measure(result, settings)) std::swap(result, other);
  const bool says_why = other.status == SolveStatus::Stalled || other.status == SolveStatus::LeastViolation;
  if (says_why && result.status == SolveStatus::IterationLimit) result.status = other.status;
}

/// Time and work of all attempts, whichever of them is kept.
class Account {
 public:
  Account(const PreparedProblem& prepared, const Settings& settings) : prepared_(prepared), settings_(settings) {}
  double seconds() const { return prepared_.seconds() + seconds_of_attempts(); }
  bool out_of_time() const { return settings_.budget_us > 0 && seconds() * 1e6 >= settings_.budget_us; }
  /// With the time that is left; each attempt itself counts the time that preparing took.
  Settings settings() const {
    Settings left = settings_;
    if (left.budget_us > 0) left.budget_us = std::max(1.0, left.budget_us - seconds_of_attempts() * 1e6);
    return left;
  }
  void add(const Stats& stats) {
    iterations_ += stats.iterations;
    inner_iterations_ += stats.inner_iterations;
    inner_failures_ += stats.inner_failures;
    factorizations_ += stats.factorizations;
  }
  void write(Stats& stats) const {
    stats.iterations = iterations_;
    stats.inner_iterations = inner_iterations_;
    stats.inner_failures = inner_failures_;
    stats.factorizations = factorizations_;
    stats.seconds = seconds();
  }

 private:
  using Clock = std::chrono::steady_clock;
  double seconds_of_attempts() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  const PreparedProblem& prepared_;
  const Settings& settings_;
  Clock::time_point start_ = Clock::now();
  int iterations_ = 0, inner_iterations_ = 0, inner_failures_ = 0, factorizations_ = 0;
};

}  // namespace

void solve_auto(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result) {
  auto& m = workspace.get<AutomaticMemory>();
  const Problem& problem = prepared.problem();
  m.canal.pool = m.subadmm.pool = workspace.pool;
  const bool even = problem.rows > kCascadeRows && mass_spread(problem) <= kEvenMasses;
  const bool canal_first = !(problem.rows > kNewtonRows && even), cascade = settings.canal.cascade && !even;
  const Attempt attempts[] = {{canal_first, cascade}, {!canal_first, cascade}, {true, true}};
  const std::size_t count = settings.canal.cascade && even ? 3 : 2;
  Account account(prepared, settings);
  run(attempts[0], prepared, settings, workspace.start, m, result);
  account.add(result.stats);
  for (std::size_t i = 1; i < count && !is_final(result, settings) && !account.out_of_time(); ++i) {
    const bool usable = std::isfinite(measure(result, settings));
    run(attempts[i], prepared, account.settings(), usable ? result.lambda : workspace.start, m, m.second);
    account.add(m.second.stats);
    keep_better(result, m.second, settings);
  }
  // Whichever answer is kept: it is the clock that has ended the search for a better one.
  if (!is_final(result, settings) && account.out_of_time()) result.status = SolveStatus::TimeLimit;
  account.write(result.stats);
}

}  // namespace uzawa
