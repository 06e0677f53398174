#pragma once

#include <array>
#include <span>
#include <vector>

#include "uzawa/solver/cond/chunks.hpp"

namespace uzawa {

/// Anderson acceleration (type II) of a fixed point x = F(x), step by step: of all combinations of the last F the one
/// whose step F(x) - x would be shortest, were F linear. Safeguards: where the step from such a point is much longer
/// than the one before, it is taken back and the window cleared; where steps have not become shorter for a while,
/// because extrapolations lead in a circle, plain ones follow, more of them each time.
class AndersonWindow {
 public:
  static constexpr int kMaxDepth = 16;

  void prepare(std::span<const double> metric, int depth, ThreadPool* pool);
  void restart();
  /// g = F(x), `step` = |g - x|; x becomes the next point.
  void advance(std::span<double> x, std::span<const double> g, double step);

 private:
  bool rests(double step);
  void remember(std::span<const double> x, std::span<const double> g);
  bool combine(std::span<double> x, std::span<const double> g);

  int depth_ = 0, known_ = 0, newest_ = -1;
  bool extrapolated_ = false;  ///< the last point
  double last_step_ = 0, shortest_ = 0;
  int idle_ = 0, rest_ = 0, pause_ = 0;  ///< steps: since a shorter one, plain ones to come, length of the next rest
  std::span<const double> metric_;
  Chunks chunks_;
  std::vector<double> g_, f_;  ///< of the last point; f = g - x
  std::vector<double> dg_[kMaxDepth], df_[kMaxDepth];
  std::array<std::array<double, kMaxDepth>, kMaxDepth> gram_{};
};

}  // namespace uzawa
