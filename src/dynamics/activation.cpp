#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/dynamics/forces.hpp"
#include "uzawa/dynamics/muscle.hpp"
#include "uzawa/dynamics/range.hpp"

namespace uzawa {

namespace {

double time_constant(const ActuatorSpec& actuator) { return std::max(actuator.time_constant, 1e-15); }

double rate_of(const ActuatorSpec& actuator, double u, double activation) {
  switch (actuator.dynamics) {
    case ActuatorDynamics::None: break;
    case ActuatorDynamics::Integrator: return u;
    case ActuatorDynamics::Filter:
    case ActuatorDynamics::FilterExact: return (u - activation) / time_constant(actuator);
    case ActuatorDynamics::Muscle: return muscle_activation_rate(actuator, u, activation);
  }
  return 0;
}

/// Calls visit(actuator, clamped control, address of the activation) for every actuator with dynamics.
/// Without actuation the activations stand still.
template <typename Visit>
void for_each_activation(const Model& model, std::span<const double> control, Visit&& visit) {
  if (!model.options().actuation) return;
  for (int a = 0; a < model.nu(); ++a) {
    const int state = model.actuator_activation(a);
    if (state < 0) continue;
    const ActuatorSpec& actuator = model.spec().actuators[at(a)];
    visit(actuator, clamp_to(actuator.control_range, control[at(a)]), at(state));
  }
}

}  // namespace

void activation_rate(const Model& model, std::span<const double> activation, std::span<const double> control,
                     std::span<double> rate) {
  std::fill(rate.begin(), rate.end(), 0.0);
  for_each_activation(model, control, [&](const ActuatorSpec& actuator, double u, std::size_t i) {
    rate[i] = rate_of(actuator, u, activation[i]);
  });
}

void advance_activation(const Model& model, std::span<const double> control, double h, std::span<double> activation) {
  for_each_activation(model, control, [&](const ActuatorSpec& actuator, double u, std::size_t i) {
    double& act = activation[i];
    const bool exact = actuator.dynamics == ActuatorDynamics::FilterExact;
    act += exact ? (u - act) * -std::expm1(-h / time_constant(actuator)) : h * rate_of(actuator, u, act);
    act = clamp_to(actuator.activation_range, act);
  });
}

}  // namespace uzawa
