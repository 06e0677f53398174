#pragma once

#include <span>
#include <string>
#include <vector>

#include "uzawa/dynamics/data.hpp"

namespace uzawa {

/// Joint-space impedance control with gravity compensation. For each joint that it drives,
///
///     force = K (q_d - q) + D (v_d - v) + feedforward,   feedforward = M a_d + bias(q, v) - springs(q) + d v_d,
///
/// where K and D are the gains of the joint's servo in the model (set_impedance changes them), M and bias belong to the
/// whole model, d is the joint's own damping. The servo exerts this force at control q_d + (D v_d + feedforward)/K:
/// the spring and the damper are the actuator's, and the step takes them implicitly. The actuator's force range bounds
/// the force; a control range, if there is one, bounds the control.
class ImpedanceControl {
 public:
  /// Servos by name. Throws InputError where one does not exist, is not on a hinge or slide, or has no stiffness.
  ImpedanceControl(const Model& model, std::span<const std::string> actuators);

  int size() const { return static_cast<int>(drives_.size()); }
  /// Position of the driven joints in a configuration, in the order of the actuators.
  void positions(std::span<const double> q, std::span<double> out) const;

  struct Target {
    std::span<const double> position;      ///< rad or m, one per actuator
    std::span<const double> velocity;      ///< empty: at rest
    std::span<const double> acceleration;  ///< empty: zero
    /// Extra force on all dofs of the model (nv; N or N m), such as the weight of a load in the hand; or empty.
    std::span<const double> extra;
  };
  /// Writes the controls of its actuators and leaves the others alone. `control`: all of the model's.
  void write(const State& state, const Target& target, std::span<double> control);

  /// Force that the last `write` asked for beyond spring and damper, one per actuator; N or N m.
  std::span<const double> feedforward() const { return feedforward_; }

 private:
  struct Drive {
    int actuator, joint_q, dof;
    double gear, gain, offset, stiffness, damping, joint_damping;
  };
  void compute_feedforward(const State& state, const Target& target);

  const Model* model_;
  std::vector<Drive> drives_;
  DynamicsData data_;
  std::vector<double> acceleration_, force_, springs_, at_rest_;  ///< per dof
  std::vector<double> feedforward_;
};

}  // namespace uzawa
