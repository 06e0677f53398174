#pragma once

#include <span>
#include <string>
#include <vector>

#include "uzawa/control/impedance.hpp"
#include "uzawa/control/inverse_kinematics.hpp"

namespace uzawa {

/// An arm whose tool frame follows poses: inverse kinematics from step to step, then joint impedance. Velocities and
/// accelerations for the feedforward are finite differences of successive postures, so poses should come from a smooth
/// trajectory (PoseTrajectory).
class ArmControl {
 public:
  /// `actuators` drive the joints between the ground and the frame, in that order. Throws InputError where they do not.
  /// `carrier`: link that the arm stands on, such as a mobile base, in place of the ground; others drive it.
  ArmControl(const Model& model, std::span<const std::string> actuators, const LinkFrame& frame, int carrier = -1);

  /// Takes the present configuration, at rest, as target and as rest posture.
  void start(const State& state);
  /// Moves the target of the frame to `target` within `dt` seconds, with a load in kg at its origin, and writes the
  /// controls of the arm's actuators. A carrier is taken to be where `state` has it. False where the pose is out of
  /// reach: then the last posture is held.
  bool follow(const State& state, const Pose& target, double dt, double load, std::span<double> control);

  /// Pose of the frame at a configuration of the model.
  Pose pose(std::span<const double> q) { return kinematics_.pose(q); }
  /// Target posture: a whole configuration, of which only the arm's joints are used.
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
