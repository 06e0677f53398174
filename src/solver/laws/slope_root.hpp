#pragma once

#include <cmath>

namespace uzawa {

/// Exact line search on a convex function ([AL] eq. 27): the root of its slope along a direction of descent, by Newton
/// with bisection as a safeguard (rtsafe). `slope_at(alpha)` gives `first` and `second` derivative; `start` is the
/// slope's size at alpha = 0. To a loose tolerance: a better minimum costs evaluations and saves no Newton step.
template <typename SlopeAt>
double slope_root(double start, SlopeAt&& slope_at) {
  constexpr double kLoose = 0.1;
  constexpr int kMaxEvaluations = 40;
  double low = 0, high = 0, alpha = 1;  // high = 0: not bracketed from above yet
  for (int i = 0; i < kMaxEvaluations; ++i) {
    const auto slope = slope_at(alpha);
    if (std::abs(slope.first) <= kLoose * start) break;
    (slope.first < 0 ? low : high) = alpha;
    double next = alpha - slope.first / slope.second;
    const bool inside = next > low && (high == 0 ? next < 100 * alpha : next < high);
    if (!inside || !std::isfinite(next)) next = high == 0 ? 2 * alpha : 0.5 * (low + high);
    if (high != 0 && high - low < 1e-12 * high) break;
    alpha = next;
  }
  return alpha;
}

}  // namespace uzawa
