#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "uzawa/problem/judge.hpp"

namespace uzawa {

/// Accumulates a verdict: from constraints, or from the verdicts on parts of a problem.
class Tally {
 public:
  /// Lists constraints with a larger error than this.
  void list_above(double error, std::vector<int>& constraints) { least_listed_ = error, listed_ = &constraints; }
  /// `error` of one constraint, a part of the residual.
  void add(ConstraintKind kind, int constraint, double error);
  void add_penetration(double value) { raise(verdict_.penetration, value); }
  void add_cone_violation(double value) { raise(verdict_.cone_violation, value); }
  void add_complementarity(double value) { raise(verdict_.complementarity, value); }
  void add_dissipation(double value) { raise(verdict_.dissipation, value); }
  Verdict::ContactSquares& contact_squares() { return verdict_.contact_squares; }

  /// Adds the verdict on a part; `constraints`: indices of its constraints in the whole problem.
  void add(const Verdict& part, std::span<const int> constraints);

  /// The accumulated verdict; `constraints`: number of constraints of the whole problem.
  Verdict finish(std::size_t constraints);

 private:
  /// NaN is worse than any number, and stays.
  static bool is_worse(double value, double worst) { return !(value <= worst) && !std::isnan(worst); }
  static void raise(double& worst, double value) {
    if (is_worse(value, worst)) worst = value;
  }

  Verdict verdict_;
  double square_[kConstraintKinds] = {};  ///< by kind
  double least_listed_ = 0;
  std::vector<int>* listed_ = nullptr;
};

}  // namespace uzawa
