#include "uzawa/sim/impulse_shares.hpp"

#include <algorithm>

#include "uzawa/base/at.hpp"
#include "uzawa/dynamics/elastic.hpp"
#include "uzawa/dynamics/kinematics.hpp"

namespace uzawa {

namespace {

constexpr double kLasting = 0.5;  // c of a force that lasts

}  // namespace

ImpulseShares::ImpulseShares(const Model& model)
    : model_(model),
      island_of_(model.subsystems().size()),
      by_dof_(at(model.nv())),
      free_v_(at(model.nv())),
      kick_v_(at(model.nv())),
      free_(model.links().size()),
      kick_(model.links().size()) {}

/// Least c with which the gap of a contact is not negative at the end of the step.
double ImpulseShares::share_of(const StepData& step, const Contact& contact, double h) const {
  const auto [side1, side2] = contact_sides(model_, contact);
  const auto rate = [&](std::span<const Motion> velocity) {
    return dot(contact.normal, side_velocity(model_, step.dynamics, velocity, side2, contact.position) -
                                   side_velocity(model_, step.dynamics, velocity, side1, contact.position));
  };
  const double without = std::max(0.0, contact.gap) / h + rate(free_), kick = rate(kick_);
  return kick > 0 ? std::clamp(-without / kick, kLasting, 1.0) : kLasting;
}

void ImpulseShares::find(const StepData& step, const Problem& problem, const SmoothEnd& smooth, double h) {
  std::fill(by_dof_.begin(), by_dof_.end(), 0.0);
  smooth.mean_velocity(step.next_v, by_dof_, free_v_);
  for (std::size_t d = 0; d < kick_v_.size(); ++d) kick_v_[d] = step.next_v[d] - smooth.velocity()[d];
  link_velocities(model_, free_v_, step.dynamics, free_);
  link_velocities(model_, kick_v_, step.dynamics, kick_);

  split_.split(problem);
  by_island_.assign(at(split_.count()), kLasting);
  std::fill(island_of_.begin(), island_of_.end(), -1);
  for (int i = 0; i < split_.count(); ++i) {
    for (const int block : split_.island(i).blocks) island_of_[at(block)] = i;
  }
  for (const Contact& contact : step.contacts) {
    const auto [side1, side2] = contact_sides(model_, contact);
    const int subsystem = side1.subsystem >= 0 ? side1.subsystem : side2.subsystem;
    const int island = subsystem < 0 ? -1 : island_of_[at(subsystem)];
    if (island < 0) continue;
    by_island_[at(island)] = std::max(by_island_[at(island)], share_of(step, contact, h));
  }
  for (int d = 0; d < model_.nv(); ++d) {
    const int island = island_of_[at(model_.dof_subsystem(d))];
    by_dof_[at(d)] = island < 0 ? kLasting : by_island_[at(island)];
  }
}

}  // namespace uzawa
