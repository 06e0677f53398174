#include "uzawa/dynamics/newton_euler.hpp"

#include <cassert>

#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

/// Forward pass of one link: its acceleration, from its parent's. The subspace of a joint is carried along by the
/// motion so far, S' = velocity x S; the dofs of a rotation joint (ball, or the rotation of a free joint) are carried
/// together by the motion before the joint, because their own contributions cancel (w x w = 0).
Motion link_acceleration(const Link& link, const JointFrame* frames, const std::vector<Motion>& subspace,
                         const double* v, const double* a, Motion velocity, Motion acceleration) {
  const auto dof_motion = [&](int d, double rate) { return subspace[at(d)] * rate; };
  for (int j = link.joint_begin; j < link.joint_end; ++j) {
    int d = frames[j].v;
    Motion rate;
    switch (frames[j].type) {
      case JointType::Free:  // world-fixed directions first: no change of subspace
        for (const int end = d + 3; d < end; ++d) velocity += dof_motion(d, v[d]);
        [[fallthrough]];
      case JointType::Ball:
        for (int k = 0; k < 3; ++k) rate += dof_motion(d + k, v[d + k]);
        break;
      case JointType::Slide:
      case JointType::Hinge: rate = dof_motion(d, v[d]); break;
    }
    acceleration += cross(velocity, rate);
    velocity += rate;
    if (a != nullptr) {
      for (d = frames[j].v; d < frames[j].v + v_size(frames[j].type); ++d) acceleration += dof_motion(d, a[d]);
    }
  }
  return acceleration;
}

/// Rate of the momentum of each link. Gravity is an acceleration of the ground.
void link_forces(const Model& model, const double* v, const double* a, std::span<const Motion> velocity,
                 const Motion& ground_acceleration, DynamicsData& data, std::span<Force> force) {
  const JointFrame* frames = model.joint_frames().data();
  const Motion ground_velocity;
  for (std::size_t i = 0; i < model.links().size(); ++i) {
    const Link& link = model.links()[i];
    const int parent = model.topology()->link_parent(static_cast<int>(i));
    const Motion& velocity_above = parent < 0 ? ground_velocity : velocity[at(parent)];
    const Motion& acceleration_above = parent < 0 ? ground_acceleration : data.acceleration[at(parent)];
    const Motion acceleration =
        link_acceleration(link, frames, data.tree.subspace, v, a, velocity_above, acceleration_above);
    data.acceleration[i] = acceleration;
    const SpatialInertia& inertia = data.tree.inertia[i];
    force[i] = inertia * acceleration + cross_force(velocity[i], inertia * velocity[i]);
  }
}

void newton_euler(const Model& model, const double* v, const double* a, DynamicsData& data, std::span<double> tau) {
  link_forces(model, v, a, data.velocity, {{}, -model.options().gravity}, data, data.force);
  project_link_forces(data, tau);
}

}  // namespace

void inverse_dynamics(const Model& model, std::span<const double> v, std::span<const double> a, DynamicsData& data,
                      std::span<double> tau) {
  assert(static_cast<int>(v.size()) == model.nv() && a.size() == v.size() && tau.size() == v.size());
  newton_euler(model, v.data(), a.data(), data, tau);
  for (std::size_t d = 0; d < a.size(); ++d) tau[d] += data.tree.diagonal[d] * a[d];
}

void bias_force(const Model& model, std::span<const double> v, DynamicsData& data, std::span<double> bias) {
  assert(static_cast<int>(v.size()) == model.nv() && bias.size() == v.size());
  newton_euler(model, v.data(), nullptr, data, bias);
}

void velocity_products(const Model& model, std::span<const double> v, std::span<const Motion> velocity,
                       DynamicsData& data, std::span<Force> force) {
  link_forces(model, v.data(), nullptr, velocity, {}, data, force);
}

void project_link_forces(DynamicsData& data, std::span<double> tau) {
  const TreeTopology& topology = *data.tree.topology;
  for (int i = topology.links() - 1; i >= 0; --i) {
    const Force& force = data.force[at(i)];
    for (int d = topology.dof_begin(i); d < topology.dof_begin(i + 1); ++d) {
      tau[at(d)] = dot(data.tree.subspace[at(d)], force);
    }
    const int parent = topology.link_parent(i);
    if (parent >= 0) data.force[at(parent)] += force;
  }
}

void path_bends(const Model& model, std::span<const double> v, const DynamicsData& data, std::span<Motion> scratch,
                std::span<PathBend> bends) {
  assert(scratch.size() == model.links().size() && bends.size() == scratch.size());
  const Motion still;
  for (std::size_t i = 0; i < model.links().size(); ++i) {
    const Link& link = model.links()[i];
    scratch[i] = {};
    bends[i] = {};
    if (link.mocap >= 0) continue;  // at constant velocity
    const int parent = model.topology()->link_parent(static_cast<int>(i));
    const bool root = parent < 0;
    scratch[i] = link_acceleration(link, model.joint_frames().data(), data.tree.subspace, v.data(), nullptr,
                                   root ? still : data.velocity[at(parent)], root ? still : scratch[at(parent)]);
    const Vec3 arm = data.link_com[i] - data.reference[at(model.topology()->link_tree(static_cast<int>(i)))];
    const Motion& velocity = data.velocity[i];
    bends[i] = {velocity_at(scratch[i], arm) + cross(velocity.angular, velocity_at(velocity, arm)), scratch[i].angular};
  }
}

bool forward_dynamics(const Model& model, std::span<const double> v, std::span<const double> tau, DynamicsData& data,
                      std::span<double> a) {
  assert(static_cast<int>(v.size()) == model.nv() && tau.size() == v.size() && a.size() == v.size());
  bias_force(model, v, data, data.dof_scratch);
  const bool positive = data.articulated.factorize(data.tree);
  for (std::size_t d = 0; d < a.size(); ++d) a[d] = tau[d] - data.dof_scratch[d];
  data.articulated.solve(data.tree, a);
  return positive;
}

double kinetic_energy(const Model& model, std::span<const double> v, const DynamicsData& data) {
  double twice = 0;
  for (std::size_t i = 0; i < model.links().size(); ++i) {
    twice += dot(data.velocity[i], data.tree.inertia[i] * data.velocity[i]);
  }
  for (std::size_t d = 0; d < v.size(); ++d) twice += data.tree.diagonal[d] * v[d] * v[d];
  return twice / 2;
}

double potential_energy(const Model& model, const DynamicsData& data) {
  double energy = 0;
  for (std::size_t i = 0; i < model.links().size(); ++i) {
    energy -= model.links()[i].mass * dot(model.options().gravity, data.link_com[i]);
  }
  return energy;
}

Momentum momentum(const Model& model, const DynamicsData& data) {
  Momentum total;
  for (int i = 0; i < model.topology()->links(); ++i) {
    const Force h = data.tree.inertia[at(i)] * data.velocity[at(i)];
    total.linear += h.force;
    total.angular += h.moment + cross(data.reference[at(model.topology()->link_tree(i))], h.force);
  }
  return total;
}

}  // namespace uzawa
