/// Impacts with restitution, at the middle of a step and without time passing: Newton's law in
/// rounds, to second order (write_impacts). A round has those contacts that are hit at its start, all at once; what
/// they set in motion hits others in the next round. So a shock travels through bodies that touch, contact by contact,
/// and the last ball of Newton's cradle leaves with the speed of the first. All contacts in one problem would be
/// another law, for which five balls of equal mass leave at -0.6, 0.4, 0.4, 0.4, 0.4 of that speed: energy and momentum
/// are kept by both, and no rigid-body law knows which is right.
#include <algorithm>

#include "uzawa/sim/world.hpp"

namespace uzawa {

namespace {

constexpr int kMostRounds = 64;  // what approaches still is stopped by the step itself, without restitution

}  // namespace

void World::pass_on_impacts() {
  StepReport& report = step_.report;
  const auto assemble_round = [&] {
    return assembler_.assemble_impacts(step_.middle, step_.control, step_.external, rule_, step_.dynamics, contacts());
  };
  while (report.impacts < kMostRounds && assemble_round() > 0) {
    solve_islands(solver_, problem(), solve_settings(), impact_, step_.result);
    if (!velocities_are_finite()) break;
    ++report.impacts;
    report.impact_residual = std::max(report.impact_residual, step_.result.verdict.residual);
    assembler_.joint_velocity(step_.dynamics, step_.result.v, step_.next_v);
    jump_in_middle(model_, step_.next_v, step_.control, step_.external, rule_, step_.dynamics, step_.middle);
    collide();  // other velocities, other contacts to be met within the step
    wake_sleepers();
  }
}

}  // namespace uzawa
