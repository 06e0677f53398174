#pragma once

#include <span>
#include <vector>

#include "uzawa/dynamics/data.hpp"
#include "uzawa/problem/problem.hpp"

namespace uzawa {

/// How a Model's kinematic trees become the blocks of a Problem. A body that flies freely is a FreeBody block, whose
/// dofs are the velocity of its centre of mass and its angular velocity in world axes; its joint has the velocity of
/// the frame's origin, and the angular velocity in body axes. Every other tree is a Tree block with the joints' own
/// dofs. A free body whose joint has armature, springs, friction or actuators is such a tree, too: all that is stated
/// along the joint's own dofs.
class SystemMap {
 public:
  explicit SystemMap(const Model& model);

  /// The blocks, once: sizes and topology. `update` fills them in.
  void build_blocks(Problem& problem) const;
  /// A = scale M + diag(diagonal) and b of a step, from the dynamics' joint-space form.
  void update(const DynamicsData& data, double scale, std::span<const double> diagonal, std::span<const double> b,
              Problem& problem) const;
  /// Joint velocities of a solution.
  void joint_velocity(const DynamicsData& data, std::span<const double> v, std::span<double> joint_v) const;

  int link_block(int link) const { return link_block_[static_cast<std::size_t>(link)]; }
  /// Number of a link or dof within its block.
  int local_link(int link) const { return local_link_[static_cast<std::size_t>(link)]; }
  int local_dof(int dof) const { return local_dof_[static_cast<std::size_t>(dof)]; }
  int dof_block(int dof) const { return dof_block_[static_cast<std::size_t>(dof)]; }
  bool is_free_body(int block) const { return trees_[static_cast<std::size_t>(block)].kind == BlockKind::FreeBody; }

  /// Coefficients along the six dofs of a free body's joint, along those of its block instead.
  void to_free_body(const DynamicsData& data, int block, const double joint[6], double body[6]) const;

 private:
  /// Block k of the Problem is tree k of the Model.
  struct Tree {
    BlockKind kind = BlockKind::Tree;
    int index = 0;                 ///< into Problem::bodies or trees
    int offset = 0;                ///< first dof in the Problem's v
    std::vector<int> links, dofs;  ///< of the Model, in the block's order
    std::shared_ptr<const TreeTopology> topology;
  };

  void list_trees(const Model& model);
  std::vector<Tree> trees_;
  std::vector<int> link_block_, local_link_, local_dof_, dof_block_;
};

}  // namespace uzawa
