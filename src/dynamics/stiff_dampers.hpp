#pragma once

#include <span>
#include <vector>

#include "uzawa/dynamics/forces.hpp"

namespace uzawa {

/// Dampers (joints', tendons', servos') that are too stiff for Runge-Kutta at a step: their forces are left out of it,
/// and act on the velocities at its end, as [AL]'s time stepping has them: stable at any gain, of first order. Strings
/// of light links need it: a damper that a weight of 300 g calls for makes links of 1 g, that spin freely about their
/// axes, decay at 1e5 1/s, and RK4 at 1 ms is stable up to 2,785.
///
/// All dampers of a subsystem go together. Sum of h D r^T M^-1 r over them is the trace of h M^-1 D, and no rate of
/// decay is above it; so where it is within what RK4 is stable for, all of them stay explicit, of fourth order.
class StiffDampers {
 public:
  explicit StiffDampers(const Model& model);

  /// Which they are for a step of h seconds from this state; false where M is not positive definite. Poses, tendons
  /// and actuator forces of `data` become those of the state, and masses where there is a damper.
  [[nodiscard]] bool find(const State& start, std::span<const double> control, double h, DynamicsData& data);
  /// Whether the step has this one at its end.
  bool has(const SpringDamper& element) const;
  /// Takes their forces at this state out of tau. After actuator_force.
  void leave_out(const State& state, std::span<const double> control, const DynamicsData& data,
                 std::span<double> tau) const;

  /// Throws InputError that names a joint, tendon or actuator whose spring is by itself too stiff for Runge-Kutta, at
  /// the model's reference configuration.
  void check_springs(double h) const;

 private:
  double inverse_mass(const SpringDamper& element, const DynamicsData& data);
  void add_rate(const SpringDamper& element, double rate);

  const Model& model_;
  std::vector<double> rate_;  ///< per subsystem: bound of h times the rate of decay
  std::vector<double> scratch_;
  bool any_ = false;
};

}  // namespace uzawa
