#include "uzawa/math/tree.hpp"

#include <string>
#include <utility>

#include "uzawa/base/error.hpp"

namespace uzawa {

TreeTopology::TreeTopology(std::vector<int> link_parent, const std::vector<int>& link_dofs)
    : link_parent_(std::move(link_parent)) {
  if (link_dofs.size() != link_parent_.size()) {
    throw InputError("", "tree topology", "parents and dof counts differ in length");
  }
  for (int link = 0; link < links(); ++link) {
    if (this->link_parent(link) < -1 || this->link_parent(link) >= link) {
      throw InputError("", "link " + std::to_string(link), "its parent must come before it");
    }
    if (link_dofs[to_size(link)] < 0) throw InputError("", "link " + std::to_string(link), "negative dof count");
  }
  build_links(link_dofs);
  build_paths();
}

void TreeTopology::build_links(const std::vector<int>& link_dofs) {
  dof_begin_.assign(1, 0);
  for (int link = 0; link < links(); ++link) {
    const int parent = link_parent(link);
    if (parent < 0) tree_root_.push_back(link);
    link_tree_.push_back(parent < 0 ? trees() - 1 : link_tree(parent));
    int above = parent < 0 ? -1 : last_dof(parent);
    for (int i = 0; i < link_dofs[to_size(link)]; ++i) {
      dof_link_.push_back(link);
      dof_parent_.push_back(above);
      above = dofs() - 1;
    }
    last_dof_.push_back(above);
    dof_begin_.push_back(dofs());
  }
}

void TreeTopology::build_paths() {
  for (int dof = 0; dof < dofs(); ++dof) {
    const int parent = dof_parent(dof);
    depth_.push_back(parent < 0 ? 1 : depth(parent) + 1);
    path_start_.push_back(static_cast<int>(path_.size()));
    if (parent >= 0) {
      const std::size_t start = to_size(path_start_[to_size(parent)]);
      for (int i = 0; i < depth(parent); ++i) path_.push_back(path_[start + to_size(i)]);
    }
    path_.push_back(dof);
  }
}

}  // namespace uzawa
