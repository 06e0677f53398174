#pragma once

#include <span>
#include <vector>

#include "uzawa/math/pose.hpp"

/// Motion through timed waypoints.
namespace uzawa {

/// A point of a trajectory of several coordinates.
struct Waypoint {
  double time = 0;  ///< s
  std::vector<double> value;
  /// At rest there: the way to the next stop is a straight line. Else it is passed without stopping, at the velocity
  /// that the least jerk asks for.
  bool stop = true;
};

/// Quintic between waypoints: position, velocity and acceleration are continuous everywhere, and at rest at stops. From
/// a stop to the next this is the path of least integrated squared jerk: waypoints that are passed get the velocity and
/// acceleration for which jerk and snap are continuous as well.
class Trajectory {
 public:
  Trajectory() = default;
  /// The first and the last waypoint are stops in any case. Throws InputError where there is none, times do not grow,
  /// sizes differ or a number is not finite.
  explicit Trajectory(std::vector<Waypoint> waypoints);

  double start() const { return waypoints_.front().time; }
  double end() const { return waypoints_.back().time; }
  std::size_t size() const { return waypoints_.empty() ? 0 : waypoints_.front().value.size(); }

  /// At rest before the start and after the end. Velocity and acceleration are written where they are asked for.
  void at(double time, std::span<double> value, std::span<double> velocity = {},
          std::span<double> acceleration = {}) const;

 private:
  void pass_through(std::size_t first, std::size_t last);

  std::vector<Waypoint> waypoints_;
  std::vector<std::vector<double>> velocity_, acceleration_;  ///< per waypoint
};

struct PoseWaypoint {
  double time = 0;  ///< s
  Vec3 position;    ///< m
  Quat orientation;
  bool stop = true;
};

/// The same for poses. From one stop to the next, orientations are rotation vectors seen from the first: a stretch
/// between two stops turns about a fixed axis; waypoints that are passed must be less than half a turn apart.
class PoseTrajectory {
 public:
  PoseTrajectory() = default;
  explicit PoseTrajectory(const std::vector<PoseWaypoint>& waypoints);

  double start() const { return runs_.front().path.start(); }
  double end() const { return runs_.back().path.end(); }
  Pose at(double time) const;

 private:
  struct Run {
    Quat base;        ///< orientation of its first waypoint
    Trajectory path;  ///< position, rotation vector in the axes of the base
  };
  std::vector<Run> runs_;
};

}  // namespace uzawa
