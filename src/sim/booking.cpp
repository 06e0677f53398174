/// What a step tells the EnergyBook.
#include "uzawa/dynamics/elastic.hpp"
#include "uzawa/dynamics/newton_euler.hpp"
#include "uzawa/sim/world.hpp"

namespace uzawa {

void World::open_book() {
  if (!settings_.book_energy) return;
  EnergyReport& energy = step_.report.energy;
  const State& state = step_.middle.state;
  StartEnergy start;
  if (smooth_) {  // velocities are those of the position
    start = {kinetic_energy(model_, state.v, step_.dynamics),
             potential_energy(model_, step_.dynamics) + spring_energy(model_, state.q, step_.dynamics)};
  } else {
    start = start_energy(model_, rule_.h, step_.dynamics, step_.middle);
  }
  energy = book_.start(start, state.v);
  step_.report.gains = energy.gain > settings_.most_gain;
}

void World::book_work() {
  if (!settings_.book_energy) return;
  // Displacements before and after the kick, over h.
  const std::span<const double> before = book_.start_v(), after = step_.next_v;
  for (std::size_t d = 0; d < after.size(); ++d) {
    step_.mean_v[d] = smooth_ ? step_.drift_v[d] : 0.5 * (before[d] + after[d]);
  }
  StepWork work =
      middle_work(model_, step_.mean_v, step_.external, rule_.h, step_.dynamics, step_.middle, step_.middle.force);
  work.external += assembler_.mocap_work(step_.result.lambda);
  const Assembler::EndWork end =
      assembler_.end_work(step_.middle.state, step_.control, rule_, step_.dynamics, step_.mean_v, after);
  work.actuators += end.servos;
  work.damped -= end.passive;
  const ElasticWork elastic =
      elastic_work(model_, rule_, step_.middle.state.v, step_.mean_v, after, step_.dynamics, step_.middle.velocity);
  work.damped += elastic.middle + elastic.damped;  // the first is potential energy, booked as passive above
  book_.finish(work);
}

}  // namespace uzawa
