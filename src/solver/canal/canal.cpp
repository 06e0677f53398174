/// CANAL, the cascaded Newton augmented Lagrangian method ([AL] Algorithm 1).
///
/// Each loop solves a convex surrogate: contacts as cones, shifted by p = mu |z_t| taken from the loop before, with the
/// multiplier u = -lambda and the penalty beta. Then lambda, z and p are updated. At the fixed point the cone condition
/// with the shift is Signorini-Coulomb exactly ([AL] eq. 21).
///
/// Deviations from the paper, under settings.canal.polish and .anderson: the lagged shift makes the outer rate linear
/// (mu^2/(1+mu^2) for one slipping contact), so each loop from the second on is followed by semismooth Newton on the
/// strict law from the cascade's point, kept only where the judge sees a clear gain; and the shift is Anderson-mixed.
/// Where that finds no descent, the strict law's corners are rounded and Newton follows the solution while the rounding
/// shrinks (path following); where even that is lost, first-order steps sort the contacts out.
/// Before all that Newton on velocities and impulses at once is tried (primal_dual.cpp): from the impulses to start
/// from, then with rounded corners, on large islands from where a few first-order steps lead: what a step of a
/// simulation asks for is seldom more. (Crowded bodies that start from nothing come to that last.) Stopping is by the
/// judge, never by |J v - z| ([AL] line 16), which is tiny after one loop on a sliding contact that is far from solved.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "uzawa/solver/admm/subadmm_iteration.hpp"
#include "uzawa/solver/canal/penalty_rule.hpp"
#include "uzawa/solver/canal/primal_dual.hpp"
#include "uzawa/solver/canal/surrogate.hpp"
#include "uzawa/solver/linear/anderson.hpp"
#include "uzawa/solver/linear/effective_mass.hpp"
#include "uzawa/solver/progress.hpp"

namespace uzawa {

namespace {

constexpr int kDefaultLoops = 50;
constexpr int kPolishSteps = 25;                            // Newton steps of one polish
constexpr int kPolishRounds = 4;                            // multiplier updates in a row while each of them helps
constexpr int kFirstSmoothing = 50, kMostSmoothing = 1600;  // first-order iterations where Newton is lost
constexpr int kPatience = 3;         // loops of the cascade without a gain, before only smoothing and Newton go on
constexpr int kMostIdleLoops = 8;    // then it is given up: single steps of dishes took 50 loops and 1.5 s
constexpr double kPolishGain = 0.3;  // what counts as help
constexpr int kCrowdedRows = 20;     // a dof: shells in each other, nuts; cheap loops that gain by fits and starts
constexpr int kContradiction = 4;    // loops in which lambda grows by the same amount, and how much farther it is sent
constexpr double kStride = 10;
// Where several bodies so crowded start from nothing, the cascade comes first: Newton seldom gets there.
constexpr int kSingleBody = 6;
constexpr double kCascadeGain = 0.7;  // a loop that gains as much is on its way, and better left alone
// Primal-dual Newton: steps from a warm start, from nothing (small islands: often two are enough), and with the corners
// rounded at first; where it has gained nothing after a few steps it is lost.
constexpr int kWarmSteps = 10, kColdSteps = 4, kApproachSteps = 40, kHopefulSteps = 3;
// Steps in a row without a halving of the residual, before it is given up: where the tolerance is met, and where not
// (5: some of the stored problems and of the piles are lost, at 3 times the cost).
constexpr int kContentPatience = 2, kNewtonPatience = 8;
// Just within the tolerance is not enough: the next steps would start there, find it good, and add up the same error.
constexpr double kNewtonMargin = 0.01;
constexpr int kApproaches = 5;           // at the most
constexpr int kApproachSmoothing = 100;  // first-order iterations before the first; twice as many before each other
constexpr int kApproachDofs = 100;       // with fewer, loops of the cascade are so cheap that one is enough
constexpr int kApproachRows = 150;       // smaller islands are first tried without first-order iterations
constexpr int kSmallApproaches = 2, kSmallSmoothing = 50;  // and then with these
constexpr int kOtherEpsilons = 3;                          // where the first finds no descent
constexpr double kApproachRounding = 30;                   // times the residual
// Path following: the widest roundings to try, the narrowest, relative to the mean impulse, and how fast they shrink;
// Newton's accuracy and steps for one rounding.
constexpr double kWidest[] = {1, 0.1}, kNarrowest = 1e-7, kShrink = 0.5;
constexpr double kPathTolerance = 1e-6;
constexpr int kPathSteps = 15;

struct CanalMemory : Workspace::Base {
  Judge judge;
  Surrogate surrogate;
  PrimalDualNewton newton;
  SubAdmmIteration smoother;
  AndersonMixing mixing;
  std::vector<double> v, lambda, shift, next_shift, best_lambda, approach_lambda, last_lambda, constant_lambda;
  std::vector<double> trial_v, trial_lambda;
};

/// One solve: the state of Algorithm 1.
class Canal {
 public:
  Canal(PreparedProblem& prepared, const Settings& settings, CanalMemory& memory, Result& result)
      : prepared_(prepared),
        problem_(prepared.problem()),
        settings_(settings),
        canal_(settings.canal),
        m_(memory),
        result_(result),
        progress_(prepared, settings, memory.judge, memory.best_lambda, result) {}

  void run(const std::vector<double>& start) {
    prepare(start);
    const bool crowded = problem_.rows > kCrowdedRows * problem_.n();
    approach_late_ = crowded && !warm_ && canal_.cascade && problem_.n() > kSingleBody;
    if (canal_.polish && !well_within() && !approach_late_) approach_first();
    if (progress_.converged()) return progress_.finish(SolveStatus::Converged);
    if (!canal_.cascade)
      return progress_.finish(progress_.out_of_time() ? SolveStatus::TimeLimit : SolveStatus::Stalled);
    beta_ = canal_.penalty * effective_mass(prepared_);
    penalty_.emplace(canal_, beta_);
    const int loops = settings_.max_iterations > 0 ? settings_.max_iterations : kDefaultLoops;
    for (int loop = 0; loop < loops && !progress_.converged(); ++loop) {
      const double before = progress_.best();
      const bool cascade = !canal_.polish || idle_loops_ < kPatience;
      m_.last_lambda = m_.lambda;
      if (cascade) cascade_loop();
      const bool getting_on = progress_.best() < kCascadeGain * before || (crowded && idle_loops_ < kPatience);
      if (canal_.polish && loop > 0 && !progress_.converged() && !(getting_on && loop < next_polish_)) {
        const bool helped = cascade && polish();
        if (!helped) next_polish_ = loop + 1 + ++polish_pause_;  // costs more than the loop that it follows
        if (!helped && !getting_on && !(cascade && may_contradict()) && !follow_paths()) smooth();
      }
      if (!may_contradict()) idle_loops_ = progress_.best() < kCascadeGain * before ? 0 : idle_loops_ + 1;
      ++result_.stats.iterations;
      progress_.record(beta_);
      if (progress_.converged()) break;
      if (canal_.polish && idle_loops_ >= kMostIdleLoops) return give_up(SolveStatus::Stalled);
      if (cascade && is_contradictory()) return progress_.finish(SolveStatus::LeastViolation, m_.constant_lambda);
      if (progress_.out_of_time()) return finish_with_best(SolveStatus::TimeLimit);
    }
    if (progress_.converged()) return progress_.finish(SolveStatus::Converged);
    give_up(canal_.polish && settings_.max_iterations <= 0 ? SolveStatus::Stalled : SolveStatus::IterationLimit);
  }

 private:
  /// The best of the cascade or of what came before it.
  void finish_with_best(SolveStatus status) {
    if (!m_.approach_lambda.empty()) progress_.look_at(m_.approach_lambda);
    progress_.finish(status);
  }

  void give_up(SolveStatus status) {
    if (canal_.polish && approach_late_) approach();
    if (progress_.converged()) return progress_.finish(SolveStatus::Converged);
    finish_with_best(status);
  }

  void prepare(const std::vector<double>& start) {
    m_.trial_lambda.assign(static_cast<std::size_t>(problem_.rows), 0.0);
    const auto contacts = static_cast<std::size_t>(problem_.contacts.size());
    m_.shift.assign(contacts, 0.0);
    m_.next_shift.resize(contacts);
    m_.approach_lambda.clear();
    m_.mixing.resize(contacts);
    m_.trial_v.resize(static_cast<std::size_t>(problem_.n()));
    warm_ = progress_.start_from(start, m_.lambda);
    if (canal_.polish ? well_within() : progress_.converged()) return;  // nothing has changed: the rest is for nothing
    m_.v.assign(m_.judge.velocity().begin(), m_.judge.velocity().end());
    if (warm_) lagged_shift(m_.judge.constraint_velocity(), m_.shift);
    m_.surrogate.prepare(prepared_);
  }

  bool well_within() const { return progress_.best() <= kNewtonMargin * settings_.tolerance; }

  /// What most steps of a simulation need: from the impulses of the last step, or with rounded corners.
  void approach() {
    m_.newton.prepare(prepared_);
    const bool large = problem_.rows > kApproachRows;
    if (warm_ || !large) newton(m_.lambda, 0, warm_ ? kWarmSteps : kColdSteps);
    const int approaches = !large ? kSmallApproaches : (problem_.n() > kApproachDofs ? kApproaches : 1);
    for (int i = large ? 0 : -1; i < approaches && !progress_.converged() && !progress_.out_of_time(); ++i) {
      const bool smoothed = i >= 0;
      if (smoothed) smooth_for((large ? kApproachSmoothing : kSmallSmoothing) << i);
      if (progress_.converged()) break;
      const std::span<const double> from = smoothed ? m_.smoother.impulses(problem_) : m_.best_lambda;
      m_.judge.evaluate(prepared_, from);
      newton(from, kApproachRounding, kApproachSteps);
    }
  }

  void approach_first() {
    approach();
    if (progress_.converged()) return;
    if (warm_) return restart_from(m_.best_lambda);
    // A cold start stays one: where Newton was lost, what it left is no better a start for the cascade than nothing,
    // and no measure of what the cascade gains.
    m_.approach_lambda = m_.best_lambda;
    progress_.forget();
  }

  /// Newton on velocities and impulses at once, from the impulses that the judge has just looked at, for as long as it
  /// gets anywhere.
  void newton(std::span<const double> from, double rounding, int steps) {
    m_.newton.start(problem_, from, m_.judge.constraint_velocity(), rounding);
    const double first = progress_.best();
    double mark = HUGE_VAL;
    int idle = 0;
    for (int i = 0; i < steps && idle < (progress_.converged() ? kContentPatience : kNewtonPatience); ++i) {
      if (progress_.out_of_time()) break;
      const bool found = m_.newton.step(problem_, m_.surrogate.matrix(), kOtherEpsilons);
      ++result_.stats.inner_iterations;
      if (!found) break;
      progress_.look_at(m_.newton.impulses());
      progress_.record(0);
      // What the rounding leaves is small but always the same: the next steps would add it up, too.
      if (well_within() && !m_.newton.end_rounding()) break;
      idle = progress_.last_residual() < 0.5 * mark ? 0 : idle + 1;
      if (idle == 0) mark = progress_.last_residual();
      m_.newton.correct(problem_, m_.judge.constraint_velocity());
      const bool hopeful = i + 1 != kHopefulSteps || progress_.best() < kPolishGain * first;
      if (!hopeful && rounding == 0 && problem_.rows > kApproachRows) break;
    }
    result_.stats.factorizations += m_.newton.factorizations();
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
  void cascade_loop() {
    const InnerOutcome inner =
        m_.surrogate.solve_convex(problem_, law(false), canal_.newton_tolerance, canal_.max_newton_steps, m_.v);
    count_steps(inner);
    if (!inner.solved) ++result_.stats.inner_failures;
    const double gap = update_multiplier(m_.surrogate.impulse(), m_.surrogate.constraint_velocity());
    penalty_->end_of_loop(gap);
    beta_ = penalty_->beta();
    if (canal_.anderson) {
      m_.mixing.mix(m_.shift, m_.next_shift);
      for (double& p : m_.shift) p = std::max(0.0, p);
    } else {
      m_.shift = m_.next_shift;
    }
    if (!progress_.look_at(m_.lambda)) m_.mixing.reset();
  }

  /// z = J v + (lambda+ - lambda)/beta, lambda <- lambda+, and the shift that z asks for. Returns |J v - z|.
  double update_multiplier(std::span<const double> impulse, std::span<const double> u) {
    double square = 0;
    for (std::size_t k = 0; k < impulse.size(); ++k) {
      const double change = (impulse[k] - m_.lambda[k]) / beta_;
      m_.trial_lambda[k] = u[k] + change;  // z, for a moment
      square += change * change;
      m_.lambda[k] = impulse[k];
    }
    lagged_shift(m_.trial_lambda, m_.next_shift);
    return std::sqrt(square);
  }

  /// Semismooth Newton on the strict law from the cascade's point. False where it did not help.
  bool polish() {
    bool helped = false;
    for (int round = 0; round < kPolishRounds && !progress_.converged() && !progress_.out_of_time(); ++round) {
      m_.trial_v = m_.v;
      const InnerOutcome inner =
          m_.surrogate.solve_strict(problem_, law(true), canal_.newton_tolerance, kPolishSteps, m_.trial_v);
      count_steps(inner);
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

  /// Where Newton finds no descent the contacts' states (open, stick, slip) are wrong, and no small step mends them.
  /// With the corners of the law rounded over a width tau there are no states: Newton follows the solution while tau
  /// falls from the size of the impulses to nothing, the multiplier following. A level that Newton does not quite solve
  /// is no reason to stop: a later one may. False where nothing was gained.
  bool follow_path(double widest, double beta) {
    restart_from(m_.best_lambda);
    double square = 0;
    for (const double lambda : m_.lambda) square += lambda * lambda;
    const double mean = std::sqrt(square / std::max(1.0, static_cast<double>(problem_.constraints.size())));
    const double cascade_beta = std::exchange(beta_, beta);
    m_.trial_v = m_.v;
    for (double tau = widest * mean; tau > kNarrowest * mean && !progress_.out_of_time(); tau *= kShrink) {
      LawParameters rounded = law(true);
      rounded.smoothing = tau;
      const InnerOutcome inner = m_.surrogate.solve_strict(problem_, rounded, kPathTolerance, kPathSteps, m_.trial_v);
      count_steps(inner);
      if (inner.solved && inner.steps == 0) break;  // the corners are out of reach
      const std::span<const double> impulse = m_.surrogate.impulse();
      std::copy(impulse.begin(), impulse.end(), m_.lambda.begin());
    }
    m_.v = m_.trial_v;
    const bool helped = polish();
    beta_ = cascade_beta;
    if (!helped) restart_from(m_.best_lambda);
    return helped;
  }
  /// The width of the rounding in terms of J v is tau/beta: stacks are followed best with a penalty that has grown,
  /// piles with the first one.
  bool follow_paths() {
    if (idle_loops_ >= kPatience && progress_.best() == lost_at_) return false;  // they would be lost again
    for (const double widest : kWidest) {
      if (progress_.out_of_time()) return false;
      if (follow_path(widest, beta_) ||
          (beta_ != penalty_->first_beta() && follow_path(widest, penalty_->first_beta())))
        return true;
    }
    lost_at_ = progress_.best();
    return false;
  }

  /// Where the path is lost, too: SubADMM goes on from where it was the last time, for twice as long, and Newton gets
  /// another chance from there.
  void smooth() {
    smooth_for(std::clamp(2 * smoothing_, kFirstSmoothing, kMostSmoothing));
    restart_from(m_.smoother.impulses(problem_));
    if (!progress_.converged() && !polish()) restart_from(m_.best_lambda);
  }

  void smooth_for(int iterations) {
    if (smoothing_ == 0) m_.smoother.prepare(prepared_, {}, m_.best_lambda);
    smoothing_ = iterations;
    for (int i = 0; i < iterations && !progress_.converged(); ++i) {
      m_.smoother.step(problem_);
      if ((i + 1) % kFirstSmoothing == 0) {
        progress_.look_at(m_.smoother.impulses(problem_));
        progress_.record(m_.smoother.beta());
      }
      if (progress_.out_of_time()) break;
    }
  }

  /// Multiplier, velocities and shift as these impulses ask for.
  void restart_from(std::span<const double> lambda) {
    m_.judge.evaluate(prepared_, lambda);
    std::copy(lambda.begin(), lambda.end(), m_.lambda.begin());
    m_.v.assign(m_.judge.velocity().begin(), m_.judge.velocity().end());
    lagged_shift(m_.judge.constraint_velocity(), m_.shift);
    m_.mixing.reset();
  }

  void count_steps(const InnerOutcome& inner) {
    result_.stats.inner_iterations += inner.steps;
    result_.stats.factorizations += inner.factorizations;
  }

  /// Lambda grows by the same amount loop by loop where constraints contradict each other, but also where it has far to
  /// go until some contact slides or opens. So it is sent on ever farther. If nothing gives way there is a
  /// contradiction, and v, which does not change any more, violates the constraints least, whatever the residuals of
  /// other iterates say.
  bool is_contradictory() {
    const int constant = penalty_->constant_loops(settings_.tolerance);
    if (constant == 0) return false;
    if (constant == 1) m_.constant_lambda = m_.lambda;
    const double stride = std::pow(kStride, constant);
    for (std::size_t k = 0; k < m_.lambda.size(); ++k) m_.lambda[k] += stride * (m_.lambda[k] - m_.last_lambda[k]);
    return constant >= kContradiction;
  }

  /// A loop that gains nothing may be lost, or the constraints contradict each other: then |J v - z| stays.
  bool may_contradict() const { return penalty_->gap_stays(settings_.tolerance, 1e-3); }

  PreparedProblem& prepared_;
  const Problem& problem_;
  const Settings& settings_;
  const CanalSettings& canal_;
  CanalMemory& m_;
  Result& result_;
  Progress progress_;
  std::optional<PenaltyRule> penalty_;
  double beta_ = 1;
  bool warm_ = false, approach_late_ = false;
  int smoothing_ = 0, idle_loops_ = 0;
  int next_polish_ = 0, polish_pause_ = 0;  ///< loops
  double lost_at_ = -1;                     ///< residual from which no path led anywhere
};

}  // namespace

void solve_canal(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result) {
  Canal(prepared, settings, workspace.get<CanalMemory>(), result).run(workspace.start);
}

}  // namespace uzawa
