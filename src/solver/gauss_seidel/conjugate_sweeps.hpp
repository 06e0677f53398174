#pragma once

#include <span>
#include <vector>

#include "uzawa/problem/delassus.hpp"

namespace uzawa {

/// Nonlinear conjugate gradients on top of projected Gauss-Seidel: what a sweep changes is taken for the negative
/// gradient (Silcowitz-Hansen, Niebuhr and Erleben, "A nonsmooth nonlinear conjugate gradient method for interactive
/// contact force problems", The Visual Computer 2010). With g the change of impulses by a sweep and p the direction,
///
///     b = |g|^2 / |g before|^2, or 0 where that is above 1 (restart);     lambda += b p;     p = b p + g
///
/// Velocities are linear in the impulses and follow them without another product with W. We extrapolate before the next
/// sweep and not after the last one, so that the iterate that others see has impulses which the laws allow.
class ConjugateSweeps {
 public:
  void reset() { last_square_ = 0, moves_ = false; }
  /// Runs sweep() with impulses and velocities where the method wants them.
  template <typename Sweep>
  void step(std::span<double> lambda, DelassusOperator::Velocities& velocities, Sweep&& sweep) {
    before_sweep(lambda, velocities);
    sweep();
    after_sweep(lambda, velocities);
  }

 private:
  /// A vector that is extrapolated.
  struct Track {
    std::vector<double> direction;  ///< p
    std::vector<double> move;       ///< b p, due before the next sweep
    std::vector<double> before;     ///< its value before the sweep
    void start(std::span<double> x, bool moves);
    void finish(std::span<const double> x, double factor);
  };
  void before_sweep(std::span<double> lambda, DelassusOperator::Velocities& velocities);
  void after_sweep(std::span<const double> lambda, const DelassusOperator::Velocities& velocities);

  Track lambda_, v_, u_;
  double last_square_ = 0;  ///< |g|^2
  bool moves_ = false;      ///< there is a move due
};

}  // namespace uzawa
