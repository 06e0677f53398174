#pragma once

#include "uzawa/model/spec.hpp"

/// Muscles as MuJoCo has them: a Hill-type model without tendon elasticity (after Thelen 2003 and Millard et al. 2013,
/// with piecewise quadratic curves).
namespace uzawa {

/// A force along the actuator and its derivatives.
struct MuscleForce {
  double force = 0, by_length = 0, by_velocity = 0;
};

/// Active force at full activation; <= 0, for muscles pull.
MuscleForce muscle_active_force(const ActuatorSpec& actuator, double length, double velocity);
/// Force of the parallel elasticity, <= 0.
MuscleForce muscle_passive_force(const ActuatorSpec& actuator, double length);

/// Rate of the activation, 1/s: faster towards more force than towards less.
double muscle_activation_rate(const ActuatorSpec& actuator, double control, double activation);

}  // namespace uzawa
