#pragma once

#include <span>
#include <vector>

#include "uzawa/solver/solver.hpp"

namespace uzawa {

/// Attempts at islands that a solve has left unsolved, one solve each, until one is solved. Friction can jam bodies so
/// that the recovery of their penetrations contradicts it; standing still against each other is always possible.
struct JamRelease {
  enum Attempt {
    None,
    ColdStart,      ///< the impulses to start from may have led astray: without those of the unsolved islands
    LeaveViolated,  ///< no recovery of the errors of violated constraints
    LeaveIslands,   ///< nor of any constraint of their islands
    GivenUp         ///< no jam, but hard: the best answer stays
  };
  Attempt attempt = None;        ///< the last one
  Result best;                   ///< the best answer to the problem as it was
  std::vector<int> constraints;  ///< whose errors were left by the last attempt

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
