/// Impacts with restitution, at the middle of a step and without time passing: Newton's law J_n v+ = -rho J_n v-, in
/// rounds. A round has those contacts that are hit at its start, all at once; what they set in motion hits others in
/// the next round. So a shock travels through bodies that touch, contact by contact, and the last ball of Newton's
/// cradle leaves with the speed of the first. All contacts in one problem would be another law, for which five balls of
/// equal mass leave at -0.6, 0.4, 0.4, 0.4, 0.4 of that speed: energy and momentum are kept by both, and no rigid-body
/// law knows which is right.
#include <algorithm>

#include "uzawa/sim/world.hpp"

namespace uzawa {

namespace {

constexpr int kMostRounds = 64;  // what approaches still is stopped by the step itself, without restitution

}  // namespace

void World::pass_on_impacts(std::span<const double> control, std::span<const double> external) {
  State& middle = dynamics_.middle;
  while (report_.impacts < kMostRounds && assembler_.assemble_impacts(middle, rule_, data_, contacts()) > 0) {
    solve_islands(solver_, problem(), solve_settings(), impact_, result_);
    if (!velocities_are_finite()) break;
    ++report_.impacts;
    report_.impact_residual = std::max(report_.impact_residual, result_.verdict.residual);
    assembler_.joint_velocity(data_, result_.v, middle.v);
    middle_impulse(model_, control, external, rule_, data_, dynamics_);
    find_contacts();  // other velocities, other contacts to be met within the step
    wake_sleepers(control, external);
  }
  if (report_.impacts > 0) expected_v_ = middle.v;
}

}  // namespace uzawa
