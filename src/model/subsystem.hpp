#pragma once

#include <array>
#include <vector>

namespace uzawa {

/// Kinds of things that move by themselves, coupled with each other by nothing but constraints.
enum class SubsystemKind {
  FreeBody,  ///< one link on a free joint, with no force or inertia stated along the joint's own dofs
  Tree,      ///< links on joints: a robot, a pendulum, a free body with a damped or driven joint
  Elastic    ///< nodes of soft bodies and links of rods, coupled by elastic energy (ElasticSystem)
};

/// A subsystem of a Model: one block of A. Its coordinates are entries of q and v; they need not be consecutive,
/// because the bodies of two trees may be listed in turns.
struct Subsystem {
  SubsystemKind kind = SubsystemKind::Tree;
  std::vector<int> links;   ///< ascending
  std::vector<int> joints;  ///< ascending: each has its addresses in q and v (Model::joint_q, joint_v)
  std::vector<int> dofs;    ///< ascending, entries of v: local dof k of the subsystem is dofs[k]
  int elastic = -1;         ///< of the Model's elastic systems
};

/// One side of a contact, a tie or an equality: the part of a subsystem that an impulse acts on.
struct Side {
  int subsystem = -1;  ///< of the Model; -1: the ground or a mocap body, which no impulse moves
  int feature = -1;    ///< link of the Model; -1: nodes of an elastic subsystem, or the ground
  /// Nodes of the subsystem (ElasticSystem::nodes), ascending, -1 after the last, and their shares in the motion of the
  /// point.
  std::array<int, 4> nodes{-1, -1, -1, -1};
  std::array<double, 4> weights{};
};

}  // namespace uzawa
