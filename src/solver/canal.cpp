/// CANAL, the cascaded Newton augmented Lagrangian method ([AL] Algorithm 1).
///
/// Each loop solves a convex surrogate: contacts as cones, shifted by p = mu |z_t| taken from the loop before, with the
/// multiplier u = -lambda and the penalty beta. Then lambda, z and p are updated. At the fixed point the cone condition
/// with the shift is Signorini-Coulomb exactly ([AL] eq. 21).
///
/// Deviations from the paper, all under settings.canal.polish: the lagged shift makes the outer rate linear
/// (mu^2/(1+mu^2) for one slipping contact), so each loop from the second on is followed by semismooth Newton on the
/// strict law from the cascade's point, kept only where the judge sees a clear gain; and the shift is Anderson-mixed.
/// Stopping is by the judge, never by |J v - z| ([AL] line 16), which is tiny after one loop on a sliding contact that
/// is far from solved.
#include <algorithm>
#include <cmath>

#include "uzawa/solver/anderson.hpp"
#include "uzawa/solver/effective_mass.hpp"
#include "uzawa/solver/progress.hpp"
#include "uzawa/solver/subadmm_iteration.hpp"
#include "uzawa/solver/surrogate.hpp"

namespace uzawa {

namespace {

constexpr int kDefaultLoops = 50;
constexpr int kPolishSteps = 25;                            // Newton steps of one polish
constexpr int kPolishRounds = 4;                            // multiplier updates in a row while each of them helps
constexpr int kFirstSmoothing = 50, kMostSmoothing = 1600;  // first-order iterations where Newton is lost
constexpr int kPatience = 3;         // loops of the cascade without a gain, before only smoothing and Newton go on
constexpr double kPolishGain = 0.3;  // what counts as help

struct CanalMemory : Workspace::Base {
  Judge judge;
  Surrogate surrogate;
  SubAdmmIteration smoother;
  AndersonMixing mixing;
  std::vector<double> v, lambda, shift, next_shift, best_lambda, trial_v, trial_lambda;
};

/// One solve: the state of Algorithm 1.
class Canal {
 public:
  Canal(const Problem& problem, const Settings& settings, CanalMemory& memory, Result& result)
      : problem_(problem),
        settings_(settings),
        canal_(settings.canal),
        m_(memory),
        result_(result),
        progress_(problem, settings, memory.judge, memory.best_lambda, result) {}

  void run(const std::vector<double>& start) {
    prepare(start);
    const int loops = settings_.max_iterations > 0 ? settings_.max_iterations : kDefaultLoops;
    for (int loop = 0; loop < loops && !progress_.converged(); ++loop) {
      const double before = progress_.best();
      const bool cascade = !canal_.polish || idle_loops_ < kPatience;
      if (cascade) cascade_loop(loop);
      if (canal_.polish && loop > 0 && !progress_.converged()) {
        const bool helped = cascade && polish();
        // Contradictory constraints look like a loop that gains nothing, too; let the cascade show it.
        if (!helped && !(cascade && gap_stays(1e-3))) smooth();
      }
      if (!gap_stays(1e-3)) idle_loops_ = progress_.best() < kPolishGain * before ? 0 : idle_loops_ + 1;
      ++result_.stats.iterations;
      progress_.record(beta_);
      if (progress_.converged()) break;
      // Contradictory constraints: v of the last loop violates them least, whatever the residuals of the others say.
      if (cascade && contradictory()) return progress_.finish(SolveStatus::LeastViolation, m_.lambda);
      if (progress_.out_of_time()) return progress_.finish(SolveStatus::TimeLimit);
    }
    progress_.finish(progress_.converged() ? SolveStatus::Converged : SolveStatus::IterationLimit);
  }

 private:
  void prepare(const std::vector<double>& start) {
    m_.surrogate.prepare(problem_, m_.judge.rows());
    const auto m = static_cast<std::size_t>(problem_.rows);
    for (auto* x : {&m_.lambda, &m_.trial_lambda}) x->assign(m, 0.0);
    const bool warm = start.size() == m && m > 0;
    if (warm) std::copy(start.begin(), start.end(), m_.lambda.begin());
    const auto contacts = static_cast<std::size_t>(problem_.contacts.size());
    m_.shift.assign(contacts, 0.0);
    m_.next_shift.resize(contacts);
    m_.mixing.resize(contacts);
    m_.trial_v.resize(static_cast<std::size_t>(problem_.n()));
    first_beta_ = beta_ = canal_.penalty * effective_mass(problem_, m_.judge, m_.surrogate.rows());
    progress_.look_at(m_.lambda);
    m_.v.assign(m_.judge.velocity().begin(), m_.judge.velocity().end());
    if (warm) lagged_shift(m_.judge.constraint_velocity(), m_.shift);
  }

  LawParameters law(bool strict) const { return {beta_, m_.lambda, m_.shift, strict}; }

  /// p = mu |z_t + e_t| from z.
  void lagged_shift(std::span<const double> z, std::span<double> shift) const {
    for (std::size_t i = 0; i < shift.size(); ++i) {
      const Vec3 slip = Vec3::from(&z[static_cast<std::size_t>(problem_.contacts.row[i])]) + problem_.contacts.e[i];
      shift[i] = sliding_power(problem_.contacts.cone[i], slip);
    }
  }

  /// Lines 4-15 of Algorithm 1, and the penalty update of eq. 28.
  void cascade_loop(int loop) {
    const Surrogate::Outcome inner =
        m_.surrogate.solve_convex(problem_, law(false), canal_.newton_tolerance, canal_.max_newton_steps, m_.v);
    count(inner);
    update_multiplier(m_.surrogate.impulse(), m_.surrogate.constraint_velocity());
    // The test of the penalty rule is undefined in the first loop, which has no loop before it.
    if (loop > 0 && gap_ > canal_.required_decrease * last_gap_) {
      beta_ = std::min(canal_.penalty_growth * beta_, canal_.penalty_bound * first_beta_);
    }
    if (canal_.polish) {
      m_.mixing.mix(m_.shift, m_.next_shift);
      for (double& p : m_.shift) p = std::max(0.0, p);
    } else {
      m_.shift = m_.next_shift;
    }
    if (!progress_.look_at(m_.lambda)) m_.mixing.reset();
  }

  /// z = J v + (lambda+ - lambda)/beta, lambda <- lambda+, and the shift that z asks for.
  void update_multiplier(std::span<const double> impulse, std::span<const double> u) {
    double square = 0;
    for (std::size_t k = 0; k < impulse.size(); ++k) {
      const double change = (impulse[k] - m_.lambda[k]) / beta_;
      m_.trial_lambda[k] = u[k] + change;  // z, for a moment
      square += change * change;
      m_.lambda[k] = impulse[k];
    }
    lagged_shift(m_.trial_lambda, m_.next_shift);
    last_gap_ = gap_;
    gap_ = std::sqrt(square);
  }

  /// Semismooth Newton on the strict law from the cascade's point. False where it did not help.
  bool polish() {
    bool helped = false;
    for (int round = 0; round < kPolishRounds && !progress_.converged(); ++round) {
      m_.trial_v = m_.v;
      const Surrogate::Outcome inner =
          m_.surrogate.solve_strict(problem_, law(true), canal_.newton_tolerance, kPolishSteps, m_.trial_v);
      result_.stats.inner_iterations += inner.steps;
      result_.stats.factorizations += inner.steps;
      const std::span<const double> impulse = m_.surrogate.impulse();
      const double before = progress_.best();
      std::copy(impulse.begin(), impulse.end(), m_.trial_lambda.begin());
      if (!progress_.look_at(m_.trial_lambda) || !(progress_.best() < kPolishGain * before)) break;
      m_.v = m_.trial_v;
      update_multiplier(impulse, m_.surrogate.constraint_velocity());
      m_.shift = m_.next_shift;
      m_.mixing.reset();
      helped = true;
    }
    return helped;
  }

  /// Where Newton finds no descent the contacts' states (open, stick, slip) are wrong. First-order steps sort them out:
  /// SubADMM goes on from where it was the last time, for twice as long, and Newton gets another chance from there.
  void smooth() {
    if (smoothing_ == 0) m_.smoother.prepare(problem_, {}, m_.judge, m_.best_lambda);
    smoothing_ = std::clamp(2 * smoothing_, kFirstSmoothing, kMostSmoothing);
    for (int i = 0; i < smoothing_ && !progress_.converged(); ++i) {
      m_.smoother.step(problem_);
      if ((i + 1) % kFirstSmoothing == 0) progress_.look_at(m_.smoother.impulses(problem_));
      if (progress_.out_of_time()) break;
    }
    restart_from(m_.smoother.impulses(problem_));
    if (!progress_.converged() && !polish()) restart_from(m_.best_lambda);
  }

  /// Multiplier, velocities and shift as these impulses ask for.
  void restart_from(std::span<const double> lambda) {
    m_.judge.evaluate(problem_, lambda);
    std::copy(lambda.begin(), lambda.end(), m_.lambda.begin());
    m_.v.assign(m_.judge.velocity().begin(), m_.judge.velocity().end());
    lagged_shift(m_.judge.constraint_velocity(), m_.shift);
    m_.mixing.reset();
  }

  void count(const Surrogate::Outcome& inner) {
    result_.stats.inner_iterations += inner.steps;
    result_.stats.factorizations += inner.steps;
    if (!inner.solved) ++result_.stats.inner_failures;
  }

  /// Where the constraints contradict each other, lambda grows by the same amount in every loop: |J v - z| stays.
  bool gap_stays(double tolerance) const {
    return gap_ > settings_.tolerance && std::abs(gap_ - last_gap_) <= tolerance * gap_;
  }
  bool contradictory() {
    constant_loops_ = gap_stays(1e-7) ? constant_loops_ + 1 : 0;
    return constant_loops_ >= 3;
  }

  const Problem& problem_;
  const Settings& settings_;
  const CanalSettings& canal_;
  CanalMemory& m_;
  Result& result_;
  Progress progress_;
  double first_beta_ = 1, beta_ = 1, gap_ = 0, last_gap_ = 0;
  int constant_loops_ = 0;
  int smoothing_ = 0, idle_loops_ = 0;
};

}  // namespace

void solve_canal(const Problem& problem, const Settings& settings, Workspace& workspace, Result& result) {
  Canal(problem, settings, workspace.get<CanalMemory>(), result).run(workspace.start);
}

}  // namespace uzawa
