#pragma once

namespace uzawa {

/// Outcome of Newton's method on the inner problem of an augmented Lagrangian loop.
struct InnerOutcome {
  int steps = 0, factorizations = 0;
  bool solved = false;  ///< |r| is within the tolerance, or at the rounding floor
};

/// Relative to the size of its terms: an |r| below this that decreases no further is at the rounding floor, which grows
/// with the penalty. One rule for CANAL and for the methods that it is compared with, so that their failures mean the
/// same.
inline constexpr double kRoundingFloor = 1e-5;

}  // namespace uzawa
