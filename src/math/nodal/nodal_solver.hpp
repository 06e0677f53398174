#pragma once

#include <span>

#include "uzawa/math/nodal/nodal_cholesky.hpp"
#include "uzawa/math/nodal/nodal_cost.hpp"
#include "uzawa/math/nodal/nodal_krylov.hpp"

namespace uzawa {

/// Linear systems with the matrix A of a soft body or rod, by factor or by iterations, whichever is cheaper: rods and
/// small bodies have little fill, large ones are well conditioned beside it, as long as waves travel a few elements in
/// a time step. Which it is depends on A alone. Iterations end at rounding errors; where they do not, the factor is
/// made after all.
///
/// The const functions share scratch memory: one object is for one thread at a time.
class NodalSolver {
 public:
  /// Of the size of the right side, in energy: rounding errors of the factor are of that order.
  static constexpr double kAccuracy = 1e-12;

  /// `matrix` must stay while systems are solved. `may_iterate`: false asks for the factor in any case. False where it
  /// is not positive definite, as far as that was found out; iterations that find it out later leave no numbers (NaN).
  [[nodiscard]] bool factorize(const NodalMatrix& matrix, bool may_iterate);
  bool iterates() const { return iterates_; }
  /// Nothing where it may not iterate.
  const NodalCost& cost() const { return cost_; }

  /// x := A^-1 x
  void solve(std::span<double> x) const;
  /// How far iterations go: the residual's energy size is at most the larger of `goal` and `share` of the guess's.
  struct Near {
    std::span<const double> guess;  ///< empty: zero
    double goal = 0, share = 0;
  };
  /// The same near a guess; by factor that makes no difference.
  void solve(const Near& near, std::span<double> x) const;
  /// Scale of a right side.
  double energy_size(std::span<const double> b) const { return iterates_ ? krylov_.energy_size(sweeps_, b) : 0; }

  const NodalCholesky& factor() const { return factor_; }
  /// Estimate of x^T A^-1 x of a vector on one node, where there is no factor.
  double local_form(int node, std::span<const double, 3> x) const;

 private:
  void solve_by_factor(std::span<double> x) const;

  const NodalMatrix* matrix_ = nullptr;
  NodalCost cost_;
  mutable bool iterates_ = false;
  mutable bool failed_ = false;  ///< not positive definite
  mutable NodalCholesky factor_;
  NodalSweeps sweeps_;
  mutable NodalKrylov krylov_;
  mutable std::vector<double> right_;
};

}  // namespace uzawa
