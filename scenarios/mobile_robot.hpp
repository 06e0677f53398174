#pragma once

#include <string>

#include "uzawa/scenarios/stick_arm.hpp"

namespace uzawa::scenarios {

/// Of a base on the ground.
struct PlanarPose {
  double x = 0, y = 0, yaw = 0;  ///< m, rad
};
struct PlanarSpeed {
  double along = 0, turn = 0;  ///< m/s forwards, rad/s
};

/// models/mobile_panda.xml with a stick on its flange: a base on two wheels that do not slip sideways, and an arm on
/// it. Ten dofs, nine of which the drives and the arm are free to move.
class MobileRobot {
 public:
  /// Starts at `place` (m), heading along x.
  MobileRobot(const std::string& prefix, const Vec3& place, double stick);

  /// As in StickArm.
  int add(ModelSpec& spec) const { return arm_.add(spec, place_); }
  Vec3 tip() const { return arm_.tip(); }
  void start(const Model& model, State& state, const Vec3& hand, double turn) {
    arm_.start(model, state, hand, turn);
    first_ = static_cast<std::size_t>(model.joint_q(model.joint(prefix_ + "base_x")));
    last_ = wanted_ = pose(state);
  }
  /// The wheels do not slip along their axle.
  NoSlip wheels(const Model& model) const;

  /// Controls of the base so that it follows a way: `to` at the end of this step, with the speed there.
  void drive(const World& world, const PlanarPose& to, const PlanarSpeed& speed, Drive& drive);
  /// Leads the hand, which turns with the base.
  void lead(const World& world, const Vec3& hand, Drive& drive) {
    arm_.lead(world, hand, drive, pose(world.state()).yaw);
  }
  void watch(const World& world);

  bool reached() const { return arm_.reached(); }
  double hand_error() const { return arm_.error(); }  ///< m, farthest of the hand from its path
  double error() const { return error_; }             ///< m, farthest of the base from its way
  double slip() const { return slip_; }               ///< m, of the wheels along their axle, in all
  PlanarPose pose(const State& state) const;

 private:
  std::string prefix_;
  Vec3 place_;
  StickArm arm_;
  std::size_t first_ = 0;     ///< of the base's coordinates in q
  PlanarPose last_, wanted_;  ///< at the end of the last step
  double error_ = 0, slip_ = 0;
};

}  // namespace uzawa::scenarios
