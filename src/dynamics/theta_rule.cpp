#include <algorithm>
#include <cassert>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/dynamics/forces.hpp"
#include "uzawa/dynamics/gyroscopic.hpp"
#include "uzawa/dynamics/inertia.hpp"
#include "uzawa/dynamics/integrators.hpp"
#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/dynamics/newton_euler.hpp"

namespace uzawa {

namespace {

/// Entry (i, j) of a tree matrix, null where the tree has none (dofs on different branches).
double* entry(TreeMatrix& a, int i, int j) {
  if (i < j) std::swap(i, j);
  const std::span<const int> path = a.topology().path(i);
  const int k = a.topology().depth(j) - 1;
  return k < static_cast<int>(path.size()) && path[at(k)] == j ? a.row(i) + k : nullptr;
}

/// A += k r r^T. A pair of dofs on different branches (a tendon across fingers) has no place in the tree's sparsity:
/// its part is taken explicitly, k r_i r_j v_k in b, and |k r_i r_j| on both diagonals keeps the split as stable as the
/// implicit form (the diagonal dominates what is left out).
void add_row_product(const CoordinateRow& row, double k, std::span<const double> v, TreeMatrix& a,
                     std::span<double> b) {
  for (std::size_t m = 0; m < row.dofs.size(); ++m) {
    const int i = row.dofs[m];
    const double ki = k * row.scale * row.scale * row.coefficients[m];
    a.diagonal(i) += ki * row.coefficients[m];
    for (std::size_t n = 0; n < m; ++n) {
      const int j = row.dofs[n];
      const double kij = ki * row.coefficients[n];
      if (double* slot = i == j ? nullptr : entry(a, i, j)) {
        *slot += kij;
      } else if (i == j) {
        a.diagonal(i) += 2 * kij;
      } else {
        a.diagonal(i) += std::abs(kij);
        a.diagonal(j) += std::abs(kij);
        b[at(i)] += std::abs(kij) * v[at(i)] - kij * v[at(j)];
        b[at(j)] += std::abs(kij) * v[at(j)] - kij * v[at(i)];
      }
    }
  }
}

/// Velocity products are taken at v_k + change/2. At v_k they would miss h/2 of their own slope, always to the same
/// side, and a fast double pendulum gains energy; at the mean of v_k and v_{k+1} its energy sways only: the error of a
/// step is then h^2/4 times the rate of a function of q and v. Bodies that fly alone have the implicit form of that
/// (add_gyroscopic_correction).
void middle_bias(const Model& model, DynamicsData& data, MiddleWorkspace& workspace) {
  std::vector<double>& v = workspace.scratch;
  for (std::size_t d = 0; d < v.size(); ++d) v[d] = 0.5 * workspace.expected_change[d];
  clear_turns_of_lone_flyers(model, v);
  for (std::size_t d = 0; d < v.size(); ++d) v[d] += workspace.state.v[d];
  link_velocities(model, v, data);
  bias_force(model, v, data, workspace.bias);
}

}  // namespace

MiddleWorkspace::MiddleWorkspace(const Model& model)
    : state(model.reference_state()),
      impulse(at(model.nv())),
      bias(at(model.nv())),
      expected_change(at(model.nv())),
      force(at(model.nv())),
      scratch(at(model.nv())) {}

IntegratorWorkspace::IntegratorWorkspace(const Model& model)
    : MiddleWorkspace(model), system(model), factor(model.topology()), stage(model.reference_state()) {
  for (int i = 0; i < 4; ++i) {
    q_rate[i].resize(at(model.nq()));
    v_rate[i].resize(at(model.nv()));
    act_rate[i].resize(at(model.na()));
  }
}

void integrate_position(const Model& model, std::span<const double> v, double h, std::span<double> q) {
  const auto rotate_by = [h](double* quaternion, const double* rate) {
    const Quat turned = normalized(Quat::from(quaternion)) * exp_rotation(Vec3::from(rate) * h);
    normalized(turned).store(quaternion);
  };
  for (const JointFrame& joint : model.joint_frames()) {
    double* qj = &q[at(joint.q)];
    const double* vj = &v[at(joint.v)];
    switch (joint.type) {
      case JointType::Free:
        for (int k = 0; k < 3; ++k) qj[k] += h * vj[k];
        rotate_by(qj + 3, vj + 3);
        break;
      case JointType::Ball: rotate_by(qj, vj); break;
      case JointType::Slide:
      case JointType::Hinge: qj[0] += h * vj[0]; break;
    }
  }
}

void start_step(const Model& model, const State& state, std::span<const double> control,
                std::span<const double> external, const ThetaRule& rule, DynamicsData& data,
                MiddleWorkspace& workspace) {
  assert(rule.h > 0 && rule.theta >= 0 && rule.theta < 1);
  State& middle = workspace.state;
  middle = state;
  if (rule.theta > 0) integrate_position(model, state.v, rule.theta * rule.h, middle.q);
  forward_kinematics(model, middle.q, data);
  tendon_lengths(model, middle.q, data);
  middle_impulse(model, control, external, rule, data, workspace);
}

void middle_impulse(const Model& model, std::span<const double> control, std::span<const double> external,
                    const ThetaRule& rule, DynamicsData& data, MiddleWorkspace& workspace) {
  const State& middle = workspace.state;
  std::vector<double>& b = workspace.impulse;
  middle_bias(model, data, workspace);
  link_velocities(model, middle.v, data);
  // b = M v_k + h (applied forces - bias).
  momentum(middle.v, data, b);
  const auto add_impulse = [&](std::span<const double> tau, double scale) {
    for (std::size_t d = 0; d < b.size(); ++d) b[d] += rule.h * scale * tau[d];
  };
  add_impulse(workspace.bias, -1);
  add_gyroscopic_correction(model, data, rule.h, b);
  passive_force(model, middle.q, middle.v, data, workspace.force);
  add_impulse(workspace.force, 1);
  actuator_force(model, middle, control, data, workspace.force);
  add_impulse(workspace.force, 1);
  if (!external.empty()) add_impulse(external, 1);
}

void discretize(const Model& model, const State& state, std::span<const double> control,
                std::span<const double> external, const ThetaRule& rule, DynamicsData& data,
                IntegratorWorkspace& workspace) {
  start_step(model, state, control, external, rule, data, workspace);
  const double h = rule.h, theta = rule.theta;
  TreeMatrix& a = workspace.system.a;
  std::vector<double>& b = workspace.system.b;
  momentum(state.v, data, b);
  for (std::size_t d = 0; d < b.size(); ++d) b[d] = workspace.impulse[d] + theta / (1 - theta) * b[d];
  augmented_matrix(model, 1 / (1 - theta), {}, {}, data, a);
  // The forces in b hold -K (e + theta h r v_k) - D r v_k; move them to the end of the step.
  for_each_spring_damper(model, workspace.state, control, data, [&](const SpringDamper& element) {
    const double at_start = h * element.damping + h * h * theta * element.stiffness;
    element.row.add_force(at_start * element.row.rate(state.v), b);
    add_row_product(element.row, element.impulse_gain(h), state.v, a, b);
  });
}

void finish_step(const Model& model, std::span<const double> v, std::span<const double> control, const ThetaRule& rule,
                 State& state) {
  // Through the middle of the step: among rotations that is not quite one move by h vhat.
  if (rule.theta > 0) integrate_position(model, state.v, rule.theta * rule.h, state.q);
  std::copy(v.begin(), v.end(), state.v.begin());
  integrate_position(model, state.v, (1 - rule.theta) * rule.h, state.q);
  advance_activation(model, control, rule.h, state.activation);
  state.time += rule.h;
}

bool theta_step(const Model& model, std::span<const double> control, std::span<const double> external,
                const ThetaRule& rule, DynamicsData& data, IntegratorWorkspace& workspace, State& state) {
  discretize(model, state, control, external, rule, data, workspace);
  if (!workspace.factor.factorize(workspace.system.a)) return false;
  std::vector<double>& v = workspace.scratch;
  std::copy(workspace.system.b.begin(), workspace.system.b.end(), v.begin());
  workspace.factor.solve(v);
  // From vhat to v_{k+1}.
  for (std::size_t d = 0; d < v.size(); ++d) v[d] = (v[d] - rule.theta * state.v[d]) / (1 - rule.theta);
  finish_step(model, v, control, rule, state);
  return true;
}

}  // namespace uzawa
