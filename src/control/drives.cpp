#include "uzawa/control/drives.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "uzawa/base/error.hpp"

namespace uzawa {

namespace {

ActuatorSpec& find_drive(ModelSpec& spec, std::string_view name) {
  const auto found = std::find_if(spec.actuators.begin(), spec.actuators.end(),
                                  [&](const ActuatorSpec& actuator) { return actuator.name == name; });
  const std::string element = "actuator '" + std::string(name) + "'";
  if (found == spec.actuators.end()) throw InputError(spec.source, element, "the model has none of that name");
  if (found->dynamics != ActuatorDynamics::None) {
    throw InputError(spec.source, element, "has dynamics of its own, which a force can't be asked of");
  }
  return *found;
}

void check_gain(const ModelSpec& spec, const ActuatorSpec& drive, const char* what, double value, bool zero_allowed) {
  if (std::isfinite(value) && (value > 0 || (zero_allowed && value == 0))) return;
  throw InputError(spec.source, "actuator '" + drive.name + "'",
                   std::string(what) + " must be a " + (zero_allowed ? "number of 0 or more" : "positive number"));
}

}  // namespace

void set_impedance(ModelSpec& spec, std::string_view actuator, double stiffness, double damping) {
  ActuatorSpec& drive = find_drive(spec, actuator);
  check_gain(spec, drive, "stiffness", stiffness, false);
  check_gain(spec, drive, "damping", damping, true);
  drive.gain = {stiffness, 0, 0};
  drive.bias = {0, -stiffness, -damping};
  drive.control_range.reset();
}

void set_force_drive(ModelSpec& spec, std::string_view actuator, double damping) {
  ActuatorSpec& drive = find_drive(spec, actuator);
  check_gain(spec, drive, "damping", damping, true);
  drive.gain = {1, 0, 0};
  drive.bias = {0, 0, -damping};
  drive.control_range = drive.force_range;
}

}  // namespace uzawa
