#include "uzawa/dynamics/data.hpp"

#include <algorithm>

#include "uzawa/dynamics/kinematics.hpp"

namespace uzawa {

DynamicsData::DynamicsData(const Model& model)
    : link_pose(model.links().size()),
      link_com(model.links().size()),
      reference(static_cast<std::size_t>(model.topology()->trees())),
      joint_anchor(model.joint_frames().size()),
      joint_axis(model.joint_frames().size()),
      tree(model.topology()),
      mass(model.topology()),
      mass_factor(model.topology()),
      velocity(model.links().size()),
      tendon_length(model.spec().tendons.size()),
      tendon_jacobian(model.spec().tendons.size()),
      actuator_length(model.spec().actuators.size()),
      actuator_jacobian(model.spec().actuators.size()),
      actuator_force(model.spec().actuators.size()),
      tendon_force(model.spec().tendons.size()),
      joint_saturated(model.spec().joints.size()),
      elastic(model.elastic_systems().size()),
      composite(model.links().size()),
      acceleration(model.links().size()),
      force(model.links().size()),
      dof_scratch(static_cast<std::size_t>(model.nv())),
      augmented(model.topology()),
      articulated(model.topology()) {
  std::copy(model.armature().begin(), model.armature().end(), tree.diagonal.begin());
  for (std::size_t t = 0; t < tendon_jacobian.size(); ++t) {
    tendon_jacobian[t] = model.spec().tendons[t].coefficients;
    tendon_jacobian[t].resize(model.tendon_dofs(static_cast<int>(t)).size());
  }
  for (int a = 0; a < model.nu(); ++a) {
    actuator_jacobian[static_cast<std::size_t>(a)].resize(model.actuator_dofs(a).size());
  }
  const std::size_t mocap = model.mocap_bodies().size();
  mocap_pose.resize(mocap);
  mocap_velocity.resize(mocap);
  mocap_end_velocity.resize(mocap);
  place_mocap(model, model.reference_state(), *this);
}

}  // namespace uzawa
