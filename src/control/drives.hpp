#pragma once

#include <string_view>

#include "uzawa/model/spec.hpp"

/// Types of a robot's drives, chosen by a scene before its Model is made. Both are affine actuators with implicit
/// gains: any stiffness is stable at any time step.
namespace uzawa {

/// Joint impedance: force = stiffness (target - q) + damping (target speed - v) + feedforward, within the drive's force
/// range. Removes the actuator's control range: its control is no longer an angle alone (see ImpedanceControl).
/// Throws InputError where there is no such actuator, it has dynamics, or a number makes no sense.
void set_impedance(ModelSpec& spec, std::string_view actuator, double stiffness, double damping);

/// Force drive: force = control (N or N m) - damping * velocity, within its force range.
void set_force_drive(ModelSpec& spec, std::string_view actuator, double damping);

}  // namespace uzawa
