#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "uzawa/base/thread_pool.hpp"
#include "uzawa/problem/judge.hpp"
#include "uzawa/problem/problem.hpp"

/// What all methods share. A solve has five parts, each a type of its own: the Problem (what is asked, never changed),
/// the Settings (how hard to try, never written to), the Workspace (memory that lives from solve to solve), the Result
/// (the answer) with its Stats (what it took).
namespace uzawa {

enum class SolveStatus {
  Converged,       ///< the judge's residuals are within the tolerance
  IterationLimit,  ///< best iterate so far; settings.max_iterations were used up
  TimeLimit,       ///< best iterate so far; settings.budget_us were used up
  LeastViolation   ///< the constraints contradict each other; v violates them least
};
const char* to_string(SolveStatus status);

struct CanalSettings {
  /// First penalty: beta = this times the effective mass of the contacts. Nominal 1e2 (piles of light bodies) to 1e4.
  double penalty = 1e3;
  /// Growth of the penalty and its bound, relative to the first ([AL] eq. 28); it grows where a loop has not reduced
  /// |J v - z| below `required_decrease` times the last.
  double penalty_growth = 4, penalty_bound = 100, required_decrease = 0.25;
  /// Newton steps a loop at the most; about 10 are needed, more is a sign of trouble.
  int max_newton_steps = 100;
  /// Inner convergence: |r| relative to |b| + |J^T lambda|.
  double newton_tolerance = 1e-9;
  /// After each loop from the second on, semismooth Newton on the strict law from the cascade's point, kept where it
  /// helps; and Anderson mixing of the lagged shift. Off: the published form.
  bool polish = true;
};

struct SubAdmmSettings {
  double penalty = 10;        ///< beta = this times the geometric mean of body mass over its number of contacts
  double relaxation = 1.6;    ///< over-relaxation, 1 to 1.8
  bool adapt_penalty = true;  ///< rebalance beta by the two residuals, with refactorisation
};

struct PgsSettings {
  double relaxation = 1.0;  ///< over-relaxation, 0 to 2
  bool proximal = false;    ///< project each contact onto the cone instead of by the strict law
};

struct Settings {
  double tolerance = 1e-8;  ///< on the judge's residual and on the Siconos measure
  int max_iterations = 0;   ///< 0: the method's default
  double budget_us = 0;     ///< us of wall time; 0: none
  bool history = false;     ///< record every iteration in Stats
  int threads = 1;          ///< the answer has the same bits for any number
  CanalSettings canal;
  SubAdmmSettings subadmm;
  PgsSettings pgs;
};

struct IterationRecord {
  double residual = 0;  ///< the judge's
  double seconds = 0;   ///< since the start
  int inner = 0;        ///< inner iterations so far
  double beta = 0;
};

struct Stats {
  int iterations = 0;                                                ///< of the island that needed most
  int inner_iterations = 0, inner_failures = 0, factorizations = 0;  ///< of all islands
  int islands = 1;
  double seconds = 0;
  std::vector<IterationRecord> history;  ///< on request
};

struct Result {
  SolveStatus status = SolveStatus::IterationLimit;
  std::vector<double> v;       ///< A^-1 (b + J^T lambda)
  std::vector<double> lambda;  ///< in the order of the problem's constraints
  Verdict verdict;             ///< the judge's word on lambda
  Stats stats;
};

/// Memory of one method that lives from solve to solve: nothing is allocated while the shape of the problem stays.
class Workspace {
 public:
  struct Base {
    virtual ~Base() = default;
  };
  /// Impulses to start from; empty: cold.
  std::vector<double> start;
  /// The threads to work with; may be shared. Made by threads() where there are none of that number.
  std::shared_ptr<ThreadPool> pool;

  ThreadPool& threads(int count) {
    if (pool == nullptr || pool->threads() != count) pool = std::make_shared<ThreadPool>(count);
    return *pool;
  }

  template <typename Memory>
  Memory& get() {
    auto* memory = dynamic_cast<Memory*>(memory_.get());
    if (memory == nullptr) {
      auto fresh = std::make_unique<Memory>();
      memory = fresh.get();
      memory_ = std::move(fresh);
    }
    return *memory;
  }

 private:
  std::unique_ptr<Base> memory_;
};

/// A method: its name, one line about it, and the function. Writes every field of `result`.
struct Solver {
  const char* name;
  const char* summary;
  void (*solve)(const Problem& problem, const Settings& settings, Workspace& workspace, Result& result);
};

/// All methods, in the order in which they are listed to users.
std::span<const Solver> solvers();
/// Throws InputError that lists the names where there is none of that name.
const Solver& find_solver(std::string_view name);

/// Solves a problem island by island, each with `solver`; the verdict is on the whole.
void solve_islands(const Solver& solver, const Problem& problem, const Settings& settings, Workspace& workspace,
                   Result& result);

// One file a method.
void solve_canal(const Problem& problem, const Settings& settings, Workspace& workspace, Result& result);
void solve_pgs(const Problem& problem, const Settings& settings, Workspace& workspace, Result& result);
void solve_subadmm(const Problem& problem, const Settings& settings, Workspace& workspace, Result& result);

}  // namespace uzawa
