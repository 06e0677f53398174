#pragma once

#include <span>
#include <vector>

#include "uzawa/problem/prepared_problem.hpp"
#include "uzawa/solver/admm/admm_subsystems.hpp"
#include "uzawa/solver/admm/constraint_step.hpp"
#include "uzawa/solver/admm/subadmm_acceleration.hpp"
#include "uzawa/solver/admm/trace_penalties.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa {

/// The iteration of SubADMM ([AL] eq. 35-40) with its state, run step by step. The method `subadmm` runs it until the
/// judge's residual is within the tolerance; CANAL uses it as first-order smoothing, to find which contacts stick, slip
/// or open where Newton fails. With other splittings it is the ADMM that [AL] compares SubADMM with.
class SubAdmmIteration {
 public:
  /// Starts from impulses `lambda`. The result does not depend on the number of threads.
  void prepare(PreparedProblem& prepared, const SubAdmmSettings& settings, std::span<const double> lambda,
               Splitting splitting = Splitting::Bodies, ThreadPool* pool = nullptr);
  /// One iteration; after some of them the penalty is adapted.
  void step(const Problem& problem);
  /// Impulses of the last iteration, in the order of the problem's constraints.
  std::span<const double> impulses(const Problem& problem);

  /// Multiply-adds of one iteration, about.
  static double work(const Problem& problem);

  double beta() const { return beta_; }  ///< with penalties by traces 1: they are weights of it
  /// [SUB] eq. 22 of the last step, N^2 s^2; measured where settings.theta is set.
  double theta() const { return theta_; }
  int factorizations() const { return factorizations_; }
  bool healthy() const { return healthy_; }  ///< all subsystem matrices were positive definite

 private:
  double mass_scale(PreparedProblem& prepared);
  double balanced_penalty(const AdmmResiduals& residuals) const;
  bool goes_round(const AdmmResiduals& residuals);
  void adapt(const Problem& problem);
  void factorize(const Problem& problem);

  SubAdmmSettings settings_;
  ThreadPool* pool_ = nullptr;
  AdmmSubsystems subsystems_;
  TracePenalties traces_;
  ConstraintStep groups_;
  SubAdmmAcceleration acceleration_;
  std::vector<double> lambda_, first_v_;
  std::vector<int> count_;  ///< scratch of mass_scale
  double beta_ = 1;
  double theta_ = 0;
  double relaxation_ = 1;
  double last_change_ = 0;  ///< square of y's change at the last adaptation
  double free_square_ = 0;  ///< of J A^-1 b
  int steps_ = 0, next_adaptation_ = 0, factorizations_ = 0;
  bool healthy_ = true;
  bool plain_ = false;  ///< the last operation was a plain step
};

}  // namespace uzawa
