#pragma once

#include <algorithm>
#include <cmath>
#include <span>

/// Sums over plain vectors, for the Newton methods.
namespace uzawa {

inline double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}
inline double norm(std::span<const double> x) { return std::sqrt(dot(x, x)); }
inline bool is_finite(std::span<const double> x) {
  return std::all_of(x.begin(), x.end(), [](double value) { return std::isfinite(value); });
}

}  // namespace uzawa
