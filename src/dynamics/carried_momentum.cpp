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
/// (energy.hpp). p: per dof; w: velocities of the step without constraints.
double momentum_energy(const Model& model, double h, std::span<const double> p, std::span<const double> w,
                       const DynamicsData& data, const MiddleWorkspace& workspace) {
  const Motion fall{{}, model.options().gravity * h};
  const TreeTopology& topology = *data.tree.topology;
  double twice = 0;
  for (int i = 0; i < topology.links(); ++i) {
    const bool alone = model.moves_alone(i);
    // Of a body that flies alone p has the gyroscopic impulse, too, which does no work.
    if (alone) twice += dot(data.velocity[at(i)] + fall, workspace.momentum[at(i)]);
    for (int d = topology.dof_begin(i); d < topology.dof_begin(i + 1); ++d) {
      const double v = workspace.state.v[at(d)];
      twice += alone ? data.tree.diagonal[at(d)] * v * v : p[at(d)] * w[at(d)];
    }
  }
  return twice / 2;
}

/// Some link of a tree turns by more than this in a step: its energy is booked and bounded (gain_limit.hpp). Below it
/// the errors of velocity products are of second order and too small to feed themselves, and a robot that stands or
/// walks is spared the cost.
constexpr double kResolved = 0.002;  // rad

bool turns_fast(const Model& model, double h, const DynamicsData& data) {
  const double most = kResolved * kResolved / (h * h);
  for (std::size_t i = 0; i < data.velocity.size(); ++i) {
    const Vec3& w = data.velocity[i].angular;
    if (dot(w, w) > most && !model.moves_alone(static_cast<int>(i))) return true;
  }
  return false;
}

/// w, the velocities that the momentum and the weight of the links lead to, becomes an estimate of those that all
/// forces lead to: where the last step's forces and impulses have added less than the weight would, because something
/// carries it, this step's do so, too. A robot that a controller holds at rest has no velocity products. `fall`: the
/// velocities that the weight adds.
void expect_forces(const Model& model, const MiddleWorkspace& workspace, const DynamicsData& data,
                   std::span<const double> fall, std::span<double> w) {
  for (const Subsystem& tree : model.subsystems()) {
    double weight = 0, all = 0;
    for (const int d : tree.dofs) {
      const double mass = data.mass.diagonal(d);
      weight += mass * fall[at(d)] * fall[at(d)];
      all += mass * workspace.kick[at(d)] * workspace.kick[at(d)];
    }
    if (all >= weight) continue;
    for (const int d : tree.dofs) w[at(d)] += workspace.kick[at(d)] - fall[at(d)];
  }
}

/// impulse -= h/2 c at the velocities that the impulse and the weight of the links (workspace.force) lead to, without
/// constraints. workspace.product: the velocity products of each link.
void add_velocity_products(const Model& model, double h, DynamicsData& data, MiddleWorkspace& workspace,
                           std::span<double> impulse) {
  mass_matrix(data);
  if (!factorize_mass(data)) return;  // the problem itself will say so
  std::vector<double>&w = workspace.scratch, &moving = workspace.moving, &fall = data.dof_scratch;
  std::copy(impulse.begin(), impulse.end(), moving.begin());
  std::copy(workspace.force.begin(), workspace.force.end(), fall.begin());
  data.mass_factor.solve(moving, fall);
  EnergyAccount& account = workspace.account;
  account.open = turns_fast(model, h, data);
  if (account.open) limit_gain(model, data, workspace.force, account, impulse, moving);
  for (std::size_t d = 0; d < w.size(); ++d) w[d] = moving[d] + fall[d];
  workspace.kinetic = momentum_energy(model, h, impulse, w, data, workspace);
  expect_forces(model, workspace, data, fall, w);
  link_velocities(model, w, data, workspace.velocity);
  velocity_products(model, w, workspace.velocity, data, workspace.product);
  for (std::size_t i = 0; i < data.force.size(); ++i) {
    if (model.moves_alone(static_cast<int>(i))) workspace.product[i] = {};
    data.force[i] = workspace.product[i];
  }
  project_link_forces(data, w);
  std::vector<double>& acceleration = data.dof_scratch;
  if (account.open) limit_products(model, data, h, account, w, acceleration, workspace.product);
  for (std::size_t d = 0; d < impulse.size(); ++d) impulse[d] -= 0.5 * h * w[d];
  if (!account.open) return;
  for (std::size_t d = 0; d < w.size(); ++d) moving[d] -= 0.5 * h * acceleration[d];
  book_start(model, workspace.force, impulse, moving, account);
  for (std::size_t d = 0; d < w.size(); ++d) {
    if (!model.moves_alone(model.topology()->dof_link(static_cast<int>(d)))) workspace.start_v[d] = moving[d];
  }
}

/// Angular momentum that the gyroscopic moment of a body that flies alone adds, about its centre of mass; start_v gets
/// its velocities after it.
Vec3 turn_alone(const Model& model, double h, const DynamicsData& data, std::size_t link, std::span<double> start_v) {
  const Sym3& inertia = data.tree.inertia[link].rotational;
  const Vec3& before = data.velocity[link].angular;
  const Vec3 change = turned_velocity(inertia, before, h) - before;
  const int first = model.topology()->dof_begin(static_cast<int>(link));
  const Pose& pose = data.link_pose[link];
  double *linear = &start_v[at(first)], *angular = &start_v[at(first) + 3];
  (Vec3::from(linear) - cross(change, data.link_com[link] - pose.position)).store(linear);
  (Vec3::from(angular) + transpose_times(pose.rotation, change)).store(angular);
  return inertia * change;
}

}  // namespace

CarriedMomentum::CarriedMomentum(const Model& model) : account(model) {
  linear.reserve(model.links().size());
  angular.reserve(model.links().size());
  kick.reserve(at(model.nv()));
  q.reserve(at(model.nq()));
  v.reserve(at(model.nv()));
}

void start_momentum(const Model& model, const State& state, const CarriedMomentum& carried, const DynamicsData& data,
                    MiddleWorkspace& workspace) {
  const bool known = carried.belongs_to(state);
  workspace.kick.assign(at(model.nv()), 0.0);
  if (known) {
    workspace.account = carried.account;
    workspace.kick = carried.kick;
  }
  workspace.account.known = known && carried.account.open;
  for (std::size_t i = 0; i < workspace.momentum.size(); ++i) {
    if (known && !model.moves_alone(static_cast<int>(i))) {
      const Vec3& linear = carried.linear[i];
      workspace.momentum[i] = {carried.angular[i] + cross(arm(model, data, i), linear), linear};
    } else {
      workspace.momentum[i] = data.tree.inertia[i] * data.velocity[i];
    }
  }
}

void add_velocity_jump(const Model& model, std::span<const double> jump, const DynamicsData& data,
                       MiddleWorkspace& workspace) {
  workspace.account.known = false;  // an impact has changed it
  link_velocities(model, jump, data, workspace.velocity);
  for (std::size_t i = 0; i < workspace.momentum.size(); ++i) {
    workspace.momentum[i] += data.tree.inertia[i] * workspace.velocity[i];
  }
}

void momentum_impulse(const Model& model, std::span<const double> v, double h, DynamicsData& data,
                      MiddleWorkspace& workspace, std::span<double> impulse) {
  bool trees = false;
  workspace.account.open = false;
  std::copy(v.begin(), v.end(), workspace.start_v.begin());
  for (std::size_t i = 0; i < data.force.size(); ++i) {
    data.force[i] = workspace.momentum[i];
    if (model.flies_alone(static_cast<int>(i))) {
      data.force[i].moment += turn_alone(model, h, data, i, workspace.start_v);
    } else if (!model.moves_alone(static_cast<int>(i))) {
      trees = true;
    }
  }
  project_link_forces(data, impulse);
  for (std::size_t d = 0; d < impulse.size(); ++d) impulse[d] += data.tree.diagonal[d] * v[d];
  std::vector<double>& weight = workspace.force;
  const Motion fall{{}, model.options().gravity * h};
  for (std::size_t i = 0; i < data.force.size(); ++i) data.force[i] = data.tree.inertia[i] * fall;
  project_link_forces(data, weight);
  workspace.kinetic = trees ? 0 : momentum_energy(model, h, {}, {}, data, workspace);
  if (trees) add_velocity_products(model, h, data, workspace, impulse);
  for (std::size_t d = 0; d < impulse.size(); ++d) impulse[d] += weight[d];
}

void carry_momentum(const Model& model, std::span<const double> v, double h, const State& state,
                    const DynamicsData& data, MiddleWorkspace& workspace, CarriedMomentum& carried) {
  const std::size_t links = model.links().size();
  carried.linear.resize(links);
  carried.angular.resize(links);
  carried.kick.resize(v.size());
  for (std::size_t d = 0; d < v.size(); ++d) carried.kick[d] = v[d] - workspace.start_v[d];
  carried.q = state.q;
  carried.v = state.v;
  link_velocities(model, v, data, workspace.velocity);
  carried.account = workspace.account;
  if (carried.account.open) book_end(model, h, v, workspace.velocity, data, carried.account);
  for (std::size_t i = 0; i < links; ++i) {
    if (model.moves_alone(static_cast<int>(i))) continue;
    const Force momentum = data.tree.inertia[i] * workspace.velocity[i] + workspace.product[i] * (0.5 * h);
    carried.linear[i] = momentum.force;
    carried.angular[i] = momentum.moment - cross(arm(model, data, i), momentum.force);
  }
}

}  // namespace uzawa
