#pragma once

#include <span>
#include <vector>

namespace uzawa {

/// Predicts how velocities change in the step to come: as in the last one, which is right to second order where motion
/// is smooth; but by at most twice the change of the step before that, because the jump of an impact does not repeat
/// itself. Part of a saved world.
class VelocityPredictor {
 public:
  /// Forgets all; velocities are expected to stay.
  void reset(std::span<const double> v);
  /// Expected v_{k+1} - v_k, from v_k.
  void predict(std::span<const double> v, std::span<double> change) const;
  /// At the end of a step that began with these velocities.
  void remember(std::span<const double> v);

  std::size_t size() const { return last_v_.size(); }
  bool operator==(const VelocityPredictor&) const = default;

 private:
  std::vector<double> last_v_;       ///< v_{k-1}
  std::vector<double> last_change_;  ///< v_{k-1} - v_{k-2}
};

}  // namespace uzawa
