#pragma once

#include <span>
#include <vector>

#include "uzawa/base/aligned_vector.hpp"
#include "uzawa/base/deadline.hpp"
#include "uzawa/math/nodal/nodal_sweeps.hpp"

namespace uzawa {

struct KrylovOutcome {
  int iterations = 0;
  bool solved = false;  ///< the goal was reached
};

/// Linear systems with H = L + D + U of a soft body by iterations with the preconditioner of symmetric Gauss-Seidel.
/// With t = (D + U)^-1 p the preconditioned product is
///
///     (D + L)^-1 H (D + U)^-1 p = t + (D + L)^-1 U t
///
/// so that an iteration is two sweeps and no product (Eisenstat 1981). How many it takes depends on stiffness over mass
/// of the elements, not on the number of nodes. Deterministic; allocates only for larger bodies than before.
class NodalKrylov {
 public:
  /// Iterations end from then on.
  void set_deadline(const Deadline& deadline) { deadline_ = deadline; }
  /// Size of a residual r: sqrt(r^T (D + L)^-T D (D + L)^-1 r), about the energy norm of the error that it stands for.
  double energy_size(const NodalSweeps& h, std::span<const double> r);
  /// Conjugate gradients, H symmetric positive definite: x has a first guess on entry, which counts only where its
  /// residual is smaller than that of zero. Ends where the energy size of the residual is at most `goal`, or `share` of
  /// what it was at the start.
  KrylovOutcome solve_symmetric(const NodalSweeps& h, std::span<const double> b, double goal, double share, int most,
                                std::span<double> x);
  /// GMRES (Saad and Schultz 1986) with restarts, from zero: ends where |b - H x| <= goal.
  KrylovOutcome solve_general(const NodalSweeps& h, std::span<const double> b, double goal, int most,
                              std::span<double> x);

 private:
  static constexpr std::size_t kRestart = 30;  ///< vectors of GMRES

  void resize(const NodalSweeps& h);
  /// t_ = (D + U)^-1 p, out = t_ + (D + L)^-1 U t_
  void multiply(const NodalSweeps& h, const double* p, double* out);
  /// x_ = x or, where that is the better guess, 0; residual_ = (D + L)^-1 (b - H x_).
  void begin(const NodalSweeps& h, std::span<double> x);
  /// One cycle of GMRES from residual_ (D (D + L)^-1 r), down to `goal` times its size; adds to x_.
  int cycle(const NodalSweeps& h, double goal, int most);
  void orthogonalize(std::size_t k);
  void add_combination(const NodalSweeps& h, std::size_t count);

  Deadline deadline_;
  AlignedVector<double> b_, x_, residual_, direction_, t_, ut_, product_, scaled_;
  std::vector<AlignedVector<double>> basis_;
  double hessenberg_[kRestart][kRestart + 1] = {};  ///< by columns
  double cosine_[kRestart] = {}, sine_[kRestart] = {}, right_[kRestart + 1] = {};
};

}  // namespace uzawa
