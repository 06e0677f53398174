#include "uzawa/scenarios/mobile_robot.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"

namespace uzawa::scenarios {

namespace {

// Feedback of a base that can't move sideways (Kanayama et al., "A stable tracking control method for an autonomous
// mobile robot", ICRA 1990): 1/s forwards, 1/m^2 sideways, 1/m of heading.
constexpr double kForwards = 5, kSideways = 40, kHeading = 12;

}  // namespace

MobileRobot::MobileRobot(const std::string& prefix, const Vec3& place, double stick)
    : prefix_(prefix),
      place_(place),
      arm_({.robot = "mobile_panda.xml", .carrier = "base", .prefix = prefix, .length = stick}) {}

NoSlip MobileRobot::wheels(const Model& model) const {
  const int base = model.body(prefix_ + "base");
  return {.name = prefix_ + "wheels", .body = base, .axes = base, .direction = {0, 1, 0}};
}

PlanarPose MobileRobot::pose(const State& state) const {
  const double* q = &state.q[first_];
  return {place_.x() + q[0], place_.y() + q[1], q[2]};
}

void MobileRobot::drive(const World& world, const PlanarPose& to, const PlanarSpeed& speed, Drive& drive) {
  const PlanarPose now = pose(world.state());
  const double c = std::cos(now.yaw), s = std::sin(now.yaw);
  const double dx = wanted_.x - now.x, dy = wanted_.y - now.y, dyaw = wanted_.yaw - now.yaw;
  const double ahead = c * dx + s * dy, aside = c * dy - s * dx;
  const double along = speed.along * std::cos(dyaw) + kForwards * ahead;
  const double turn = speed.turn + speed.along * (kSideways * aside + kHeading * std::sin(dyaw));
  const double yaw = now.yaw + 0.5 * world.dt() * turn;
  const Model& model = world.model();
  const auto control = [&](const char* drive_name) -> double& {
    return drive.control[at(model.actuator(prefix_ + drive_name))];
  };
  control("base_x") = along * std::cos(yaw);
  control("base_y") = along * std::sin(yaw);
  control("base_yaw") = turn;
  wanted_ = to;
}

void MobileRobot::watch(const World& world) {
  const PlanarPose now = pose(world.state());
  const double yaw = 0.5 * (now.yaw + last_.yaw);
  slip_ += std::abs(std::cos(yaw) * (now.y - last_.y) - std::sin(yaw) * (now.x - last_.x));
  error_ = std::max(error_, std::hypot(wanted_.x - now.x, wanted_.y - now.y));
  last_ = now;
}

}  // namespace uzawa::scenarios
