#pragma once

#include <span>
#include <vector>

#include "uzawa/problem/prepared_problem.hpp"
#include "uzawa/solver/canal/inner_outcome.hpp"
#include "uzawa/solver/laws/law_response.hpp"
#include "uzawa/solver/linear/newton_matrix.hpp"

namespace uzawa {

/// The surrogate problem of one augmented Lagrangian loop: find v with
///
///     r(v) = A v - b - J^T lambda(v) = 0,      lambda(v) = T(multiplier - beta (J v + e + p))     ([AL] eq. 20, 22)
///
/// by Newton's method. |r| is measured as |S^-1 r| with S = sqrt(diag A): linear and angular momenta have no common
/// unit (on a 5 mm sphere they differ by 1e5), their energies do. With the cone and the lagged shift p it is the
/// gradient of a strongly convex function: exact line search, always a solution.
class Surrogate {
 public:
  /// Sizes the memory and takes over the problem's matrices.
  void prepare(PreparedProblem& prepared);

  /// Exact Newton on the convex surrogate ([AL] section V-B and C), from v.
  InnerOutcome solve_convex(const Problem& problem, const LawParameters& law, double tolerance, int max_steps,
                            std::span<double> v);

  std::span<const double> impulse() const { return impulse_; }        ///< lambda(v) at the last v
  std::span<const double> constraint_velocity() const { return u_; }  ///< J v at the last v
  /// For other Newton methods on the same problem, which may factorise it anew; the next solve factorises again.
  NewtonMatrix& matrix() { return matrix_; }

 private:
  /// u, impulse, derivatives and r at v; returns |S^-1 r|.
  double evaluate(const Problem& problem, const LawParameters& law, std::span<const double> v);
  double residual_scale(const Problem& problem) const;
  double line_search(const Problem& problem, const LawParameters& law, std::span<const double> v);
  void direction_from_residual();

  NewtonMatrix matrix_;
  LawDerivatives derivatives_;
  std::vector<double> inverse_mass_;  ///< 1/diag A
  std::vector<double> u_, du_, impulse_, trial_u_, r_, d_, av_, ad_, jt_lambda_;
};

}  // namespace uzawa
