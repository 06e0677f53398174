#pragma once

#include <span>
#include <vector>

namespace uzawa {

/// Predicts the velocities of the step to come from those of the last steps. Part of a saved world.
class VelocityPredictor {
 public:
  /// Forgets all; velocities are expected to stay.
  void reset(std::span<const double> v);
  /// v_{k+1}: as the last step changed them, so does this one. Right to second order where motion is smooth;
  /// constraints are linearised along it, and again where it was wrong.
  void predict(std::span<const double> v, std::span<double> next) const;
  /// v_{k+1} - v_k for the velocity products, which are taken once: the same, but by at most twice the change of the
  /// step before, because the jump of an impact does not repeat itself.
  void predict_change(std::span<const double> v, std::span<double> change) const;
  /// At the end of a step that began with these velocities.
  void remember(std::span<const double> v);

  std::size_t size() const { return last_v_.size(); }
  bool operator==(const VelocityPredictor&) const = default;

 private:
  std::vector<double> last_v_;       ///< v_{k-1}
  std::vector<double> last_change_;  ///< v_{k-1} - v_{k-2}
};

}  // namespace uzawa
