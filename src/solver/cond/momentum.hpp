#pragma once

#include <span>
#include <vector>

#include "uzawa/solver/cond/chunks.hpp"
#include "uzawa/solver/settings/cond_settings.hpp"

namespace uzawa {

/// Acceleration of a fixed point x = F(x) by the last move: Chebyshev's weights as published, or Nesterov's (FISTA).
class IterateMomentum {
 public:
  void prepare(std::span<const double> metric, const CondSettings& settings, ThreadPool* pool);
  /// Forgets the last moves.
  void restart();
  /// g = F(x), `step` = |g - x|; x becomes the next point.
  void advance(std::span<double> x, std::span<const double> g, double step);

 private:
  void chebyshev(std::span<double> x, std::span<const double> g, double step);
  void nesterov(std::span<double> x, std::span<const double> g);

  CondSettings settings_;
  std::span<const double> metric_;
  Chunks chunks_;
  std::vector<double> before_;  ///< Chebyshev: the last point; Nesterov: the last F
  int steps_ = 0;               ///< since the last restart
  double nu_ = 1, last_step_ = 0, t_ = 1;
};

}  // namespace uzawa
