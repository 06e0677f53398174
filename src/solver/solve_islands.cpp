/// Islands in parallel. Each is a problem of its own, solved by one thread with memory of its own, so the answer has
/// the same bits for any number of threads; statistics are added up in the order of the islands.
///
///   split -> islands larger than a thread's share, one after another, where the method itself uses the threads
///         -> the others in parallel, the largest first, so that no thread is left with a large one at the end
///         -> the judge's word on the whole, from its words on the islands
///
/// Memory belongs to the index of an island: while contacts change slowly, an island has the same index in the next
/// step and reuses its own factorisations.
#include <algorithm>
#include <chrono>
#include <numeric>

#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/problem/islands.hpp"
#include "uzawa/problem/tally.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa {

namespace {

/// The more severe of two statuses.
SolveStatus worse(SolveStatus a, SolveStatus b) {
  const auto rank = [](SolveStatus s) {
    switch (s) {
      case SolveStatus::Converged: return 0;
      case SolveStatus::Relaxed: return 1;
      case SolveStatus::LeastViolation: return 2;
      case SolveStatus::Stalled: return 3;
      case SolveStatus::IterationLimit: return 4;
      case SolveStatus::WorkLimit: return 5;
      case SolveStatus::TimeLimit: return 6;
      case SolveStatus::Interrupted: return 7;
    }
    return 8;
  };
  return rank(a) >= rank(b) ? a : b;
}

struct IslandsMemory : Workspace::Base {
  struct Slot {
    Workspace workspace;
    Result result;
  };
  IslandSplit split;
  BlockFactor rest;  // factors of the blocks without constraints
  std::vector<double> rest_v;
  std::vector<Slot> slots;                                              // by island; grows only
  std::vector<int> order;                                               // islands, the largest first
  std::vector<int> rows_left;                                           // rows of this and all later ones in that order
  std::shared_ptr<ThreadPool> alone = std::make_shared<ThreadPool>(1);  // for islands that have one thread each
};

class IslandLoop {
 public:
  IslandLoop(const Solver& solver, const Problem& problem, const Settings& settings, Workspace& workspace,
             Result& result)
      : solver_(solver),
        problem_(problem),
        settings_(settings),
        workspace_(workspace),
        m_(workspace.get<IslandsMemory>()),
        result_(result) {}

  void run() {
    m_.split.split(problem_);
    if (m_.slots.size() < at(std::max(1, m_.split.count()))) m_.slots.resize(at(std::max(1, m_.split.count())));
    const bool whole = m_.split.count() == 1 && m_.split.island(0).blocks.size() == problem_.blocks.size();
    if (whole) {
      solve_whole();
    } else {
      solve_parts();
    }
    result_.stats.islands = m_.split.count();
    result_.stats.seconds = seconds();
    list_contradictory(whole);
  }

 private:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  /// A single island with all blocks: nothing is copied, and it has all threads.
  void solve_whole() {
    Workspace& own = m_.slots[0].workspace;
    own.start = workspace_.start;
    own.start_velocity = workspace_.start_velocity;
    own.pool = workspace_.pool;
    solver_.solve(problem_, settings_, own, result_);
    workspace_.pool = own.pool;
  }

  void list_contradictory(bool whole) {
    result_.contradictory.clear();
    result_.unbounded.clear();
    for (int i = 0; i < m_.split.count(); ++i) {
      const SolveStatus status = whole ? result_.status : m_.slots[at(i)].result.status;
      if (status != SolveStatus::LeastViolation && status != SolveStatus::Stalled) continue;
      const std::vector<int>& constraints = m_.split.island(i).constraints;
      result_.contradictory.insert(result_.contradictory.end(), constraints.begin(), constraints.end());
      if (status != SolveStatus::LeastViolation) continue;
      result_.unbounded.insert(result_.unbounded.end(), constraints.begin(), constraints.end());
    }
  }

  void solve_parts() {
    result_.lambda.assign(at(problem_.rows), 0.0);
    result_.v.resize(at(problem_.n()));
    sort_islands();
    ThreadPool& pool = workspace_.threads(std::max(1, settings_.threads));
    const int count = m_.split.count(), single = count_single(pool.threads());
    try {
      move_rest();
      for (int k = 0; k < single; ++k) solve_part(k, workspace_.pool);
      pool.for_each(count - single, [&](int k) { solve_part(single + k, m_.alone); });
    } catch (const InputError&) {
      PreparedProblem{problem_};  // names a bad block of A by its place in the whole
      throw;
    }
    collect();
  }

  /// v = A^-1 b of the blocks without constraints.
  void move_rest() {
    const Island& rest = m_.split.extract_rest(problem_);
    if (!m_.rest.factorize(rest.problem)) throw InputError(problem_.name, "A", "is not positive definite");
    m_.rest_v.assign(rest.problem.b.begin(), rest.problem.b.end());
    m_.rest.solve(m_.rest_v);
    gather_velocities(problem_, rest, m_.rest_v, result_.v);
  }

  void sort_islands() {
    const auto rows = [&](int i) { return m_.split.island(i).rows; };
    m_.order.resize(at(m_.split.count()));
    std::iota(m_.order.begin(), m_.order.end(), 0);
    std::sort(m_.order.begin(), m_.order.end(),
              [&](int a, int b) { return rows(a) != rows(b) ? rows(a) > rows(b) : a < b; });
    m_.rows_left.resize(m_.order.size());
    int left = 0;
    for (std::size_t k = m_.order.size(); k-- > 0;) m_.rows_left[k] = left += rows(m_.order[k]);
  }

  /// Number of islands that get all threads, one after another.
  int count_single(int threads) const {
    if (threads == 1 || !solver_.uses_threads) return 0;
    const auto small = std::find_if(m_.order.begin(), m_.order.end(), [&](int i) {
      return static_cast<long long>(m_.split.island(i).rows) * threads <= problem_.rows;
    });
    return static_cast<int>(small - m_.order.begin());
  }

  /// Island `k` in the order of size.
  void solve_part(int k, const std::shared_ptr<ThreadPool>& pool) {
    const int i = m_.order[at(k)];
    IslandsMemory::Slot& slot = m_.slots[at(i)];
    const Problem& part = m_.split.extract(problem_, i);
    const Island& island = m_.split.island(i);
    Settings settings = settings_;
    settings.threads = pool->threads();
    // The Siconos error of the whole is at most sqrt(3) times the largest of the parts.
    settings.tolerance = settings_.require_siconos ? settings_.tolerance / 2 : settings_.tolerance;
    if (settings_.budget_us > 0) settings.budget_us = share_of_budget(k, pool->threads());
    slot.workspace.pool = pool;
    slot.workspace.start.clear();
    if (workspace_.start.size() == result_.lambda.size()) {
      slot.workspace.start.resize(at(island.rows));
      scatter_impulses(problem_, island, workspace_.start, slot.workspace.start);
    }
    slot.workspace.start_velocity.clear();
    if (workspace_.start_velocity.size() == at(problem_.n())) {
      slot.workspace.start_velocity.resize(at(part.n()));
      scatter_velocities(problem_, island, workspace_.start_velocity, slot.workspace.start_velocity);
    }
    solver_.solve(part, settings, slot.workspace, slot.result);
    gather_impulses(problem_, island, slot.result.lambda, result_.lambda);
    gather_velocities(problem_, island, slot.result.v, result_.v);
  }

  /// Time budget of an island, us: the remaining time when it starts, times its share of the remaining rows, times the
  /// number of islands solved concurrently. Time that an island does not use is left to later islands.
  double share_of_budget(int k, int threads_of_island) const {
    const double left = settings_.budget_us - seconds() * 1e6;
    const double side_by_side = threads_of_island > 1 ? 1 : std::max(1, settings_.threads);
    const double share = side_by_side * m_.split.island(m_.order[at(k)]).rows / m_.rows_left[at(k)];
    return std::max(1.0, left * std::min(1.0, share));
  }

  void collect() {
    result_.status = SolveStatus::Converged;
    Stats& all = result_.stats;
    all.reset();
    Tally tally;
    for (int i = 0; i < m_.split.count(); ++i) {
      const Result& part = m_.slots[at(i)].result;
      tally.add(part.verdict, m_.split.island(i).constraints);
      result_.status = worse(result_.status, part.status);
      all.iterations = std::max(all.iterations, part.stats.iterations);
      all.inner_iterations += part.stats.inner_iterations;
      all.inner_failures += part.stats.inner_failures;
      all.factorizations += part.stats.factorizations;
      all.work += part.stats.work;
      all.judging_seconds += part.stats.judging_seconds;
      // The history of the whole is that of the island that took longest.
      if (part.stats.history.size() > all.history.size()) all.history = part.stats.history;
    }
    result_.verdict = tally.finish(problem_.constraints.size());
  }

  using Clock = std::chrono::steady_clock;

  const Solver& solver_;
  const Problem& problem_;
  const Settings& settings_;
  Workspace& workspace_;
  IslandsMemory& m_;
  Result& result_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace

void solve_islands(const Solver& solver, const Problem& problem, const Settings& settings, Workspace& workspace,
                   Result& result) {
  IslandLoop(solver, problem, settings, workspace, result).run();
}

}  // namespace uzawa
