#pragma once

#include <span>
#include <vector>

namespace uzawa {

/// Anderson mixing of depth two for a fixed point x = g(x): extrapolates from the last three pairs (x, g). reset()
/// clears the history.
class AndersonMixing {
 public:
  void resize(std::size_t size);
  void reset() { known_ = 0; }
  /// x is the point, g = g(x); x becomes the next point.
  void mix(std::span<double> x, std::span<const double> g);

 private:
  static constexpr int kDepth = 2;
  std::vector<double> g_[kDepth + 1], f_[kDepth + 1];  // newest first; f = g - x
  int known_ = 0;
};

}  // namespace uzawa
