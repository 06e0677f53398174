#pragma once

#include <span>
#include <vector>

namespace uzawa {

/// Predicts the velocities of the step to come from those of the last steps. Part of a saved world.
class VelocityPredictor {
 public:
  /// Clears the history; the next prediction is constant velocity.
  void reset(std::span<const double> v);
  /// v_{k+1}, with the same change of velocity as in the last step: second-order accurate for smooth motion.
  /// Constraints are linearised along it, and again where it was inaccurate (relinearisation).
  void predict(std::span<const double> v, std::span<double> next) const;
  /// v_{k+1} - v_k for the velocity products, which are computed once a step: the same prediction, bounded by twice the
  /// change of the step before, because the jump of an impact does not repeat.
  void predict_change(std::span<const double> v, std::span<double> change) const;
  /// To be called at the end of a step, with the velocities at its start.
  void remember(std::span<const double> v);

  std::size_t size() const { return last_v_.size(); }
  bool operator==(const VelocityPredictor&) const = default;

 private:
  std::vector<double> last_v_;       ///< v_{k-1}
  std::vector<double> last_change_;  ///< v_{k-1} - v_{k-2}
};

}  // namespace uzawa
