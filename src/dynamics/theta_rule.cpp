#include <algorithm>
#include <cassert>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/dynamics/elastic.hpp"
#include "uzawa/dynamics/forces.hpp"
#include "uzawa/dynamics/inertia.hpp"
#include "uzawa/dynamics/integrators.hpp"
#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/dynamics/newton_euler.hpp"
#include "uzawa/dynamics/offset_frames.hpp"

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

/// impulse = momentum without constraints + h (all other forces in the middle of the step).
void middle_impulse(const Model& model, std::span<const double> control, std::span<const double> external,
                    const ThetaRule& rule, DynamicsData& data, MiddleWorkspace& workspace) {
  const State& middle = workspace.state;
  std::vector<double>& b = workspace.impulse;
  momentum_impulse(model, middle.v, rule.h, data, workspace, b);
  const auto add_impulse = [&](std::span<const double> tau) {
    for (std::size_t d = 0; d < b.size(); ++d) b[d] += rule.h * tau[d];
  };
  rigid_passive_force(model, middle.q, middle.v, data, workspace.passive);
  evaluate_elastic(model, middle.v, data);
  add_elastic_force(model, false, data, workspace.passive);
  add_impulse(workspace.passive);
  actuator_force(model, middle, control, data, workspace.actuation);
  add_impulse(workspace.actuation);
  if (!external.empty()) add_impulse(external);
}

}  // namespace

MiddleWorkspace::MiddleWorkspace(const Model& model)
    : state(model.reference_state()),
      impulse(at(model.nv())),
      start_v(at(model.nv())),
      momentum(model.links().size()),
      product(model.links().size()),
      account(model),
      kick(at(model.nv())),
      velocity(model.links().size()),
      passive(at(model.nv())),
      actuation(at(model.nv())),
      moving(at(model.nv())),
      force(at(model.nv())),
      scratch(at(model.nv())) {}

IntegratorWorkspace::IntegratorWorkspace(const Model& model)
    : MiddleWorkspace(model), carried(model), system(model), factor(model.topology()), stage(model.reference_state()) {
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

void move_on(const Model& model, double h, std::span<double> q, std::span<double> v) {
  // With the velocity of its centre of mass in place of the origin's, a body that flies alone is moved like any other;
  // but then q is that of its centre of mass, too.
  for_each_offset(model, q, v, [&](double* position, double* velocity, const Vec3& arm, const Vec3& turn) {
    add_to(position, arm);
    add_to(velocity, turn);
  });
  integrate_position(model, v, h, q);
  for_each_offset(model, q, v, [&](double* position, double* velocity, const Vec3& arm, const Vec3& turn) {
    add_to(position, -arm);
    add_to(velocity, -turn);
  });
}

void displace(const Model& model, std::span<const double> move, std::span<double> q, std::span<double> v) {
  for_each_offset(model, q, v,
                  [](double*, double* velocity, const Vec3&, const Vec3& turn) { add_to(velocity, turn); });
  integrate_position(model, move, 1, q);
  for_each_offset(model, q, v,
                  [](double*, double* velocity, const Vec3&, const Vec3& turn) { add_to(velocity, -turn); });
}

void start_step(const Model& model, const State& state, const CarriedMomentum& carried, std::span<const double> control,
                std::span<const double> external, const ThetaRule& rule, DynamicsData& data,
                MiddleWorkspace& workspace) {
  assert(rule.h > 0 && rule.theta >= 0 && rule.theta < 1);
  State& middle = workspace.state;
  middle = state;
  if (rule.theta > 0) move_on(model, rule.theta * rule.h, middle.q, middle.v);
  place_mocap(model, state, data);
  if (rule.theta > 0) move_mocap(data.mocap_velocity, rule.theta * rule.h, data.mocap_pose);
  forward_kinematics(model, middle.q, data);
  tendon_lengths(model, middle.q, data);
  link_velocities(model, middle.v, data);
  start_momentum(model, state, carried, data, workspace);
  middle_impulse(model, control, external, rule, data, workspace);
}

void jump_in_middle(const Model& model, std::span<const double> v, std::span<const double> control,
                    std::span<const double> external, const ThetaRule& rule, DynamicsData& data,
                    MiddleWorkspace& workspace) {
  std::vector<double>& jump = workspace.scratch;
  for (std::size_t d = 0; d < jump.size(); ++d) jump[d] = v[d] - workspace.state.v[d];
  add_velocity_jump(model, jump, data, workspace);
  std::copy(v.begin(), v.end(), workspace.state.v.begin());
  link_velocities(model, v, data);
  middle_impulse(model, control, external, rule, data, workspace);
}

void discretize(const Model& model, const State& state, std::span<const double> control,
                std::span<const double> external, const ThetaRule& rule, DynamicsData& data,
                IntegratorWorkspace& workspace) {
  start_step(model, state, workspace.carried, control, external, rule, data, workspace);
  const double h = rule.h, theta = rule.theta;
  TreeMatrix& a = workspace.system.a;
  std::vector<double>& b = workspace.system.b;
  momentum(workspace.state.v, data, b);
  for (std::size_t d = 0; d < b.size(); ++d) b[d] = workspace.impulse[d] + theta / (1 - theta) * b[d];
  augmented_matrix(model, 1 / (1 - theta), {}, {}, data, a);
  // The forces in b hold -K (e + theta h r v_k) - D r v_k; move them to the end of the step.
  for_each_spring_damper(model, workspace.state, control, data, [&](const SpringDamper& element) {
    const double at_start = h * element.damping + h * h * theta * element.stiffness;
    element.row.add_force(at_start * element.row.rate(workspace.state.v), b);
    add_row_product(element.row, element.impulse_gain(h), workspace.state.v, a, b);
  });
}

void finish_step(const Model& model, std::span<const double> v, std::span<const double> control, const ThetaRule& rule,
                 const DynamicsData& data, MiddleWorkspace& workspace, CarriedMomentum& carried, State& state) {
  // Through the middle of the step: among rotations that is not quite one move by h vhat.
  if (rule.theta > 0) state.q = workspace.state.q;
  std::copy(v.begin(), v.end(), state.v.begin());
  move_on(model, (1 - rule.theta) * rule.h, state.q, state.v);
  advance_activation(model, control, rule.h, state.activation);
  state.time += rule.h;
  carry_momentum(model, v, rule.h, state, data, workspace, carried);
}

bool theta_step(const Model& model, std::span<const double> control, std::span<const double> external,
                const ThetaRule& rule, DynamicsData& data, IntegratorWorkspace& workspace, State& state) {
  discretize(model, state, control, external, rule, data, workspace);
  if (!workspace.factor.factorize(workspace.system.a)) return false;
  std::vector<double>& v = workspace.scratch;
  std::copy(workspace.system.b.begin(), workspace.system.b.end(), v.begin());
  workspace.factor.solve(v);
  // From vhat to v_{k+1}.
  for (std::size_t d = 0; d < v.size(); ++d) v[d] = (v[d] - rule.theta * workspace.state.v[d]) / (1 - rule.theta);
  finish_step(model, v, control, rule, data, workspace, workspace.carried, state);
  return true;
}

}  // namespace uzawa
