#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "uzawa/base/thread_pool.hpp"
#include "uzawa/problem/condensation.hpp"
#include "uzawa/problem/judge.hpp"
#include "uzawa/problem/piece_split.hpp"
#include "uzawa/problem/prepared_problem.hpp"
#include "uzawa/problem/problem.hpp"
#include "uzawa/solver/settings/settings.hpp"

/// Interface of all methods. A solve has five parts, each a type of its own: the Problem (input, never changed), the
/// Settings (tolerance and limits, never written to), the Workspace (memory that lives from solve to solve), the Result
/// (impulses, velocities, verdict) with its Stats (iterations and time).
namespace uzawa {

enum class SolveStatus {
  Converged,       ///< the judge's residuals are within the tolerance
  IterationLimit,  ///< best iterate so far; settings.max_iterations were used up, or subadmm.theta was reached
  WorkLimit,       ///< best iterate so far; settings.work was used up
  TimeLimit,       ///< best iterate so far; settings.budget_us were used up
  Interrupted,     ///< best iterate so far; settings.stop was raised
  LeastViolation,  ///< the constraints contradict each other; v violates them least
  Relaxed,         ///< the method's relaxed problem is solved; by the judge the original is not
  Frictionless,    ///< the problem with friction was not solved; this is the solution without
  Stalled          ///< best iterate so far; no attempt makes progress, there may be no solution (jam)
};
const char* to_string(SolveStatus status);

struct IterationRecord {
  double residual = 0;  ///< the judge's
  double seconds = 0;  ///< since the start, less the time of the judge to look at iterates: methods that need few looks
                       ///< would look slow beside those that need one an iteration anyway
  int inner = 0;       ///< inner iterations so far
  double beta = 0;
};

struct Stats {
  int iterations = 0;                                                ///< of the island that needed most
  int inner_iterations = 0, inner_failures = 0, factorizations = 0;  ///< of all islands
  int islands = 1;
  double work = 0;  ///< by canal and auto: Newton steps, and other work as shares of them; of all islands
  double seconds = 0;
  double judging_seconds = 0;            ///< of those, by cond: the judge's, with factors of A that nothing else needs
  std::vector<IterationRecord> history;  ///< on request

  /// As new; the history's memory stays.
  void reset() {
    history.clear();
    *this = Stats{.history = std::move(history)};
  }
};

/// By methods that linearise the friction cone (lcp): the solver's error apart from that of linearisation.
struct PolyhedralReport {
  bool used = false;
  const char* end = "";            ///< of pivoting: "solved", "no-solution", "cycle", "error", ... (LcpEnd)
  bool solved = false;             ///< the linear complementarity problem is solved
  bool frictionless = false;       ///< the answer is the solution without friction
  double solver_error = 0;         ///< largest |min(w, z)| of the linear complementarity problem, scaled
  double linearisation_error = 0;  ///< the judge's residual with Coulomb's cone; of a solved problem, by the polygon
};

struct Result {
  SolveStatus status = SolveStatus::IterationLimit;
  std::vector<double> v;       ///< A^-1 (b + J^T lambda)
  std::vector<double> lambda;  ///< in the order of the problem's constraints
  Verdict verdict;             ///< the judge's, on lambda
  /// By canal and auto: lambda when it was made least for the last time (SelfStress), for the warm start of the next
  /// solve; empty: never. Infinite in islands that never were.
  std::vector<double> least;
  Stats stats;
  PolyhedralReport polyhedral;
  /// By solve_islands: constraints of islands that ended as LeastViolation or Stalled, and of the former alone, whose
  /// impulses grow without bound.
  std::vector<int> contradictory, unbounded;
};

/// A problem with its soft bodies and rods in pieces, prepared.
struct PiecesMemory {
  PieceSplit split;
  PreparedProblem prepared;
  std::vector<double> start, v;  ///< first impulses, with those of the ties; velocities of the whole
  Judge judge;                   ///< of the whole

  /// False where the problem has no pieces.
  [[nodiscard]] bool prepare(const Problem& whole);
  /// Sets `start` for impulses of the whole, empty for none: all copies of a node move as one.
  void start_from(const PreparedProblem& whole, std::span<const double> lambda);
};

/// Memory of one method that lives from solve to solve: nothing is allocated while the shape of the problem stays.
class Workspace {
 public:
  struct Base {
    virtual ~Base() = default;
  };
  /// Impulses of the warm start; empty: cold start.
  std::vector<double> start;
  /// Velocities of the warm start, for methods that iterate on velocities; empty: none.
  std::vector<double> start_velocity;
  /// Result::least of the solve that the start is from; empty: none.
  std::vector<double> least;
  /// The problem with its factors, by Solver::solve; other callers of a method may keep one elsewhere.
  PreparedProblem prepared;
  /// Soft bodies without the nodes that nothing touches, and the velocities of that problem.
  Condensation condensation;
  std::vector<double> condensed_v;
  PiecesMemory pieces;
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

/// A stage of a method that has several, for listings.
struct SolverStage {
  const char *name, *purpose;
  double work;  ///< at the most, in Newton steps; 0: what is left
};

/// A method: its name, one line about it, the function, which writes every field of `result`, and its settings.
struct Solver {
  const char* name;
  const char* summary;
  void (*method)(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result);
  bool uses_threads;  ///< makes use of settings.threads within one island
  /// Settings that it reads, beside kCommonSettings: tables of its own and of the methods that it makes use of.
  std::array<std::span<const Setting>, 4> tables;

  struct Traits {
    std::span<const SolverStage> (*stages)() = nullptr;  ///< in the order in which they are tried
    bool soft = false;      ///< its laws are springs on errors of position, which it wants in the offsets e
    bool at_start = false;  ///< it sees what penetrates at the start of a step, and nothing that is still open
    bool pieces = false;    ///< it solves soft bodies in pieces by itself, and is judged on the whole
    bool moments = false;   ///< it knows rolling and torsional friction
    bool iterates = false;  ///< it solves few systems with A, so that large soft bodies may be solved by iterations
    /// Whether it works on all nodes of this problem's soft bodies, by products with A: the problem is not condensed
    /// then, and not factorised before the method asks for that. Null: never.
    bool (*takes_whole)(const Problem& problem, const Settings& settings) = nullptr;
  } traits;

  /// Prepares the problem in the workspace, condensed where that pays, and runs the method on it. Throws InputError
  /// where A is not positive definite, or the problem has moments that the method does not know.
  void solve(const Problem& problem, const Settings& settings, Workspace& workspace, Result& result) const;

 private:
  void solve_split(const Problem& problem, const Settings& settings, Workspace& workspace, Result& result) const;
};

/// Throws InputError that names the method where the problem has moments (rolling, torsional friction) and the method
/// does not know them.
void require_moments(const Solver& solver, const Problem& problem);

/// Whether the method `auto` has COND go first; auto/automatic.hpp says when.
bool prefers_cond(const Problem& problem, const Settings& settings);

/// Stages of the method `canal`.
std::span<const SolverStage> canal_stages();

/// All methods, in the order in which they are listed to users.
std::span<const Solver> solvers();
/// Throws InputError that lists the names where there is none of that name.
const Solver& find_solver(std::string_view name);
/// A setting by name, of any method. Throws InputError that lists the names where there is none of that name.
const Setting& find_setting(std::string_view name);

/// Solves a problem island by island, each with `solver`, on settings.threads threads; the verdict is on the whole.
/// settings.max_iterations holds for each island; settings.budget_us for all together, shared by size.
void solve_islands(const Solver& solver, const Problem& problem, const Settings& settings, Workspace& workspace,
                   Result& result);

// One file a method.
void solve_admm_no_body(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result);
void solve_admm_no_sub(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result);
void solve_al_dogleg(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result);
void solve_al_semismooth(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result);
void solve_apgd(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result);
void solve_auto(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result);
void solve_canal(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result);
void solve_lcp(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result);
void solve_lcp_lemke(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result);
void solve_lcp_lexicographic(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result);
void solve_lcp_search(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result);
void solve_nnewton(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result);
void solve_ccs(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result);
void solve_cond(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result);
void solve_penalty(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result);
void solve_pgs(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result);
void solve_pj(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result);
void solve_soft_convex(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result);
void solve_subadmm(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result);

}  // namespace uzawa
