#include "uzawa/sim/sleep.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "uzawa/base/at.hpp"

namespace uzawa {

Sleep::Sleep(const Model& model, const SleepSettings& settings)
    : model_(model),
      settings_(settings),
      asleep_(model.subsystems().size()),
      restless_(asleep_.size()),
      island_(asleep_.size()),
      disturbed_(asleep_.size()) {
  record_.rested.resize(asleep_.size());
  record_.group.assign(asleep_.size(), -1);
  record_.control.resize(at(model.nu()));
  record_.external.resize(at(model.nv()));
  list_actuated();
}

void Sleep::list_actuated() {
  for (const ActuatorSpec& actuator : model_.spec().actuators) {
    std::vector<int>& moved = actuated_.emplace_back();
    const auto add_dofs = [&](std::span<const int> dofs) {
      for (const int dof : dofs) moved.push_back(model_.dof_subsystem(dof));
    };
    switch (actuator.transmission) {
      case Transmission::Tendon: add_dofs(model_.tendon_dofs(actuator.target)); break;
      case Transmission::Site:
      case Transmission::SliderCrank: add_dofs(model_.actuator_dofs(static_cast<int>(actuated_.size()) - 1)); break;
      case Transmission::Body:
        if (const int link = model_.body_link(actuator.target); link >= 0) moved.push_back(model_.link_subsystem(link));
        break;
      case Transmission::Joint:
      case Transmission::JointInParent: moved.push_back(model_.dof_subsystem(model_.joint_v(actuator.target))); break;
    }
    if (actuator.dynamics == ActuatorDynamics::None) continue;
    for (const int subsystem : moved) restless_[at(subsystem)] = 1;
  }
}

void Sleep::set_record(const Record& record) {
  record_ = record;
  refresh();
}

void Sleep::exchange(Record& other) {
  std::swap(record_, other);
  refresh();
}

void Sleep::wake_all() {
  std::fill(record_.rested.begin(), record_.rested.end(), 0.0);
  std::fill(record_.group.begin(), record_.group.end(), -1);
  refresh();
}

void Sleep::refresh() {
  count_ = 0;
  for (std::size_t t = 0; t < asleep_.size(); ++t) {
    asleep_[t] = record_.group[t] >= 0 ? 1 : 0;
    count_ += asleep_[t];
  }
}

void Sleep::wake_group_of(int subsystem) {
  const int group = record_.group[at(subsystem)];
  if (group < 0) return;
  for (std::size_t t = 0; t < record_.group.size(); ++t) {
    if (record_.group[t] != group) continue;
    record_.group[t] = -1;
    record_.rested[t] = 0;
  }
}

void Sleep::wake(std::span<const Contact> contacts, std::span<const double> control, std::span<const double> external) {
  for (std::size_t a = 0; a < control.size(); ++a) {
    if (control[a] == record_.control[a]) continue;
    for (const int subsystem : actuated_[a]) wake_group_of(subsystem);
    record_.control[a] = control[a];
  }
  for (std::size_t d = 0; d < record_.external.size(); ++d) {
    const double force = external.empty() ? 0 : external[d];
    if (force == record_.external[d]) continue;
    wake_group_of(model_.dof_subsystem(static_cast<int>(d)));
    record_.external[d] = force;
  }
  while (wake_touched(contacts)) {
  }
  refresh();
}

bool Sleep::wake_touched(std::span<const Contact> contacts) {
  bool any = false;
  for (const Contact& contact : contacts) {
    const auto [first, second] = contact_sides(model_, contact);
    if (first.subsystem < 0 || second.subsystem < 0) continue;
    if (is_asleep(first.subsystem) == is_asleep(second.subsystem)) continue;
    wake_group_of(first.subsystem);
    wake_group_of(second.subsystem);
    any = true;
  }
  return any;
}

int Sleep::island_of(int subsystem) {
  while (island_[at(subsystem)] != subsystem) subsystem = island_[at(subsystem)] = island_[at(island_[at(subsystem)])];
  return subsystem;
}

void Sleep::join_islands(const Problem& problem) {
  std::iota(island_.begin(), island_.end(), 0);
  for (std::size_t c = 0; c + 1 < problem.attachment_start.size(); ++c) {
    const int begin = problem.attachment_start[c], end = problem.attachment_start[c + 1];
    for (int k = begin + 1; k < end; ++k) {  // block k of the problem is subsystem k
      const int a = island_of(problem.attachments[at(begin)].block), b = island_of(problem.attachments[at(k)].block);
      island_[at(std::max(a, b))] = std::min(a, b);
    }
  }
}

void Sleep::put_to_sleep(const Problem& problem, double dt, std::span<double> v) {
  for (double& rested : record_.rested) rested += dt;
  for (std::size_t d = 0; d < v.size(); ++d) {
    const std::size_t subsystem = at(model_.dof_subsystem(static_cast<int>(d)));
    if (!(std::abs(v[d]) < settings_.speed) || restless_[subsystem] != 0) record_.rested[subsystem] = 0;
  }
  join_islands(problem);
  std::fill(disturbed_.begin(), disturbed_.end(), 0);
  const int count = static_cast<int>(island_.size());
  for (int s = 0; s < count; ++s) {
    if (record_.rested[at(s)] < settings_.time) disturbed_[at(island_of(s))] = 1;
  }
  for (int s = 0; s < count; ++s) {
    if (!is_asleep(s) && disturbed_[at(island_of(s))] == 0) record_.group[at(s)] = island_of(s);
  }
  refresh();
  for (std::size_t d = 0; d < v.size(); ++d) {
    if (is_asleep(model_.dof_subsystem(static_cast<int>(d)))) v[d] = 0;
  }
}

}  // namespace uzawa
