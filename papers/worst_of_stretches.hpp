#pragma once

#include <algorithm>
#include <vector>

#include "uzawa/plot/figure.hpp"

namespace uzawa::papers {

inline constexpr double kLeastPlotted = 1e-17;  ///< a log axis has no zero

/// A curve of about `points` points, each the worst of a stretch of steps: what matters of residuals, and all that a
/// plot has room for.
inline void fill_worst_of_stretches(const std::vector<double>& time, const std::vector<double>& residual,
                                    std::size_t points, plot::Series& out) {
  const std::size_t stretch = std::max<std::size_t>(1, residual.size() / points);
  for (std::size_t i = 0; i < residual.size(); i += stretch) {
    const auto begin = residual.begin() + static_cast<std::ptrdiff_t>(i);
    const auto end = residual.begin() + static_cast<std::ptrdiff_t>(std::min(i + stretch, residual.size()));
    out.x.push_back(time[i]);
    out.y.push_back(std::max(*std::max_element(begin, end), kLeastPlotted));
  }
}

}  // namespace uzawa::papers
