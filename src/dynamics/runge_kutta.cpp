#include <array>

#include "uzawa/base/at.hpp"
#include "uzawa/dynamics/forces.hpp"
#include "uzawa/dynamics/integrators.hpp"
#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/dynamics/newton_euler.hpp"
#include "uzawa/dynamics/stiff_dampers.hpp"

namespace uzawa {

namespace {

/// dq/dt as plain numbers: quaternions by q' = q w / 2.
void position_rate(const Model& model, std::span<const double> q, std::span<const double> v, std::span<double> rate) {
  const auto quaternion_rate = [&](std::size_t q_at, std::size_t v_at) {
    const Quat product = Quat::from(&q[q_at]) * Quat{0, Vec3::from(&v[v_at])};
    Quat{product.w / 2, product.v * 0.5}.store(&rate[q_at]);
  };
  for (const JointFrame& joint : model.joint_frames()) {
    const std::size_t qa = at(joint.q), va = at(joint.v);
    switch (joint.type) {
      case JointType::Free:
        for (std::size_t k = 0; k < 3; ++k) rate[qa + k] = v[va + k];
        quaternion_rate(qa + 3, va + 3);
        break;
      case JointType::Ball: quaternion_rate(qa, va); break;
      case JointType::Slide:
      case JointType::Hinge: rate[qa] = v[va]; break;
    }
  }
}

/// Rates of q, v and activation at a state.
bool evaluate(const Model& model, const State& state, std::span<const double> control, std::span<const double> external,
              DynamicsData& data, IntegratorWorkspace& workspace, const StiffDampers* but, int stage) {
  forward_kinematics(model, state, data);
  link_velocities(model, state.v, data);
  tendon_lengths(model, state.q, data);
  std::vector<double>& tau = workspace.force;
  std::vector<double>& a = workspace.v_rate[stage];
  passive_force(model, state.q, state.v, data, tau);
  actuator_force(model, state, control, data, a);
  for (std::size_t d = 0; d < tau.size(); ++d) tau[d] += a[d] + (external.empty() ? 0.0 : external[d]);
  if (but != nullptr) but->leave_out(state, control, data, tau);
  position_rate(model, state.q, state.v, workspace.q_rate[stage]);
  activation_rate(model, state.activation, control, workspace.act_rate[stage]);
  return forward_dynamics(model, state.v, tau, data, a);
}

/// out = base + h * rate
void offset(std::span<const double> base, std::span<const double> rate, double h, std::span<double> out) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = base[i] + h * rate[i];
}

void weighted_step(double h, const std::vector<double> (&rate)[4], std::span<double> x) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] += h / 6 * (rate[0][i] + 2 * rate[1][i] + 2 * rate[2][i] + rate[3][i]);
  }
}

}  // namespace

bool rk4_step(const Model& model, std::span<const double> control, std::span<const double> external, double h,
              DynamicsData& data, IntegratorWorkspace& workspace, State& state, const StiffDampers* but) {
  constexpr std::array<double, 4> kNodes = {0, 0.5, 0.5, 1};
  workspace.stage = state;
  bool positive = evaluate(model, workspace.stage, control, external, data, workspace, but, 0);
  for (int s = 1; s < 4; ++s) {
    const double dt = h * kNodes[at(s)];
    offset(state.q, workspace.q_rate[s - 1], dt, workspace.stage.q);
    offset(state.v, workspace.v_rate[s - 1], dt, workspace.stage.v);
    offset(state.activation, workspace.act_rate[s - 1], dt, workspace.stage.activation);
    positive = evaluate(model, workspace.stage, control, external, data, workspace, but, s) && positive;
  }
  if (!positive) return false;
  weighted_step(h, workspace.q_rate, state.q);
  weighted_step(h, workspace.v_rate, state.v);
  weighted_step(h, workspace.act_rate, state.activation);
  // A step of length zero: normalises the quaternions, clamps the activations.
  integrate_position(model, state.v, 0, state.q);
  advance_activation(model, control, 0, state.activation);
  state.time += h;
  return true;
}

}  // namespace uzawa
