/// COND, contact nodalization and diagonalization ([COND] Alg. 1-3): contacts solved one by one and axis by axis in
/// closed form against a diagonal surrogate of the dynamics, while a fixed-point iteration on the velocities makes the
/// surrogate's answer that of the dynamics. It consists of products with A and needs no factor of it; soft bodies stay
/// sparse whatever touches them.
///
/// Beyond the paper (settings `cond.*` select the published form): dampers of virtual nodes are centred at the last
/// impulses, so that they leave no error; rigid blocks by their own inverse; step sizes that are halved where they turn
/// out too long; safeguarded acceleration; and the end is the judge's residual, because |v+ - v| says little about the
/// error. The judge needs factors of A: it is asked where a forecast from the length of steps says that it is worth it.
#include <chrono>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/solver/cond/anderson_window.hpp"
#include "uzawa/solver/cond/chunks.hpp"
#include "uzawa/solver/cond/look_schedule.hpp"
#include "uzawa/solver/cond/momentum.hpp"
#include "uzawa/solver/cond/velocity_iteration.hpp"
#include "uzawa/solver/progress.hpp"

namespace uzawa {

namespace {

constexpr int kDefaultIterations = 5000;
constexpr double kDivergence = 1e3;  // of a step over the shortest so far
constexpr int kMaxRetreats = 8;      // with steps half as long each
constexpr double kSettled = 0.01;    // tolerances: forecast way to go at which a relaxation counts as solved
constexpr double kFloor = 1e-16;     // step over state: rounding

struct CondMemory : Workspace::Base {
  Judge judge;
  VelocityIteration iteration;
  IterateMomentum momentum;
  AndersonWindow anderson;
  Chunks chunks;
  std::vector<double> x, next, refuge;  ///< states: the point, F of it, and the last one that was judged
  std::vector<double> v, lambda, best_lambda;
};

class CondLoop {
 public:
  CondLoop(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result)
      : prepared_(prepared),
        settings_(settings),
        workspace_(workspace),
        m_(workspace.get<CondMemory>()),
        result_(result),
        progress_(prepared, settings, m_.judge, m_.best_lambda, result),
        schedule_(settings.tolerance) {}

  void run() {
    ThreadPool* pool = settings_.threads > 1 ? &workspace_.threads(settings_.threads) : nullptr;
    const Problem& problem = prepared_.problem();
    if (!m_.iteration.prepare(problem, prepared_.compact_rows(), settings_.cond, pool)) {
      prepared_.factorize();  // names the bad block
      throw InputError(problem.name, "A", "is not positive definite");
    }
    const std::span<const double> metric = m_.iteration.metric();
    m_.chunks.prepare(metric.size(), pool);
    m_.momentum.prepare(metric, settings_.cond, pool);
    if (uses_anderson()) m_.anderson.prepare(metric, settings_.cond.anderson_depth, pool);
    m_.x.resize(metric.size());
    m_.next.resize(metric.size());
    mass_ = m_.chunks.sum([&](std::size_t i) { return metric[i]; });
    start();
    const SolveStatus status = iterate();
    factorize();
    progress_.finish(progress_.converged() ? SolveStatus::Converged : status);
    result_.stats.judging_seconds = judging_;
  }

 private:
  using Clock = std::chrono::steady_clock;

  bool uses_anderson() const {
    const CondAcceleration asked = settings_.cond.acceleration;
    return asked == CondAcceleration::Anderson ||
           (asked == CondAcceleration::Automatic && m_.iteration.nodes().virtual_nodes() > 0);
  }
  bool is_relaxation() const {
    const bool perturbed = settings_.cond.lag != CondLag::Iterated && m_.iteration.nodes().virtual_nodes() > 0;
    return perturbed || settings_.cond.contact == CondOperator::Proximal;
  }

  /// The judge needs it; the method does not.
  void factorize() {
    const Clock::time_point before = Clock::now();
    prepared_.factorize();
    judging_ += std::chrono::duration<double>(Clock::now() - before).count();
  }

  void start() {
    const Problem& problem = prepared_.problem();
    m_.lambda.assign(at(problem.rows), 0.0);
    m_.v.assign(at(problem.n()), 0.0);
    const bool has_impulses = workspace_.start.size() == m_.lambda.size() && problem.rows > 0;
    const bool has_velocities = workspace_.start_velocity.size() == m_.v.size();
    if (has_velocities) {
      m_.v = workspace_.start_velocity;
      if (has_impulses && is_shorter_from(workspace_.start)) m_.lambda = workspace_.start;
    } else if (has_impulses) {
      factorize();
      if (progress_.start_from(workspace_.start, m_.lambda)) {
        m_.v.assign(m_.judge.velocity().begin(), m_.judge.velocity().end());
      }
    }
    m_.iteration.start(m_.v, m_.lambda, m_.x);
    m_.refuge = m_.x;
  }

  /// Whether the first step from these impulses is shorter than the one from none.
  bool is_shorter_from(std::span<const double> impulses) {
    m_.iteration.start(m_.v, impulses, m_.x);
    m_.iteration.step(m_.x, m_.next);
    const double given = step_length();
    m_.iteration.start(m_.v, m_.lambda, m_.x);
    m_.iteration.step(m_.x, m_.next);
    return given < step_length();
  }

  /// Of the last step, m/s: root mean square, weighted by masses.
  double step_length() {
    const std::span<const double> metric = m_.iteration.metric();
    const double square = m_.chunks.sum([&](std::size_t i) {
      const double step = m_.next[i] - m_.x[i];
      return metric[i] * step * step;
    });
    return mass_ > 0 ? std::sqrt(square / mass_) : 0;
  }

  void look() {
    factorize();
    const Clock::time_point before = Clock::now();
    m_.iteration.impulses(m_.lambda);
    progress_.look_at(m_.lambda);
    judging_ += std::chrono::duration<double>(Clock::now() - before).count();
    progress_.record(0);
    if (std::isfinite(progress_.last_residual())) m_.refuge = m_.next;
  }

  SolveStatus iterate() {
    const int limit = settings_.max_iterations > 0 ? settings_.max_iterations : kDefaultIterations;
    int& done = result_.stats.iterations;
    double shortest = HUGE_VAL;
    if (prepared_.problem().rows == 0) look();
    if (progress_.converged() && is_judged()) return SolveStatus::Converged;
    for (int retreats = 0;;) {
      m_.iteration.step(m_.x, m_.next);
      ++done;
      const double step = step_length();
      const bool ends = done >= limit || progress_.must_end();
      if (!(step <= kDivergence * shortest)) {
        if (ends || ++retreats > kMaxRetreats)
          return progress_.ending(ends ? SolveStatus::IterationLimit : SolveStatus::Stalled);
        retreat();
        shortest = HUGE_VAL;
        continue;
      }
      shortest = std::min(shortest, step);
      schedule_.add(step);
      const bool settled = is_settled(step);
      if (settings_.history || ends || settled || schedule_.wants_look(done)) {
        look();
        schedule_.looked(done, progress_.last_residual());
        if (settled && !progress_.converged()) return is_relaxation() ? SolveStatus::Relaxed : SolveStatus::Stalled;
        if (ends || (progress_.converged() && is_judged())) return progress_.ending(SolveStatus::IterationLimit);
      }
      if (settled) return SolveStatus::Relaxed;
      advance(step);
    }
  }

  bool is_judged() const { return settings_.cond.stop == CondStop::Judged; }

  bool is_settled(double step) {
    if (!is_judged()) return velocity_change() < settings_.cond.velocity_change;
    if (is_relaxation() && schedule_.distance() <= kSettled * settings_.tolerance) return true;
    const std::span<const double> metric = m_.iteration.metric();
    const double size = m_.chunks.sum([&](std::size_t i) { return metric[i] * m_.next[i] * m_.next[i]; });
    return step * step * mass_ <= kFloor * kFloor * size;
  }

  /// |v+ - v| of [COND] Alg. 1, virtual nodes included.
  double velocity_change() {
    const std::size_t slots = at(m_.iteration.nodes().virtual_nodes());
    double square = 0;
    for (std::size_t i = 0; i < m_.x.size() - 3 * slots; ++i) {
      square += (m_.next[i] - m_.x[i]) * (m_.next[i] - m_.x[i]);
    }
    return std::sqrt(square);
  }

  void advance(double step) {
    if (uses_anderson()) {
      m_.anderson.advance(m_.x, m_.next, step);
    } else {
      m_.momentum.advance(m_.x, m_.next, step);
    }
  }

  /// Back to the last state that was judged, with shorter steps.
  void retreat() {
    m_.x = m_.refuge;
    m_.iteration.shorten_steps();
    m_.momentum.restart();
    m_.anderson.restart();
    schedule_.restart();
  }

  PreparedProblem& prepared_;
  const Settings& settings_;
  Workspace& workspace_;
  CondMemory& m_;
  Result& result_;
  Progress progress_;
  LookSchedule schedule_;
  double mass_ = 0, judging_ = 0;
};

}  // namespace

void solve_cond(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result) {
  CondLoop(prepared, settings, workspace, result).run();
}

}  // namespace uzawa
