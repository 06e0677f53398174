#pragma once

#include <span>
#include <vector>

#include "uzawa/problem/prepared_problem.hpp"
#include "uzawa/solver/laws/law_response.hpp"
#include "uzawa/solver/linear/newton_matrix.hpp"

namespace uzawa {

/// Redundant constraints share a load in many ways: all impulses with the same J^T lambda give the same velocities, and
/// which of them a solve finds depends on where it started, so that the self-stress of an impact would stay for ever.
/// Of those with the same rows at work the one of least sum lambda_i^2/rho_i, rho being the effective masses, depends
/// on nothing but the problem:
///
///     lambda = R J x,      (J^T R J + A/w) x = J^T lambda_given,      w large
///
/// R is rho on rows that hold, a small share of it on those of friction, as s s^T on contacts that slide, s being the
/// direction of the impulse, and 0 elsewhere.
class SelfStress {
 public:
  /// The impulses of least sum, in `out`. False where no more rows are at work than there are dofs.
  [[nodiscard]] bool relax(PreparedProblem& prepared, NewtonMatrix& matrix, std::span<const double> lambda,
                           std::span<double> out);

 private:
  int find_weights(const Problem& problem, std::span<const double> lambda);
  void multiply_weights(const Problem& problem, std::span<const double> u, std::span<double> out);

  LawDerivatives weights_;  ///< R
  std::vector<double> rho_, held_, x_, u_;
};

}  // namespace uzawa
