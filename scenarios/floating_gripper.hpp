#pragma once

#include <optional>

#include "uzawa/control/impedance.hpp"
#include "uzawa/control/trajectory.hpp"
#include "uzawa/scenarios/scene.hpp"

namespace uzawa::scenarios {

/// A palm that moves freely in space, with two fingers that slide along its x axis: eight servos and no arm. Its six
/// coordinates are three slides and three hinges, so that the step takes the servos' gains implicitly, as it does those
/// of a robot's joints.
struct FloatingGripperOptions {
  Vec3 position;               ///< m, of the point midway between the pads at the reference configuration
  Vec3 pad{0.01, 0.03, 0.03};  ///< m, half sizes of a finger
  double opening = 0.1;        ///< m, between the pads at the reference configuration
  double reach = 0.08;         ///< m, from the palm down to the middle of the pads
  double mu = 1;               ///< friction of the pads
  double stiffness = 2e3;      ///< N/m, of the finger's servos: force over how far the target is beyond the touch
};

/// Bodies of a gripper.
struct FloatingGripper {
  int palm = 0, left = 0, right = 0;
};
FloatingGripper add_floating_gripper(ModelSpec& spec, const FloatingGripperOptions& options);

/// Where the gripper is asked to be.
struct GripperPlace {
  Vec3 moved;         ///< m, from the reference configuration
  double yaw = 0;     ///< rad, about the vertical
  double closed = 0;  ///< m, of each finger, from the reference configuration
};

/// Drives a gripper from stop to stop.
class FloatingGripperControl {
 public:
  /// From the reference configuration, where the gripper starts.
  void then(double duration, const GripperPlace& place);
  /// s, when the last stop is reached.
  double end() const { return stops_.back().time; }
  void start(const Model& model);
  void drive(const World& world, Drive& drive);

  /// The gripper's own frame: what is at rest in it moves with the gripper.
  static Pose pose(const Model& model, const State& state, const FloatingGripper& gripper);

 private:
  static std::vector<double> coordinates(const GripperPlace& place);

  std::vector<Waypoint> stops_{{0, coordinates({})}};
  Trajectory path_;
  std::optional<ImpedanceControl> servos_;
};

}  // namespace uzawa::scenarios
