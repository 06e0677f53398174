#pragma once

#include <algorithm>
#include <cmath>
#include <ctime>
#include <span>
#include <vector>

/// Helpers shared by the benchmarks: CPU time of one thread, medians, growth exponents.
namespace uzawa::bench {

inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

inline double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

/// CPU time of this thread, s: other programs on the same machine do not count.
inline double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

template <typename Work>
double seconds(Work&& work) {
  const double start = cpu_seconds();
  work();
  return cpu_seconds() - start;
}

/// The p of time = c size^p that fits best on logarithmic scales.
inline double fitted_exponent(std::span<const double> sizes, std::span<const double> times) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const double x = std::log(sizes[i]), y = std::log(times[i]);
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  const auto count = static_cast<double>(sizes.size());
  return (count * sxy - sx * sy) / (count * sxx - sx * sx);
}

}  // namespace uzawa::bench
