#pragma once

#include "uzawa/plot/figure.hpp"

namespace uzawa::papers {

/// Coefficient of determination of the line that fits a curve best.
inline double linearity(const plot::Series& curve) {
  const auto n = static_cast<double>(curve.x.size());
  double sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    sx += curve.x[i], sy += curve.y[i];
    sxx += curve.x[i] * curve.x[i], sxy += curve.x[i] * curve.y[i], syy += curve.y[i] * curve.y[i];
  }
  const double covariance = n * sxy - sx * sy;
  return covariance * covariance / ((n * sxx - sx * sx) * (n * syy - sy * sy));
}

}  // namespace uzawa::papers
