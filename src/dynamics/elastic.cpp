#include "uzawa/dynamics/elastic.hpp"

#include <algorithm>

#include "uzawa/base/at.hpp"
#include "uzawa/dynamics/data.hpp"
#include "uzawa/dynamics/integrators.hpp"
#include "uzawa/dynamics/kinematics.hpp"

namespace uzawa {

namespace {

const ElasticSystem& system_of(const Model& model, const Subsystem& subsystem) {
  return model.elastic_systems()[at(subsystem.elastic)];
}

/// Where a node is, m, world; of a rod's link: its centre of mass.
Vec3 node_point(const ElasticNode& node, const DynamicsData& data) {
  return node.kind == ElasticNode::Kind::Carried ? data.link_pose[at(node.link)] * node.point
                                                 : data.link_com[at(node.link)];
}

/// Calls visit(node, weight) for the nodes of a side.
template <typename Visit>
void for_each_node(const Model& model, const Side& side, Visit&& visit) {
  const ElasticSystem& system = system_of(model, model.subsystems()[at(side.subsystem)]);
  for (std::size_t k = 0; k < side.nodes.size() && side.nodes[k] >= 0; ++k) {
    visit(system.nodes[at(side.nodes[k])], side.weights[k]);
  }
}

template <typename Visit>
void for_each_elastic(const Model& model, Visit&& visit) {
  if (model.elastic_systems().empty()) return;
  for (const Subsystem& subsystem : model.subsystems()) {
    if (subsystem.kind == SubsystemKind::Elastic) visit(subsystem);
  }
}

}  // namespace

double elastic_theta(const ThetaRule& rule, const ElasticState& state) { return state.at_end ? 0 : rule.theta; }

void node_velocities(const Model& model, const Subsystem& subsystem, std::span<const double> v,
                     std::span<const Motion> link_velocity, const DynamicsData& data, std::span<double> out) {
  const std::vector<ElasticNode>& nodes = system_of(model, subsystem).nodes;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const ElasticNode& node = nodes[n];
    const int first = model.topology()->dof_begin(node.link);
    const double* own = v.data() + first;
    const Pose& pose = data.link_pose[at(node.link)];
    Vec3 velocity;
    switch (node.kind) {
      case ElasticNode::Kind::Point:
        for (int k = 0; k < 3; ++k) velocity += data.tree.subspace[at(first + k)].linear * own[k];
        break;
      case ElasticNode::Kind::Linear: {
        const Vec3 turn = pose.rotation * Vec3::from(own + 3);
        velocity = Vec3::from(own) + cross(turn, data.link_com[at(node.link)] - pose.position);
        break;
      }
      case ElasticNode::Kind::Angular: velocity = pose.rotation * Vec3::from(own + 3); break;
      case ElasticNode::Kind::Carried:
        velocity =
            velocity_at(link_velocity[at(node.link)], node_point(node, data) - link_reference(model, data, node.link));
        break;
    }
    velocity.store(&out[3 * n]);
  }
}

void joint_velocities(const Model& model, const Subsystem& subsystem, std::span<const double> nodes,
                      const DynamicsData& data, std::span<double> v) {
  const std::vector<ElasticNode>& of_system = system_of(model, subsystem).nodes;
  for (std::size_t n = 0; n < of_system.size(); ++n) {
    const ElasticNode& node = of_system[n];
    const int first = model.topology()->dof_begin(node.link);
    const Vec3 velocity = Vec3::from(&nodes[3 * n]);
    if (node.kind == ElasticNode::Kind::Point) {
      for (int k = 0; k < 3; ++k) v[at(first + k)] = dot(data.tree.subspace[at(first + k)].linear, velocity);
    } else if (node.kind == ElasticNode::Kind::Linear) {
      const Pose& pose = data.link_pose[at(node.link)];
      const Vec3 turn = Vec3::from(&nodes[3 * n + 3]);
      (velocity - cross(turn, data.link_com[at(node.link)] - pose.position)).store(&v[at(first)]);
      transpose_times(pose.rotation, turn).store(&v[at(first) + 3]);
    }
  }
}

void add_node_forces(const Model& model, const Subsystem& subsystem, std::span<const double> force, bool carried,
                     const DynamicsData& data, std::span<double> tau) {
  const std::vector<ElasticNode>& nodes = system_of(model, subsystem).nodes;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const ElasticNode& node = nodes[n];
    const Vec3 own = Vec3::from(&force[3 * n]);
    const int first = model.topology()->dof_begin(node.link);
    switch (node.kind) {
      case ElasticNode::Kind::Point:
        for (int k = 0; k < 3; ++k) tau[at(first + k)] += dot(data.tree.subspace[at(first + k)].linear, own);
        break;
      case ElasticNode::Kind::Linear:
        add_link_wrench(model, data, node.link, data.link_com[at(node.link)], own, Vec3::from(&force[3 * n + 3]), tau);
        break;
      case ElasticNode::Kind::Angular: break;  // with its linear node
      case ElasticNode::Kind::Carried:
        if (carried) add_link_wrench(model, data, node.link, node_point(node, data), own, {}, tau);
        break;
    }
  }
}

Vec3 side_velocity(const Model& model, const DynamicsData& data, std::span<const Motion> link_velocity,
                   const Side& side, const Vec3& point) {
  Vec3 velocity;
  if (side.subsystem < 0 && side.feature < 0) return velocity;
  const auto of_link = [&](int link, const Vec3& at_point) {
    return velocity_at(link_velocity[at(link)], at_point - link_reference(model, data, link));
  };
  if (side.feature >= 0) return of_link(side.feature, point);
  for_each_node(model, side, [&](const ElasticNode& node, double weight) {
    velocity += of_link(node.link, node_point(node, data)) * weight;
  });
  return velocity;
}

Vec3 moved_point(const Model& model, std::span<const Pose> before, std::span<const Pose> after, const Side& side,
                 const Vec3& point) {
  if (side.subsystem < 0 && side.feature < 0) return point;
  if (side.feature >= 0) {
    const Pose& pose = before[at(side.feature)];
    return after[at(side.feature)] * transpose_times(pose.rotation, point - pose.position);
  }
  Vec3 moved = point;
  for_each_node(model, side, [&](const ElasticNode& node, double weight) {
    const Vec3& own = node.kind == ElasticNode::Kind::Carried ? node.point : model.links()[at(node.link)].com;
    moved += (after[at(node.link)] * own - before[at(node.link)] * own) * weight;
  });
  return moved;
}

void multiply_damping(const ElasticSystem& system, const ElasticState& state, std::span<const double> x,
                      std::span<double> y) {
  if (system.laws->has_one_damping()) {
    if (system.laws->damping() == 0) {
      std::fill(y.begin(), y.end(), 0.0);
    } else {
      state.stiffness.multiply(x, y);
      for (double& value : y) value *= system.laws->damping();
    }
  } else {
    state.damping.multiply(x, y);
  }
  for (std::size_t n = 0; n < system.nodes.size(); ++n) {
    if (system.nodes[n].drag == 0) continue;
    for (std::size_t k = 3 * n; k < 3 * n + 3; ++k) y[k] += system.nodes[n].drag * x[k];
  }
}

void evaluate_elastic(const Model& model, std::span<const double> v, DynamicsData& data) {
  for_each_elastic(model, [&](const Subsystem& subsystem) {
    const ElasticSystem& system = system_of(model, subsystem);
    std::shared_ptr<ElasticState>& shared = data.elastic[at(subsystem.elastic)];
    if (!shared) shared = std::make_shared<ElasticState>();
    ElasticState& state = *shared;
    state.at_end = false;
    const std::size_t size = 3 * system.nodes.size();
    state.force.resize(size);
    state.velocity.resize(size);
    state.product.resize(size);
    system.laws->evaluate(data.link_pose, data.link_com, state.scratch, state.force, state.stiffness, state.damping,
                          state.parts);
    node_velocities(model, subsystem, v, data.velocity, data, state.velocity);
    multiply_damping(system, state, state.velocity, state.product);
    for (std::size_t k = 0; k < size; ++k) state.force[k] -= state.product[k];
  });
}

double elastic_turn(const Model& model, const Subsystem& subsystem, std::span<const double> v, double h,
                    std::span<const Motion> link_velocity, const DynamicsData& data) {
  const ElasticSystem& system = system_of(model, subsystem);
  ElasticState& state = *data.elastic[at(subsystem.elastic)];
  node_velocities(model, subsystem, v, link_velocity, data, state.velocity);
  const auto velocity = [&](std::size_t node) { return Vec3::from(&state.velocity[3 * node]); };
  double most = 0;
  for (std::size_t n = 0; n < system.nodes.size(); ++n) {
    if (system.nodes[n].kind == ElasticNode::Kind::Angular) most = std::max(most, h * norm(velocity(n)));
  }
  for (const int soft_body : system.soft_bodies) {
    Vec3 centre, mean;
    double count = 0, reach = 0, speed = 0;
    const auto for_each = [&](auto&& visit) {
      for (const SoftNode& node : model.soft_nodes(soft_body)) {
        if (node.node >= 0) visit(node_point(system.nodes[at(node.node)], data), velocity(at(node.node)));
      }
    };
    for_each([&](const Vec3& x, const Vec3& u) { centre += x, mean += u, ++count; });
    for_each([&](const Vec3& x, const Vec3& u) {
      reach = std::max(reach, norm(x - centre * (1 / count)));
      speed = std::max(speed, norm(u - mean * (1 / count)));
    });
    if (reach > 0) most = std::max(most, h * speed / reach);
  }
  return most;
}

void relinearise_elastic(const Model& model, const ThetaRule& rule, std::span<const Pose> link_pose,
                         std::span<const double> v, std::span<const double> after, DynamicsData& data,
                         MiddleWorkspace& middle) {
  const double h = rule.h, end = (1 - rule.theta) * (1 - rule.theta), start = rule.theta * rule.theta;
  for_each_elastic(model, [&](const Subsystem& subsystem) {
    const ElasticSystem& system = system_of(model, subsystem);
    ElasticState& state = *data.elastic[at(subsystem.elastic)];
    if (state.at_end) return;
    const std::size_t size = state.force.size();
    state.com.resize(link_pose.size());
    for (std::size_t i = 0; i < link_pose.size(); ++i) state.com[i] = link_pose[i] * model.links()[i].com;
    state.change.assign(state.force.begin(), state.force.end());
    system.laws->evaluate(link_pose, state.com, state.scratch, state.force, state.stiffness, state.damping,
                          state.parts);
    const auto add = [&](std::span<const double> of, double stiffness, double damping) {
      link_velocities(model, of, data, middle.velocity);
      node_velocities(model, subsystem, of, middle.velocity, data, state.velocity);
      state.stiffness.multiply(state.velocity, state.product);
      for (std::size_t k = 0; k < size; ++k) state.force[k] += stiffness * state.product[k];
      if (damping == 0) return;
      multiply_damping(system, state, state.velocity, state.product);
      for (std::size_t k = 0; k < size; ++k) state.force[k] += damping * state.product[k];
    };
    add(after, h * end, 0);
    add(v, -h * start, -1);
    for (std::size_t k = 0; k < size; ++k) state.change[k] = state.force[k] - state.change[k];
    add_node_forces(model, subsystem, state.change, false, data, middle.passive);
    for (double& force : state.change) force *= h;
    add_node_forces(model, subsystem, state.change, false, data, middle.impulse);
  });
}

void add_elastic_force(const Model& model, bool carried, const DynamicsData& data, std::span<double> tau) {
  for_each_elastic(model, [&](const Subsystem& subsystem) {
    add_node_forces(model, subsystem, data.elastic[at(subsystem.elastic)]->force, carried, data, tau);
  });
}

ElasticWork elastic_work(const Model& model, const ThetaRule& rule, std::span<const double> v,
                         std::span<const double> mean, std::span<const double> after, const DynamicsData& data,
                         std::span<Motion> link_velocity) {
  ElasticWork work;
  for_each_elastic(model, [&](const Subsystem& subsystem) {
    const ElasticSystem& system = system_of(model, subsystem);
    ElasticState& state = *data.elastic[at(subsystem.elastic)];
    const std::size_t size = state.force.size();
    // h D (theta v + (1-theta) v+), the impulse of damping.
    state.change.assign(size, 0.0);
    const auto set_velocities = [&](std::span<const double> of) {
      link_velocities(model, of, data, link_velocity);
      node_velocities(model, subsystem, of, link_velocity, data, state.velocity);
    };
    const auto add_damping = [&](std::span<const double> of, double share) {
      set_velocities(of);
      multiply_damping(system, state, state.velocity, state.product);
      for (std::size_t k = 0; k < size; ++k) state.change[k] += rule.h * share * state.product[k];
    };
    const double theta = elastic_theta(rule, state);
    add_damping(v, theta);
    add_damping(after, 1 - theta);
    set_velocities(mean);
    for (std::size_t k = 0; k < size; ++k) {
      work.damped += state.change[k] * state.velocity[k];
      if (system.nodes[k / 3].kind == ElasticNode::Kind::Carried) continue;
      work.middle += rule.h * state.force[k] * state.velocity[k];
    }
  });
  return work;
}

double largest_rod_turn(const DynamicsData& data) {
  double most = 0;
  for (const std::shared_ptr<ElasticState>& state : data.elastic) {
    if (state) most = std::max(most, state->scratch.rod_turn);
  }
  return most;
}

double elastic_energy(const Model& model, const DynamicsData& data) {
  double sum = 0;
  for (std::size_t i = 0; i < data.elastic.size(); ++i) {
    sum += model.elastic_systems()[i].laws->energy(data.link_pose, data.link_com, data.elastic[i]->scratch);
  }
  return sum;
}

}  // namespace uzawa
