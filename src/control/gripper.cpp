#include "uzawa/control/gripper.hpp"

#include <algorithm>
#include <cassert>
#include <string>

#include "uzawa/base/error.hpp"

namespace uzawa {

Gripper::Gripper(const Model& model, std::string_view actuator, double rate)
    : actuator_(model.actuator(actuator)), rate_(rate) {
  assert(rate > 0);
  const ActuatorSpec& drive = model.spec().actuators[static_cast<std::size_t>(actuator_)];
  const bool pushes = drive.gain == std::array<double, 3>{1, 0, 0} && drive.bias[0] == 0 && drive.bias[1] == 0;
  if (!pushes || model.actuator_activation(actuator_) >= 0) {
    throw InputError(model.spec().source, "actuator '" + drive.name + "'", "is no force drive");
  }
}

void Gripper::write(double dt, std::span<double> control) {
  force_ += std::clamp(wanted_ - force_, -rate_ * dt, rate_ * dt);
  control[static_cast<std::size_t>(actuator_)] = force_;
}

}  // namespace uzawa
