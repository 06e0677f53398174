#include "uzawa/sim/energy_book.hpp"

#include <algorithm>

namespace uzawa {

EnergyReport EnergyBook::start(const StartEnergy& energy, std::span<const double> v) {
  start_v_.assign(v.begin(), v.end());
  EnergyReport report;
  report.kinetic = energy.kinetic;
  report.potential = energy.potential;
  next_ = record_;
  next_.open = true;
  next_.energy = energy.kinetic + energy.potential;
  if (!record_.open) return report;

  report.actuators = record_.work.actuators;
  report.external = record_.work.external;
  report.damped = record_.work.damped;
  report.projected = record_.projected;
  const double explained = report.actuators + report.external - report.damped + report.projected;
  report.unexplained = next_.energy - record_.energy - explained;
  next_.account += report.unexplained;
  next_.lowest = std::min(next_.lowest, next_.account);
  report.gain = next_.account - next_.lowest;
  return report;
}

void EnergyBook::finish(const StepWork& work) {
  record_ = next_;
  record_.work = work;
  record_.projected = 0;
}

}  // namespace uzawa
