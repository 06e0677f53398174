#pragma once

#include <span>
#include <string>
#include <vector>

#include "uzawa/control/impedance.hpp"
#include "uzawa/control/inverse_kinematics.hpp"

namespace uzawa {

/// An arm whose tool frame follows poses: inverse kinematics from step to step, then joint impedance. Velocities and
/// accelerations that the impedance looks ahead with are differences of the postures found, so poses should come from
/// something smooth (PoseTrajectory).
class ArmControl {
 public:
  /// `actuators` drive the joints between the ground and the frame, in that order. Throws InputError where they do not.
  ArmControl(const Model& model, std::span<const std::string> actuators, const LinkFrame& frame);

  /// Where the arm is now, at rest, is where it is wanted, and its rest posture.
  void start(const State& state);
  /// Wants the frame at `target` after `dt` more seconds, with a load of so many kg at its origin, and writes the
  /// controls of the arm's actuators. False where the pose is out of reach: then the last posture is held.
  bool follow(const State& state, const Pose& target, double dt, double load, std::span<double> control);

  /// Pose of the frame at a configuration of the model.
  Pose pose(std::span<const double> q) { return kinematics_.pose(q); }
  /// Posture that is wanted: a whole configuration, of which the arm's joints count.
  std::span<const double> wanted() const { return wanted_; }

 private:
  void carry(const State& state, double load);

  const Model* model_;
  LinkFrame frame_;
  InverseKinematics kinematics_;
  ImpedanceControl impedance_;
  DynamicsData data_;
  std::vector<double> wanted_, trial_;                                      ///< nq
  std::vector<double> position_, velocity_, last_velocity_, acceleration_;  ///< per joint of the arm
  std::vector<double> lift_;                                                ///< nv
};

}  // namespace uzawa
