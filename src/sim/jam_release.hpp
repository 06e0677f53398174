#pragma once

#include <span>
#include <vector>

#include "uzawa/solver/solver.hpp"

namespace uzawa {

/// Further attempts at islands that a solve has left unsolved, one solve each, until they are solved. In a jam,
/// friction contradicts the recovery of penetrations; zero relative velocity is always possible.
struct JamRelease {
  enum Attempt {
    None,
    ColdStart,      ///< without warm start of the unsolved islands, whose impulses may be a bad first iterate
    LeaveViolated,  ///< no recovery of the errors of violated constraints
    LeaveIslands,   ///< no recovery for any constraint of their islands
    GivenUp         ///< not solved without recovery either, so no jam: the best result is kept
  };
  Attempt attempt = None;        ///< the last one
  Result best;                   ///< best result for the problem with recovery
  std::vector<int> constraints;  ///< constraints whose recovery the last attempt left out

  void reset() { attempt = None; }
  /// Fills `constraints` with those of `candidates` (ascending) whose part of the residual is above the tolerance.
  void list_violated(const Problem& problem, std::span<const double> lambda, double tolerance,
                     std::span<const int> candidates);

 private:
  PreparedProblem prepared_;
  Judge judge_;
  std::vector<int> violated_;
};

}  // namespace uzawa
