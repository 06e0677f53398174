#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "uzawa/base/thread_pool.hpp"
#include "uzawa/problem/judge.hpp"
#include "uzawa/problem/prepared_problem.hpp"
#include "uzawa/problem/problem.hpp"

/// What all methods share. A solve has five parts, each a type of its own: the Problem (what is asked, never changed),
/// the Settings (how hard to try, never written to), the Workspace (memory that lives from solve to solve), the Result
/// (the answer) with its Stats (what it took).
namespace uzawa {

enum class SolveStatus {
  Converged,       ///< the judge's residuals are within the tolerance
  IterationLimit,  ///< best iterate so far; settings.max_iterations were used up
  TimeLimit,       ///< best iterate so far; settings.budget_us were used up
  LeastViolation,  ///< the constraints contradict each other; v violates them least
  Relaxed,         ///< a relaxed problem is solved, as the method promises; by the judge it is not this one
  Stalled          ///< best iterate so far; nothing leads any further, and there may be no solution (jammed bodies)
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
  /// Both off: the published form. Polish: after each loop from the second on, Newton on the strict law from the
  /// cascade's point, kept where it helps, with path following where it finds no way. Anderson: mixing of the lagged
  /// shift over the loops.
  bool polish = true, anderson = true;
  /// Off: only what comes before the first loop, Newton from the warm start and after first-order steps. For those who
  /// have something better to do on a large island than to see the cascade through.
  bool cascade = true;
};

struct SubAdmmSettings {
  /// First penalty: beta = this times the geometric mean over the bodies of mass / sqrt(number of contacts). 1 to 30.
  double penalty = 4;
  /// Over-relaxation, 1 to 1.8.
  double relaxation = 1.6;
  /// After 10, 20, 40, ... iterations a smaller penalty for constraints that do not push, later also another beta by
  /// the balance of the two residuals; each with refactorisation. Off: the published form without eq. 44.
  bool adapt_penalty = true;
  /// Depth of Anderson acceleration, 0 (off) to 10.
  int acceleration = 5;
};

/// How PGS treats one contact, given the others.
enum class PgsLocal {
  Split,    ///< strict law: a step for the normal, then one for friction with the sliding velocity that is left
  Exact,    ///< strict law: the contact's own 3x3 problem to rounding; converges no faster, a sweep costs up to 1.6 x
  Proximal  ///< one gradient step, projected onto the cone; needs many more sweeps
};
struct PgsSettings {
  double relaxation = 1;  ///< over-relaxation, 0 to 2; 1.3 gains up to a decade on piles, beyond 1.4 some problems fail
  bool shuffle = true;    ///< another order of the constraints in every sweep, the same in every solve
  PgsLocal local = PgsLocal::Split;
  DelassusForm form = DelassusForm::Automatic;
};

/// MuJoCo's parameters of a constraint with their defaults there: solref, solimp and impratio.
struct SoftConvexSettings {
  double timeconst = 0.02, dampratio = 1;                                    ///< solref; s, and of critical
  double dmin = 0.9, dmax = 0.95, width = 0.001, midpoint = 0.5, power = 2;  ///< solimp; width in m or rad
  double impratio = 1;  ///< how much stiffer friction is than the normal direction
};

struct Settings {
  double tolerance = 1e-8;      ///< on the judge's residual, [AL] section VII
  bool require_siconos = true;  ///< ... and on the Siconos error, which is relative to all impulses and velocities
  int max_iterations = 0;       ///< 0: the method's default
  double budget_us = 0;         ///< us of wall time; 0: none
  bool history = false;         ///< record every iteration in Stats
  int threads = 1;              ///< the answer has the same bits for any number
  CanalSettings canal;
  SubAdmmSettings subadmm;
  PgsSettings pgs;
  SoftConvexSettings soft_convex;
};

struct IterationRecord {
  double residual = 0;  ///< the judge's
  double seconds = 0;   ///< since the start, less what the judge took to look at iterates: methods that need few looks
                        ///< would look slow beside those that need one an iteration anyway
  int inner = 0;        ///< inner iterations so far
  double beta = 0;
};

struct Stats {
  int iterations = 0;                                                ///< of the island that needed most
  int inner_iterations = 0, inner_failures = 0, factorizations = 0;  ///< of all islands
  int islands = 1;
  double seconds = 0;
  std::vector<IterationRecord> history;  ///< on request

  /// As new; the history's memory stays.
  void reset() {
    history.clear();
    *this = Stats{.history = std::move(history)};
  }
};

struct Result {
  SolveStatus status = SolveStatus::IterationLimit;
  std::vector<double> v;       ///< A^-1 (b + J^T lambda)
  std::vector<double> lambda;  ///< in the order of the problem's constraints
  Verdict verdict;             ///< the judge's word on lambda
  Stats stats;
  /// By solve_islands: constraints of islands that ended as LeastViolation or Stalled, and of the former alone, whose
  /// impulses grow without bound.
  std::vector<int> contradictory, unbounded;
};

/// Memory of one method that lives from solve to solve: nothing is allocated while the shape of the problem stays.
class Workspace {
 public:
  struct Base {
    virtual ~Base() = default;
  };
  /// Impulses to start from; empty: cold.
  std::vector<double> start;
  /// The problem with its factors; by Solver::solve.
  PreparedProblem prepared;
  /// The threads to work with; may be shared. Made by threads() where there are none of that number.
  std::shared_ptr<ThreadPool> pool;

  ThreadPool& threads(int count) {
    if (pool == nullptr || pool->threads() != count) pool = std::make_shared<ThreadPool>(count);
    return *pool;
  }

  template <typename Memory>
  Memory& get() {
    if (type_ != &kType<Memory>) {
      memory_ = std::make_unique<Memory>();
      type_ = &kType<Memory>;
    }
    return static_cast<Memory&>(*memory_);
  }

 private:
  /// Its address stands for the type: a dynamic_cast an island is a percent of a small step.
  template <typename Memory>
  static inline const char kType = 0;

  std::unique_ptr<Base> memory_;
  const char* type_ = nullptr;
};

/// A method: its name, one line about it, and the function, which writes every field of `result`.
struct Solver {
  const char* name;
  const char* summary;
  void (*method)(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result);
  bool uses_threads = false;  ///< makes use of settings.threads within one island

  /// Prepares the problem in the workspace, and runs the method on it. Throws InputError where A is not positive
  /// definite.
  void solve(const Problem& problem, const Settings& settings, Workspace& workspace, Result& result) const;
};

/// All methods, in the order in which they are listed to users.
std::span<const Solver> solvers();
/// Throws InputError that lists the names where there is none of that name.
const Solver& find_solver(std::string_view name);

/// Solves a problem island by island, each with `solver`, on settings.threads threads; the verdict is on the whole.
/// settings.max_iterations holds for each island; settings.budget_us for all together, shared by size.
void solve_islands(const Solver& solver, const Problem& problem, const Settings& settings, Workspace& workspace,
                   Result& result);

// One file a method.
void solve_admm_no_body(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result);
void solve_admm_no_sub(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result);
void solve_al_dogleg(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result);
void solve_al_semismooth(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result);
void solve_auto(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result);
void solve_canal(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result);
void solve_pgs(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result);
void solve_soft_convex(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result);
void solve_subadmm(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result);

}  // namespace uzawa
