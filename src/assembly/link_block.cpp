#include "uzawa/assembly/link_block.hpp"

#include "uzawa/base/at.hpp"

namespace uzawa {

LinkBlock::LinkBlock(const Model& model, const BlockPlace& place)
    : model_(model),
      subsystem_(model.subsystems()[at(place.block)]),
      place_(place),
      tree_(model.topology()->link_tree(subsystem_.links[0])) {
  for (const ElasticSystem& system : model.elastic_systems()) {
    for (const ElasticNode& node : system.nodes) {
      if (node.mass > 0 && model.link_subsystem(node.link) == place.block) nodes_.push_back(&node);
    }
  }
}

SpatialInertia LinkBlock::own_inertia(const DynamicsData& data, int link) const {
  SpatialInertia inertia = data.tree.inertia[at(link)];
  for (const ElasticNode* node : nodes_) {
    if (node->link != link) continue;
    inertia.add_point_mass(-node->mass, data.link_pose[at(link)] * node->point - data.reference[at(tree_)]);
  }
  return inertia;
}

Vec3 LinkBlock::attach_point(const DynamicsData& data, const Side& side, const Vec3& point, const Mat3& frame,
                             double sign, Attachment& out) const {
  out.kind = AttachmentKind::LinkPoint;
  out.block = place_.block;
  out.link = model_.local_link(side.feature);
  out.point = point - data.reference[at(tree_)];
  out.frame = frame;
  out.sign = sign;
  return velocity_at(data.velocity[at(side.feature)], out.point);
}

bool LinkBlock::attach_turn(const Side& side, const Mat3& frame, double sign, Attachment& out) const {
  out.kind = AttachmentKind::LinkTurn;
  out.block = place_.block;
  out.link = model_.local_link(side.feature);
  out.frame = frame;
  out.sign = sign;
  return true;
}

Vec3 LinkBlock::point_velocity(const DynamicsData& data, const Side& side, const Attachment& attached,
                               std::span<const double> state_v) const {
  const int last = model_.topology()->last_dof(side.feature);
  if (last < 0) return {};
  Motion motion;
  for (const int dof : model_.topology()->path(last)) motion = motion + data.tree.subspace[at(dof)] * state_v[at(dof)];
  return velocity_at(motion, attached.point);
}

}  // namespace uzawa
