#include "uzawa/sim/input_checks.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"

namespace uzawa {

namespace {

/// `address` and `size` say where the numbers of a joint are.
template <typename Address, typename Size>
void check_joints(const Model& model, const char* what, std::span<const double> values, Address&& address,
                  Size&& size) {
  if (all_finite(values)) return;
  for (std::size_t j = 0; j < model.spec().joints.size(); ++j) {
    const JointSpec& joint = model.spec().joints[j];
    if (!all_finite(values.subspan(at(address(static_cast<int>(j))), at(size(joint.type))))) {
      throw InputError(model.spec().source, "joint '" + joint.name + "'",
                       std::string(what) + " is not a finite number");
    }
  }
}

void check_positions(const Model& model, std::span<const double> q) {
  check_joints(
      model, "its position", q, [&](int j) { return model.joint_q(j); }, q_size);
}

void check_velocities(const Model& model, const char* what, std::span<const double> v) {
  check_joints(
      model, what, v, [&](int j) { return model.joint_v(j); }, v_size);
}

void check_actuators(const Model& model, const char* what, std::span<const double> values, bool activations) {
  if (all_finite(values)) return;
  for (int a = 0; a < model.nu(); ++a) {
    const int i = activations ? model.actuator_activation(a) : a;
    if (i < 0 || std::isfinite(values[at(i)])) continue;
    throw InputError(model.spec().source, "actuator '" + model.spec().actuators[at(a)].name + "'",
                     std::string(what) + " is not a finite number");
  }
}

}  // namespace

bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

void check_size(const Model& model, const char* array, std::size_t size, int expected) {
  if (size == at(expected)) return;
  throw InputError(model.spec().source, array,
                   "has " + std::to_string(size) + " numbers, the model needs " + std::to_string(expected));
}

void check_state(const Model& model, const State& state) {
  check_size(model, "position", state.q.size(), model.nq());
  check_size(model, "velocity", state.v.size(), model.nv());
  check_size(model, "activation", state.activation.size(), model.na());
  check_positions(model, state.q);
  check_velocities(model, "its velocity", state.v);
  check_actuators(model, "its activation", state.activation, true);
  const int mocap = static_cast<int>(model.mocap_bodies().size());
  if (!state.mocap.empty()) check_size(model, "mocap pose", state.mocap.size(), 7 * mocap);
  if (!state.mocap_v.empty()) check_size(model, "mocap velocity", state.mocap_v.size(), 6 * mocap);
  if (!all_finite(state.mocap) || !all_finite(state.mocap_v)) {
    throw InputError(model.spec().source, "mocap", "its pose or velocity is not finite");
  }
  if (!std::isfinite(state.time)) throw InputError(model.spec().source, "time", "is not a finite number");
}

void check_inputs(const Model& model, std::span<const double> control, std::span<const double> external) {
  if (!control.empty()) {
    check_size(model, "control", control.size(), model.nu());
    check_actuators(model, "its control", control, false);
  }
  if (!external.empty()) {
    check_size(model, "external force", external.size(), model.nv());
    check_velocities(model, "the external force on it", external);
  }
}

}  // namespace uzawa
