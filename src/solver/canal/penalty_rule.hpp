#pragma once

#include <algorithm>
#include <cmath>

#include "uzawa/solver/solver.hpp"

namespace uzawa {

/// Penalty update of an augmented Lagrangian method, from |J v - z| of successive loops: the penalty grows where a loop
/// has not reduced it enough ([AL] eq. 28). A constant |J v - z| is a sign of constraints that contradict each other.
class PenaltyRule {
 public:
  PenaltyRule(const CanalSettings& settings, double first)
      : settings_(settings), first_(first), beta_(first), bound_(settings.penalty_bound * first) {}

  double beta() const { return beta_; }
  double first_beta() const { return first_; }

  /// `gap`: |J v - z| of the loop that just ended, m/s.
  void end_of_loop(double gap) {
    last_gap_ = gap_;
    gap_ = gap;
    // The test is undefined in the first loop, which has no loop before it.
    if (loops_++ > 0 && gap_ > settings_.required_decrease * last_gap_) {
      beta_ = std::min(settings_.penalty_growth * beta_, bound_);
    }
  }

  /// Loops in a row in which |J v - z| has stayed the same, above `tolerance`; to be called once a loop. Lambda grows
  /// by the same amount in each of them: without bound where constraints contradict each other, else until the active
  /// set changes (a contact slides or opens).
  int constant_loops(double tolerance) {
    constexpr double kConstant = 1e-7;
    return constant_loops_ = gap_stays(tolerance, kConstant) ? constant_loops_ + 1 : 0;
  }
  /// |J v - z| of the last loop is above `tolerance` and within a share `change` of the one before.
  bool gap_stays(double tolerance, double change) const {
    return gap_ > tolerance && std::abs(gap_ - last_gap_) <= change * gap_;
  }

 private:
  const CanalSettings& settings_;
  double first_, beta_, bound_, gap_ = 0, last_gap_ = 0;
  int loops_ = 0, constant_loops_ = 0;
};

}  // namespace uzawa
