#include "uzawa/assembly/subsystem_block.hpp"

#include <map>
#include <utility>

#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

/// Topologies of trees; equal ones are made once.
class TopologyPool {
 public:
  std::shared_ptr<const TreeTopology> get(const Model& model, const Subsystem& subsystem) {
    const TreeTopology& whole = *model.topology();
    std::vector<int> parents, dofs;
    for (const int link : subsystem.links) {
      const int above = whole.link_parent(link);
      parents.push_back(above < 0 ? -1 : model.local_link(above));
      dofs.push_back(whole.dof_begin(link + 1) - whole.dof_begin(link));
    }
    std::shared_ptr<const TreeTopology>& known = made_[{parents, dofs}];
    if (known == nullptr) known = std::make_shared<const TreeTopology>(parents, dofs);
    return known;
  }

 private:
  std::map<std::pair<std::vector<int>, std::vector<int>>, std::shared_ptr<const TreeTopology>> made_;
};

}  // namespace

SubsystemBlocks::SubsystemBlocks(const Model& model) : model_(model) {
  TopologyPool topologies;
  int bodies = 0, trees = 0, nodal = 0, offset = 0;
  for (const Subsystem& subsystem : model.subsystems()) {
    BlockPlace place{static_cast<int>(blocks_.size()), 0, offset};
    switch (subsystem.kind) {
      case SubsystemKind::FreeBody:
        place.index = bodies++;
        blocks_.push_back(make_free_body_block(model, place));
        break;
      case SubsystemKind::Tree:
        place.index = trees++;
        blocks_.push_back(make_tree_block(model, place, topologies.get(model, subsystem)));
        break;
      case SubsystemKind::Elastic:
        place.index = nodal++;
        blocks_.push_back(make_elastic_block(model, place));
        break;
    }
    offset += blocks_.back()->size();
  }
}

}  // namespace uzawa
