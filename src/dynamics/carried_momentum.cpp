#include "uzawa/dynamics/carried_momentum.hpp"

#include "uzawa/base/at.hpp"
#include "uzawa/dynamics/gyroscopic.hpp"
#include "uzawa/dynamics/inertia.hpp"
#include "uzawa/dynamics/integrators.hpp"
#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/dynamics/newton_euler.hpp"

namespace uzawa {

namespace {

/// Of the centre of mass from the reference point, m.
Vec3 arm(const Model& model, const DynamicsData& data, std::size_t link) {
  return data.link_com[link] - link_reference(model, data, static_cast<int>(link));
}

/// 1/2 p^T w, J: the kinetic energy at the position, between the velocities before and after the kick of gravity
/// (energy.hpp). `w`: velocities of the step without constraints, `fall`: what gravity adds to them.
double momentum_energy(const Model& model, std::span<const double> v, std::span<const double> w, const Motion& fall,
                       const DynamicsData& data, const MiddleWorkspace& workspace) {
  double twice = 0;
  for (std::size_t i = 0; i < workspace.momentum.size(); ++i) {
    // Without the gyroscopic impulse, which does no work.
    const bool alone = model.flies_alone(static_cast<int>(i));
    twice += dot(alone ? data.velocity[i] + fall : workspace.velocity[i], workspace.momentum[i]);
  }
  for (std::size_t d = 0; d < v.size(); ++d) twice += data.tree.diagonal[d] * v[d] * w[d];
  return twice / 2;
}

}  // namespace

void start_momentum(const Model& model, const State& state, const CarriedMomentum& carried, const DynamicsData& data,
                    MiddleWorkspace& workspace) {
  const bool known = carried.belongs_to(state);
  for (std::size_t i = 0; i < workspace.momentum.size(); ++i) {
    if (known && !model.flies_alone(static_cast<int>(i))) {
      const Vec3& linear = carried.linear[i];
      workspace.momentum[i] = {carried.angular[i] + cross(arm(model, data, i), linear), linear};
    } else {
      workspace.momentum[i] = data.tree.inertia[i] * data.velocity[i];
    }
  }
}

void add_velocity_jump(const Model& model, std::span<const double> jump, const DynamicsData& data,
                       MiddleWorkspace& workspace) {
  link_velocities(model, jump, data, workspace.velocity);
  for (std::size_t i = 0; i < workspace.momentum.size(); ++i) {
    workspace.momentum[i] += data.tree.inertia[i] * workspace.velocity[i];
  }
}

void momentum_impulse(const Model& model, std::span<const double> v, double h, DynamicsData& data,
                      MiddleWorkspace& workspace, std::span<double> impulse) {
  const Motion fall{{}, model.options().gravity * h};
  bool trees = false;
  for (std::size_t i = 0; i < data.force.size(); ++i) {
    data.force[i] = workspace.momentum[i] + data.tree.inertia[i] * fall;
    if (model.flies_alone(static_cast<int>(i))) {
      data.force[i].moment += gyroscopic_impulse(data.tree.inertia[i].rotational, data.velocity[i].angular, h);
    } else {
      trees = true;
    }
  }
  project_link_forces(data, impulse);
  for (std::size_t d = 0; d < impulse.size(); ++d) impulse[d] += data.tree.diagonal[d] * v[d];
  if (!trees) {
    workspace.kinetic = momentum_energy(model, v, v, fall, data, workspace);
    return;
  }
  std::vector<double>& w = workspace.scratch;
  std::copy(impulse.begin(), impulse.end(), w.begin());
  mass_matrix(data);
  if (!factorize_mass(data)) return;  // the problem itself will say so
  data.mass_factor.solve(w);
  link_velocities(model, w, data, workspace.velocity);
  workspace.kinetic = momentum_energy(model, v, w, fall, data, workspace);
  velocity_products(model, w, workspace.velocity, data, workspace.product);
  for (std::size_t i = 0; i < data.force.size(); ++i) {
    if (model.flies_alone(static_cast<int>(i))) workspace.product[i] = {};
    data.force[i] = workspace.product[i];
  }
  project_link_forces(data, workspace.force);
  for (std::size_t d = 0; d < impulse.size(); ++d) impulse[d] -= 0.5 * h * workspace.force[d];
}

void carry_momentum(const Model& model, std::span<const double> v, double h, const State& state,
                    const DynamicsData& data, MiddleWorkspace& workspace, CarriedMomentum& carried) {
  const std::size_t links = model.links().size();
  carried.linear.resize(links);
  carried.angular.resize(links);
  carried.q = state.q;
  carried.v = state.v;
  link_velocities(model, v, data, workspace.velocity);
  for (std::size_t i = 0; i < links; ++i) {
    if (model.flies_alone(static_cast<int>(i))) continue;
    const Force momentum = data.tree.inertia[i] * workspace.velocity[i] + workspace.product[i] * (0.5 * h);
    carried.linear[i] = momentum.force;
    carried.angular[i] = momentum.moment - cross(arm(model, data, i), momentum.force);
  }
}

}  // namespace uzawa
