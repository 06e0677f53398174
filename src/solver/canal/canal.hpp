#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "uzawa/solver/admm/subadmm_iteration.hpp"
#include "uzawa/solver/canal/contradiction.hpp"
#include "uzawa/solver/canal/inner_outcome.hpp"
#include "uzawa/solver/canal/penalty_rule.hpp"
#include "uzawa/solver/canal/primal_dual.hpp"
#include "uzawa/solver/canal/self_stress.hpp"
#include "uzawa/solver/canal/strategy.hpp"
#include "uzawa/solver/canal/surrogate.hpp"
#include "uzawa/solver/linear/anderson.hpp"
#include "uzawa/solver/progress.hpp"

namespace uzawa {

struct CanalMemory : Workspace::Base {
  Judge judge;
  Surrogate surrogate;
  PrimalDualNewton newton;
  SubAdmmIteration smoother;
  Contradiction contradiction;
  SelfStress self_stress;
  AndersonMixing mixing;
  std::vector<double> v, lambda, shift, next_shift, best_lambda, last_lambda, constant_lambda, anchor_u;
  std::vector<double> trial_lambda;
};

/// One solve by CANAL: the state of [AL] Algorithm 1, and the stages that canal.cpp puts in order.
class Canal {
 public:
  static std::span<const SolverStage> stages();

  /// `pool`: threads of the first-order iterations; null: none.
  Canal(PreparedProblem& prepared, const Settings& settings, CanalMemory& memory, ThreadPool* pool, Result& result);
  /// `least`: start impulses when they were made least for the last time (Result::least); empty: never.
  void run(const std::vector<double>& start, std::span<const double> least);

 private:
  struct Stage {
    SolverStage listed;
    void (Canal::*run)(double work);
  };
  static const std::array<Stage, 5> kStages;

  // -- canal.cpp: order, ends
  void prepare(const std::vector<double>& start);
  void approach();
  void forget_self_stress(std::span<const double> least);
  bool is_least(std::span<const double> least) const;
  bool relax(const SelfStress::Rest& rest);
  void newton_without_stress();
  bool well_within() const { return progress_.best() <= kStrategy.newton.margin * settings_.tolerance; }
  bool is_over() const { return progress_.converged() || contradiction_ || progress_.must_end(); }
  /// Newton steps are so cheap beside first-order iterations that these are no first choice.
  bool is_cheap() const { return iteration_work_ * kStrategy.newton.fewest > kStages[2].listed.work; }

  // -- newton_stages.cpp
  void first_order();
  void sharp_newton(double work);
  struct NewtonRun {
    double work;
    int patience, tries = kStrategy.newton.tries;
    double rounding = 0;
    bool bold = false;
  };
  void smoothed_newton(double work);
  void smooth(int iterations);
  void newton(std::span<const double> from, const NewtonRun& run);
  bool newton_step(int tries, bool bold = false);

  // -- proximal.cpp
  void fresh_proximal(double work);
  void proximal(double work);
  void follow_proximal(std::span<const double> from, double end);
  bool solve_proximal(double residual, double end);

  // -- cascade.cpp
  void loops(double work);
  void cascade();
  LawParameters law(bool strict) const { return {beta_, m_.lambda, m_.shift, strict}; }
  void lagged_shift(std::span<const double> z, std::span<double> shift) const;
  double update_multiplier(std::span<const double> impulse, std::span<const double> u);
  void restart_from(std::span<const double> lambda);
  bool is_contradictory();
  void count_steps(const InnerOutcome& inner);

  PreparedProblem& prepared_;
  const Problem& problem_;
  const Settings& settings_;
  const CanalSettings& canal_;
  CanalMemory& m_;
  ThreadPool* pool_;
  Result& result_;
  Progress progress_;
  std::optional<PenaltyRule> penalty_;
  std::span<const double> given_;  ///< impulses to start from; empty: none
  bool start_judged_ = true;       ///< the judge's last look was at them
  double iteration_work_ = 0;      ///< work of a first-order iteration, once the Newton matrix is known
  double beta_ = 1;
  int smoothed_ = 0;            ///< first-order iterations so far
  bool contradiction_ = false;  ///< the constraints contradict each other
};

}  // namespace uzawa
