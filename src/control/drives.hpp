#pragma once

#include <string_view>

#include "uzawa/model/spec.hpp"

/// What the drives of a robot are, chosen by a scene before its Model is made. Both kinds are affine actuators, so that
/// the step takes their gains implicitly: any stiffness is stable at any time step.
namespace uzawa {

/// Joint impedance: force = stiffness (target - q) + damping (target speed - v) + feedforward, within the drive's force
/// range. The actuator's control range goes: its control is no longer an angle alone (see ImpedanceControl).
/// Throws InputError where there is no such actuator, it has dynamics, or a number makes no sense.
void set_impedance(ModelSpec& spec, std::string_view actuator, double stiffness, double damping);

/// A drive that pushes with the force it is told (N or N m), less what its damping takes, within its force range.
void set_force_drive(ModelSpec& spec, std::string_view actuator, double damping);

}  // namespace uzawa
