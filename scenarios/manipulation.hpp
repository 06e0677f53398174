#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "uzawa/control/trajectory.hpp"
#include "uzawa/sim/world.hpp"

/// What scenes share in which a robot does a task.
namespace uzawa::scenarios {

/// What is done one after the other. Each begins with a look at the world: a robot plans with what it sees.
class Phases {
 public:
  using Begin = std::function<void(const World&)>;
  void add(double duration, Begin begin) { list_.push_back({duration, std::move(begin)}); }
  /// s, of all
  double duration() const;
  /// Begins what is due; once a step, before it.
  void update(const World& world);

 private:
  struct Phase {
    double duration;
    Begin begin;
  };
  std::vector<Phase> list_;
  std::size_t next_ = 0;
  double due_ = 0;  ///< s, when the next one begins
};

/// Where a hand that points down is: position and turn about the vertical.
struct HandPlace {
  Vec3 position;   ///< m
  double yaw = 0;  ///< rad, of any number of turns
};

/// The path of such a hand, from stop to stop. Height and turn keep step with each other: a stretch that goes down and
/// turns is a screw.
class HandPath {
 public:
  /// `down`: orientation of the hand at yaw 0.
  void start(const HandPlace& place, const Mat3& down);
  /// From where it is going now.
  void go_to(const HandPlace& place, double now, double duration);
  const HandPlace& goal() const { return goal_; }
  Pose at(double time) const;

 private:
  HandPlace goal_;
  Mat3 down_;
  Trajectory path_;
};

/// Joint impedances of the Panda for work in contact: soft enough to give way by tenths of a millimetre. `stiffer`:
/// multiplies stiffness and damping.
void soften_panda(ModelSpec& spec, double stiffer = 1);
/// Its servos, from the foot to the flange.
std::span<const std::string> panda_servos();

}  // namespace uzawa::scenarios
