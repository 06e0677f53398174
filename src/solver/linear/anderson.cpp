#include "uzawa/solver/linear/anderson.hpp"

#include <algorithm>
#include <cmath>

namespace uzawa {

void AndersonMixing::resize(std::size_t size) {
  for (int i = 0; i <= kDepth; ++i) {
    g_[i].resize(size);
    f_[i].resize(size);
  }
  known_ = 0;
}

void AndersonMixing::mix(std::span<double> x, std::span<const double> g) {
  for (int i = kDepth; i > 0; --i) {
    std::swap(g_[i], g_[i - 1]);
    std::swap(f_[i], f_[i - 1]);
  }
  for (std::size_t k = 0; k < x.size(); ++k) {
    g_[0][k] = g[k];
    f_[0][k] = g[k] - x[k];
  }
  known_ = std::min(known_ + 1, kDepth + 1);

  // min |f0 - sum_i c_i (f0 - f_i)|^2 over the known differences: at most a 2x2 system.
  double a11 = 0, a12 = 0, a22 = 0, b1 = 0, b2 = 0;
  for (std::size_t k = 0; k < x.size() && known_ > 1; ++k) {
    const double d1 = f_[0][k] - f_[1][k], d2 = known_ > 2 ? f_[0][k] - f_[2][k] : 0;
    a11 += d1 * d1;
    a12 += d1 * d2;
    a22 += d2 * d2;
    b1 += d1 * f_[0][k];
    b2 += d2 * f_[0][k];
  }
  double c1 = 0, c2 = 0;
  const double determinant = a11 * a22 - a12 * a12;
  if (known_ > 2 && determinant > 1e-10 * a11 * a22) {
    c1 = (a22 * b1 - a12 * b2) / determinant;
    c2 = (a11 * b2 - a12 * b1) / determinant;
  } else if (a11 > 0) {
    c1 = b1 / a11;
  }
  // Wild extrapolation says that the map is not smooth here: take the plain step.
  if (!(std::abs(c1) + std::abs(c2) < 10)) c1 = c2 = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    x[k] = g_[0][k] - c1 * (g_[0][k] - g_[1][k]) - (known_ > 2 ? c2 * (g_[0][k] - g_[2][k]) : 0);
  }
}

}  // namespace uzawa
