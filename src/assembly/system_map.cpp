#include "uzawa/assembly/system_map.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <utility>

#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

bool has_actuator(const Model& model, int joint) {
  const std::vector<ActuatorSpec>& actuators = model.spec().actuators;
  return std::any_of(actuators.begin(), actuators.end(), [&](const ActuatorSpec& a) {
    return a.transmission != Transmission::Tendon && a.target == joint;
  });
}

/// One link that moves by a free joint, with nothing that is stated along the joint's dofs.
bool flies_freely(const Model& model, std::span<const int> links) {
  if (links.size() != 1) return false;
  const Link& link = model.links()[at(links[0])];
  if (link.joint_end - link.joint_begin != 1) return false;
  const JointSpec& joint = model.spec().joints[at(link.joint_begin)];
  return joint.type == JointType::Free && joint.armature == 0 && joint.damping == 0 && joint.stiffness == 0 &&
         joint.friction_loss == 0 && !has_actuator(model, link.joint_begin);
}

}  // namespace

SystemMap::SystemMap(const Model& model)
    : link_block_(model.links().size()),
      local_link_(model.links().size()),
      local_dof_(at(model.nv())),
      dof_block_(at(model.nv())) {
  list_trees(model);
  // Robots of one kind share their topology: by that SubADMM knows which trees it can take four at a time.
  std::map<std::pair<std::vector<int>, std::vector<int>>, std::shared_ptr<const TreeTopology>> topologies;
  int bodies = 0, trees = 0, offset = 0;
  for (Tree& tree : trees_) {
    tree.kind = flies_freely(model, tree.links) ? BlockKind::FreeBody : BlockKind::Tree;
    tree.index = tree.kind == BlockKind::FreeBody ? bodies++ : trees++;
    tree.offset = offset;
    offset += static_cast<int>(tree.dofs.size());
    std::vector<int> parent, dofs;
    for (const int link : tree.links) {
      const int above = model.topology()->link_parent(link);
      parent.push_back(above < 0 ? -1 : local_link(above));
      dofs.push_back(model.topology()->dof_begin(link + 1) - model.topology()->dof_begin(link));
    }
    std::shared_ptr<const TreeTopology>& known = topologies[{parent, dofs}];
    if (known == nullptr) known = std::make_shared<const TreeTopology>(parent, dofs);
    tree.topology = known;
  }
}

void SystemMap::list_trees(const Model& model) {
  const TreeTopology& topology = *model.topology();
  trees_.resize(at(topology.trees()));
  for (int link = 0; link < topology.links(); ++link) {
    const int block = topology.link_tree(link);
    Tree& tree = trees_[at(block)];
    link_block_[at(link)] = block;
    local_link_[at(link)] = static_cast<int>(tree.links.size());
    tree.links.push_back(link);
    for (int d = topology.dof_begin(link); d < topology.dof_begin(link + 1); ++d) {
      dof_block_[at(d)] = block;
      local_dof_[at(d)] = static_cast<int>(tree.dofs.size());
      tree.dofs.push_back(d);
    }
  }
}

void SystemMap::build_blocks(Problem& problem) const {
  for (const Tree& tree : trees_) {
    if (tree.kind == BlockKind::FreeBody) {
      problem.add_body({}, {});
    } else {
      problem.add_tree(TreeInertia(tree.topology), std::vector<double>(tree.dofs.size()));
    }
  }
}

void SystemMap::update(const DynamicsData& data, double scale, std::span<const double> diagonal,
                       std::span<const double> b, Problem& problem) const {
  const auto scaled_inertia = [&](int link) -> SpatialInertia {
    const SpatialInertia& m = data.tree.inertia[at(link)];
    return {m.mass * scale, m.first * scale, m.rotational * scale};
  };
  for (std::size_t t = 0; t < trees_.size(); ++t) {
    const Tree& tree = trees_[t];
    double* block_b = problem.b.data() + tree.offset;
    if (tree.kind == BlockKind::FreeBody) {
      problem.bodies[at(tree.index)] = scaled_inertia(tree.links[0]);
      to_free_body(data, static_cast<int>(t), &b[at(tree.dofs[0])], block_b);
      continue;
    }
    TreeInertia& to = problem.trees[at(tree.index)];
    for (std::size_t i = 0; i < tree.links.size(); ++i) to.inertia[i] = scaled_inertia(tree.links[i]);
    for (std::size_t i = 0; i < tree.dofs.size(); ++i) {
      const std::size_t d = at(tree.dofs[i]);
      to.subspace[i] = data.tree.subspace[d];
      to.diagonal[i] = scale * data.tree.diagonal[d] + diagonal[d];
      block_b[i] = b[d];
    }
  }
}

void SystemMap::to_free_body(const DynamicsData& data, int block, const double joint[6], double body[6]) const {
  // The power of a covector is the same in both coordinates, with v_origin = v_com - w x r and r from origin to com.
  const std::size_t link = at(trees_[at(block)].links[0]);
  const Pose& pose = data.link_pose[link];
  const Vec3 linear = Vec3::from(joint), r = data.link_com[link] - pose.position;
  linear.store(body);
  (pose.rotation * Vec3::from(joint + 3) - cross(r, linear)).store(body + 3);
}

void SystemMap::joint_velocity(const DynamicsData& data, std::span<const double> v, std::span<double> joint_v) const {
  for (const Tree& tree : trees_) {
    const double* block_v = v.data() + tree.offset;
    if (tree.kind == BlockKind::FreeBody) {
      const std::size_t link = at(tree.links[0]);
      const Pose& pose = data.link_pose[link];
      const Vec3 w = Vec3::from(block_v + 3), r = data.link_com[link] - pose.position;
      double* to = &joint_v[at(tree.dofs[0])];
      (Vec3::from(block_v) - cross(w, r)).store(to);
      transpose_times(pose.rotation, w).store(to + 3);
      continue;
    }
    for (std::size_t i = 0; i < tree.dofs.size(); ++i) joint_v[at(tree.dofs[i])] = block_v[i];
  }
}

}  // namespace uzawa
