#pragma once

#include <span>
#include <vector>

/// Topology of a forest of kinematic trees: parent link and degrees of freedom of each link.
namespace uzawa {

/// Immutable after construction. Links and dofs are numbered so that a parent comes before its children and the
/// dofs of a link are consecutive; the dofs of a chain then form a nested list of ancestors, which is all that the
/// tree-structured matrix needs.
class TreeTopology {
 public:
  TreeTopology() = default;
  /// `link_parent[i]` < i, or -1 for a link on the ground; `link_dofs[i]` >= 0 dofs of link i.
  /// Throws InputError where that does not hold.
  TreeTopology(std::vector<int> link_parent, const std::vector<int>& link_dofs);

  int links() const { return static_cast<int>(link_parent_.size()); }
  int dofs() const { return static_cast<int>(dof_parent_.size()); }
  int trees() const { return static_cast<int>(tree_root_.size()); }

  /// Parent link, -1: the ground.
  int link_parent(int link) const { return link_parent_[to_size(link)]; }
  /// Dofs of a link: [dof_begin(link), dof_begin(link + 1)).
  int dof_begin(int link) const { return dof_begin_[to_size(link)]; }
  /// Tree of a link; a tree is a link on the ground with all its descendants.
  int link_tree(int link) const { return link_tree_[to_size(link)]; }
  /// Root link of a tree.
  int tree_root(int tree) const { return tree_root_[to_size(tree)]; }
  int dof_link(int dof) const { return dof_link_[to_size(dof)]; }
  /// The dof above in the same tree, -1: none.
  int dof_parent(int dof) const { return dof_parent_[to_size(dof)]; }
  /// Number of dofs on the path from the root to this dof, itself included.
  int depth(int dof) const { return depth_[to_size(dof)]; }
  /// The last dof that moves a link (its own, or its nearest moving ancestor's); -1: none does.
  int last_dof(int link) const { return last_dof_[to_size(link)]; }
  /// The path from the root to `dof`, both included, root first. The path of an ancestor is a prefix of it.
  std::span<const int> path(int dof) const {
    return {path_.data() + path_start_[to_size(dof)], static_cast<std::size_t>(depth(dof))};
  }

 private:
  static std::size_t to_size(int i) { return static_cast<std::size_t>(i); }
  void build_links(const std::vector<int>& link_dofs);
  void build_paths();

  std::vector<int> link_parent_, dof_begin_, link_tree_, last_dof_, tree_root_;
  std::vector<int> dof_link_, dof_parent_, depth_, path_start_, path_;
};

}  // namespace uzawa
