#include "uzawa/sim/sleep.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "uzawa/base/at.hpp"

namespace uzawa {

Sleep::Sleep(const Model& model, const SleepSettings& settings)
    : model_(model),
      settings_(settings),
      asleep_(at(model.topology()->trees())),
      dof_tree_(at(model.nv())),
      restless_(asleep_.size()),
      island_(asleep_.size()),
      disturbed_(asleep_.size()) {
  book_.rested.resize(asleep_.size());
  book_.group.assign(asleep_.size(), -1);
  book_.control.resize(at(model.nu()));
  book_.external.resize(at(model.nv()));
  const TreeTopology& topology = *model.topology();
  for (int link = 0; link < topology.links(); ++link) {
    for (int d = topology.dof_begin(link); d < topology.dof_begin(link + 1); ++d) {
      dof_tree_[at(d)] = topology.link_tree(link);
    }
  }
  list_actuated_trees();
}

void Sleep::list_actuated_trees() {
  for (const ActuatorSpec& actuator : model_.spec().actuators) {
    std::vector<int>& trees = actuator_trees_.emplace_back();
    if (actuator.transmission == Transmission::Tendon) {
      for (const int dof : model_.tendon_dofs(actuator.target)) trees.push_back(dof_tree_[at(dof)]);
    } else {
      trees.push_back(dof_tree_[at(model_.joint_v(actuator.target))]);
    }
    if (actuator.dynamics == ActuatorDynamics::None) continue;
    for (const int tree : trees) restless_[at(tree)] = 1;
  }
}

void Sleep::set_book(const Record& book) {
  book_ = book;
  refresh();
}

void Sleep::wake_all() {
  std::fill(book_.rested.begin(), book_.rested.end(), 0.0);
  std::fill(book_.group.begin(), book_.group.end(), -1);
  refresh();
}

void Sleep::refresh() {
  count_ = 0;
  for (std::size_t t = 0; t < asleep_.size(); ++t) {
    asleep_[t] = book_.group[t] >= 0 ? 1 : 0;
    count_ += asleep_[t];
  }
}

void Sleep::wake_group_of(int tree) {
  const int group = book_.group[at(tree)];
  if (group < 0) return;
  for (std::size_t t = 0; t < book_.group.size(); ++t) {
    if (book_.group[t] != group) continue;
    book_.group[t] = -1;
    book_.rested[t] = 0;
  }
}

void Sleep::wake(std::span<const Contact> contacts, std::span<const double> control, std::span<const double> external) {
  for (std::size_t a = 0; a < control.size(); ++a) {
    if (control[a] == book_.control[a]) continue;
    for (const int tree : actuator_trees_[a]) wake_group_of(tree);
    book_.control[a] = control[a];
  }
  for (std::size_t d = 0; d < book_.external.size(); ++d) {
    const double force = external.empty() ? 0 : external[d];
    if (force == book_.external[d]) continue;
    wake_group_of(dof_tree_[d]);
    book_.external[d] = force;
  }
  while (wake_touched(contacts)) {
  }
  refresh();
}

bool Sleep::wake_touched(std::span<const Contact> contacts) {
  bool any = false;
  for (const Contact& contact : contacts) {
    const int link1 = model_.geom_link(contact.geom1), link2 = model_.geom_link(contact.geom2);
    if (link1 < 0 || link2 < 0) continue;
    const int tree1 = model_.topology()->link_tree(link1), tree2 = model_.topology()->link_tree(link2);
    if (is_asleep(tree1) == is_asleep(tree2)) continue;
    wake_group_of(tree1);
    wake_group_of(tree2);
    any = true;
  }
  return any;
}

int Sleep::island_of(int tree) {
  while (island_[at(tree)] != tree) tree = island_[at(tree)] = island_[at(island_[at(tree)])];
  return tree;
}

void Sleep::join_islands(const Problem& problem) {
  std::iota(island_.begin(), island_.end(), 0);
  for (std::size_t c = 0; c + 1 < problem.attachment_start.size(); ++c) {
    const int begin = problem.attachment_start[c], end = problem.attachment_start[c + 1];
    for (int k = begin + 1; k < end; ++k) {  // block k of the problem is tree k of the model
      const int a = island_of(problem.attachments[at(begin)].block), b = island_of(problem.attachments[at(k)].block);
      island_[at(std::max(a, b))] = std::min(a, b);
    }
  }
}

void Sleep::put_to_sleep(const Problem& problem, double dt, std::span<double> v) {
  for (double& rested : book_.rested) rested += dt;
  for (std::size_t d = 0; d < v.size(); ++d) {
    const std::size_t tree = at(dof_tree_[d]);
    if (!(std::abs(v[d]) < settings_.speed) || restless_[tree] != 0) book_.rested[tree] = 0;
  }
  join_islands(problem);
  std::fill(disturbed_.begin(), disturbed_.end(), 0);
  const int trees = static_cast<int>(island_.size());
  for (int t = 0; t < trees; ++t) {
    if (book_.rested[at(t)] < settings_.time) disturbed_[at(island_of(t))] = 1;
  }
  for (int t = 0; t < trees; ++t) {
    if (!is_asleep(t) && disturbed_[at(island_of(t))] == 0) book_.group[at(t)] = island_of(t);
  }
  refresh();
  for (std::size_t d = 0; d < v.size(); ++d) {
    if (is_asleep(dof_tree_[d])) v[d] = 0;
  }
}

}  // namespace uzawa
