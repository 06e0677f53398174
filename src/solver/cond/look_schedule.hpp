#pragma once

#include <algorithm>
#include <array>
#include <cmath>

namespace uzawa {

/// When to ask the judge, whose word costs about as much as several iterations and the first time a factorisation. The
/// length of steps falls in proportion to the residual while the iteration converges, so each word says at which length
/// the tolerance will be met.
class LookSchedule {
 public:
  explicit LookSchedule(double tolerance) : tolerance_(tolerance) {}

  /// The length of a step, m/s.
  void add(double step) {
    step_[static_cast<std::size_t>(count_ % kBack)] = step;
    ++count_;
    last_ = step;
  }
  bool wants_look(int iteration) const {
    if (last_ <= target()) return true;
    return iteration >= 2 * last_look_ + kFirst;
  }
  void looked(int iteration, double residual) {
    last_look_ = iteration;
    ratio_ = residual / std::max(last_, 1e-300);
    at_look_ = last_;
  }
  /// How far the iteration still is from where it goes, m/s: steps that shrink by a factor r each add up to
  /// step / (1 - r).
  double distance() const {
    if (count_ < kBack) return HUGE_VAL;
    const double oldest = step_[static_cast<std::size_t>(count_ % kBack)];
    const double rate = std::pow(last_ / oldest, 1.0 / (kBack - 1));
    return rate < 1 ? last_ / (1 - rate) : HUGE_VAL;
  }
  void restart() { count_ = 0; }

 private:
  static constexpr int kBack = 10;
  static constexpr int kFirst = 100;  // iterations before the first look, unless steps are short before
  /// Length of a step at which the tolerance may be met: at first that length itself.
  double target() const {
    if (last_look_ == 0) return tolerance_;
    return std::clamp(0.5 * tolerance_ / ratio_, 1e-3 * at_look_, 0.5 * at_look_);
  }

  double tolerance_, last_ = HUGE_VAL, ratio_ = 0, at_look_ = HUGE_VAL;
  int last_look_ = 0, count_ = 0;
  std::array<double, kBack> step_{};
};

}  // namespace uzawa
