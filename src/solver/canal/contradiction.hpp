#pragma once

#include <span>
#include <vector>

#include "uzawa/problem/problem.hpp"

namespace uzawa {

/// Certificate that constraints contradict each other, from the rounds of a proximal method, each of which solves the
/// problem with a compliance C (diagonal, per row) about the impulses of the round before. Where there is a solution
/// the violation that is left, C dlambda, tends to nothing. Where there is none it tends to the least violation: it
/// stays the same, while lambda grows along a direction that moves nothing (W dlambda = 0, W = J A^-1 J^T) and has e .
/// dlambda < 0: as no velocity has a part in J v . dlambda, none can make up for e (Farkas). Without errors to make up
/// for (e >= 0, as in simulations) there is no contradiction.
class Contradiction {
 public:
  void reset() { rounds_ = -1; }
  /// One round that was solved.
  struct Round {
    std::span<const double> d_lambda, d_u;  ///< changes of lambda and of J v
    double kappa;                           ///< compliance times rho
    std::span<const double> rho;            ///< per row
  };
  /// True where the last rounds prove a contradiction by more than `least` m/s.
  bool add(const Problem& problem, const Round& round, double least);

 private:
  std::vector<double> violation_;  ///< C dlambda of the last round, m/s
  int rounds_ = -1;                ///< in which it has stayed the same; -1: there was none yet
};

}  // namespace uzawa
