#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "uzawa/solver/admm/subadmm_iteration.hpp"
#include "uzawa/solver/canal/inner_outcome.hpp"
#include "uzawa/solver/canal/penalty_rule.hpp"
#include "uzawa/solver/canal/primal_dual.hpp"
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
  AndersonMixing mixing;
  std::vector<double> v, lambda, shift, next_shift, best_lambda, approach_lambda, last_lambda, constant_lambda;
  std::vector<double> trial_v, trial_lambda;
};

/// One solve by CANAL: the state of [AL] Algorithm 1, and the attempts that canal.cpp puts in order.
class Canal {
 public:
  /// The attempts, without their functions.
  static std::span<const SolverStage> stages();

  Canal(PreparedProblem& prepared, const Settings& settings, CanalMemory& memory, Result& result);
  void run(const std::vector<double>& start);

 private:
  /// When an attempt is tried.
  enum class Phase { Approach, Loop, Last };
  /// One way to get closer to the solution.
  struct Attempt {
    Phase phase;
    const char *name, *when;
    bool (Canal::*is_due)() const;
    bool (Canal::*run)(const CanalBudget& budget);  ///< true where it helped
    CanalBudget budget;
  };

  static const std::array<Attempt, 11> kAttempts;

  // -- canal.cpp: order, ends
  void prepare(const std::vector<double>& start);
  void approach_first();
  void approach();
  void loop(int number);
  void finish_with_best(SolveStatus status);
  void give_up(SolveStatus status);
  bool well_within() const { return progress_.best() <= kStrategy.approach.margin * settings_.tolerance; }
  bool is_unfinished() const { return !progress_.converged() && !progress_.out_of_time(); }
  bool is_large() const { return problem_.rows > kStrategy.approach.small_rows; }
  bool has_few_dofs() const { return problem_.n() <= kStrategy.approach.few_dofs_most; }
  bool is_crowded() const { return problem_.rows > kStrategy.loops.crowded_rows * problem_.n(); }
  bool is_contradictory();
  bool may_contradict() const { return penalty_->gap_stays(settings_.tolerance, kStrategy.contradiction.gap_change); }
  void count_steps(const InnerOutcome& inner);

  // -- when attempts are due
  bool is_warm() const { return warm_; }
  bool is_small_and_cold() const { return !warm_ && !is_large(); }
  bool is_small_and_unfinished() const { return !is_large() && is_unfinished(); }
  bool is_large_with_few_dofs() const { return is_large() && has_few_dofs() && is_unfinished(); }
  bool is_large_and_unfinished() const { return is_large() && !has_few_dofs() && is_unfinished(); }
  bool is_cascading() const { return loop_.cascades; }
  bool is_near() const { return is_unfinished() && progress_.best() <= kStrategy.proximal.reach; }
  bool wants_polish() const;
  bool is_stuck() const;

  // -- approach.cpp
  bool sharp_newton(const CanalBudget& budget);
  bool rounded_newton(const CanalBudget& budget);
  bool smoothed_newton(const CanalBudget& budget);
  void newton(std::span<const double> from, double rounding, int steps);

  // -- cascade.cpp
  bool cascade(const CanalBudget& budget);
  bool polish_loop(const CanalBudget& budget);
  bool polish(const CanalBudget& budget);
  LawParameters law(bool strict) const { return {beta_, m_.lambda, m_.shift, strict}; }
  void lagged_shift(std::span<const double> z, std::span<double> shift) const;
  double update_multiplier(std::span<const double> impulse, std::span<const double> u);
  void restart_from(std::span<const double> lambda);

  // -- path_following.cpp
  bool follow_paths(const CanalBudget& budget);
  bool follow_path(const CanalBudget& budget, double widest, double beta);

  // -- smoothing.cpp
  bool smooth(const CanalBudget& budget);
  void smooth_for(int iterations);

  // -- proximal.cpp
  bool proximal(const CanalBudget& budget);

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
  int smoothing_ = 0;                       ///< first-order iterations of the last smoothing; 0: none yet
  int idle_loops_ = 0;                      ///< consecutive loops without sufficient decrease of the residual
  int next_polish_ = 0, polish_pause_ = 0;  ///< loops
  double lost_at_ = -1;                     ///< residual at which path following failed last
  /// Of the current loop.
  struct {
    int number = 0;
    double before = 0;                      ///< best residual at its start
    bool cascades = true;                   ///< a convex surrogate is solved
    bool getting_on = false;                ///< the cascade converges well: no path following or smoothing
    bool polished = false, helped = false;  ///< a polish was due; the last attempt gained enough
  } loop_;
};

}  // namespace uzawa
