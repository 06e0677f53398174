#include "uzawa/sim/velocity_predictor.hpp"

#include <algorithm>
#include <cmath>

namespace uzawa {

namespace {

constexpr double kMostGrowth = 2;

}  // namespace

void VelocityPredictor::reset(std::span<const double> v) {
  last_v_.assign(v.begin(), v.end());
  last_change_.assign(v.size(), 0.0);
}

void VelocityPredictor::predict(std::span<const double> v, std::span<double> next) const {
  for (std::size_t d = 0; d < v.size(); ++d) next[d] = 2 * v[d] - last_v_[d];
}

void VelocityPredictor::predict_change(std::span<const double> v, std::span<double> change) const {
  for (std::size_t d = 0; d < v.size(); ++d) {
    const double most = kMostGrowth * std::abs(last_change_[d]);
    change[d] = std::clamp(v[d] - last_v_[d], -most, most);
  }
}

void VelocityPredictor::remember(std::span<const double> v) {
  for (std::size_t d = 0; d < v.size(); ++d) last_change_[d] = v[d] - last_v_[d];
  last_v_.assign(v.begin(), v.end());
}

}  // namespace uzawa
