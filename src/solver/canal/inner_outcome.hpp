#pragma once

namespace uzawa {

/// How Newton's method on the inner problem of a loop of the augmented Lagrangian ended.
struct InnerOutcome {
  int steps = 0, factorizations = 0;
  bool solved = false;  ///< |r| is within the tolerance, or at the rounding floor
};

/// Of the size of its terms: an |r| below this that falls no further is at the rounding floor, which grows with the
/// penalty. One rule for CANAL and for the methods that it is compared with, so that their failures mean the same.
inline constexpr double kRoundingFloor = 1e-5;

}  // namespace uzawa
