#pragma once

#include <span>
#include <vector>

#include "uzawa/problem/prepared_problem.hpp"
#include "uzawa/solver/laws/law_response.hpp"
#include "uzawa/solver/linear/newton_matrix.hpp"

namespace uzawa {

/// The surrogate problem of one augmented Lagrangian loop without the cascade ([AL] eq. 20): find v with
///
///     A v - b - J^T lambda(v) = 0,      lambda(v) = T(multiplier - beta (J v + e)),  T strict
///
/// with the gradient and products that Newton's methods on |r|^2/2 need. Linear and angular momenta have no common
/// unit, and on a 5 mm sphere they differ by 1e5: the unknown here is y = S v with S = sqrt(diag A), and r = S^-1 (A v
/// - b - J^T lambda), both in sqrt(J). H = dr/dy = S^-1 (A + beta J^T D J) S^-1, which is not symmetric.
class StrictEquation {
 public:
  /// Sizes the memory and takes over the problem's matrices; the problem must outlive the solve.
  void prepare(PreparedProblem& prepared);
  /// Multiplier and penalty of this loop.
  void pose(std::span<const double> multiplier, double beta);

  void set_velocity(std::span<const double> v, std::span<double> y) const;  ///< y = S v

  /// Evaluates the equation at y; returns |r|. The functions below refer to that y.
  double evaluate(std::span<const double> y);
  /// Scale of |r| for relative tolerances: |S^-1 b| + |S^-1 J^T lambda|.
  double scale() const;
  std::span<const double> residual() const { return r_; }
  std::span<const double> impulse() const { return impulse_; }
  /// Scratch vectors of size n for the inner methods, by number.
  static constexpr int kScratch = 8;
  std::span<double> scratch(int which) { return scratch_[which]; }

  /// d = -H^-1 r. False where H is singular to working precision.
  [[nodiscard]] bool newton_step(std::span<double> d);
  /// g = H^T r, the gradient of |r|^2/2.
  void gradient(std::span<double> g);
  /// out = H x
  void multiply(std::span<const double> x, std::span<double> out);

 private:
  /// out = H x or H^T x
  void apply(std::span<const double> x, std::span<double> out, bool transposed);

  const Problem* problem_ = nullptr;
  LawParameters law_;
  const CompactRows* rows_ = nullptr;
  NewtonMatrix matrix_;
  LawDerivatives derivatives_;
  std::vector<double> inverse_s_, scaled_b_, v_, u_, impulse_, scaled_u_, r_, jt_lambda_, scratch_[kScratch];
};

}  // namespace uzawa
