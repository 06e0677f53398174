#pragma once

#include <span>
#include <vector>

#include "uzawa/dynamics/energy.hpp"
#include "uzawa/sim/report.hpp"

namespace uzawa {

/// Where the energy of a World comes from and goes to, step by step (energy.hpp has the formulas). Energy at the end of
/// a step needs M at the new positions, which the next step computes anyway: so a step is booked when the next one
/// starts, and the booking costs a few products.
///
/// What forces and projection do not explain is the work of constraints and the error of the rule: for soft bodies and
/// rods what implicit forces take out of vibrations. Constraints take energy; a rule that is right sways to second
/// order and comes back. So losses are booked as taken by constraints, and what counts as an unexplained gain is the
/// rise of this account above its lowest point so far.
class EnergyBook {
 public:
  /// All that the booking of the next step depends on; part of World::Snapshot.
  struct Record {
    bool open = false;               ///< a step waits for the energy at its end
    double energy = 0;               ///< J, at its start
    StepWork work;                   ///< of it
    double projected = 0;            ///< J of potential energy, by its projection
    double account = 0, lowest = 0;  ///< J, of the unexplained: the sum before it, and the least so far
  };
  const Record& record() const { return record_; }
  void set_record(const Record& record) { record_ = record; }
  /// The state has been set from outside.
  void forget() { record_ = {}; }

  /// After start_step: the energy at the start of this step, and the balance of the step before. A step that was
  /// started may be started again.
  EnergyReport start(const StartEnergy& energy, std::span<const double> v);
  /// Joint velocities at the start of this step.
  std::span<const double> start_v() const { return start_v_; }
  /// At the end of this step, before its projection. No work: where it has failed, and the state stays.
  void finish(const StepWork& work);
  void add_projected(double energy) { record_.projected += energy; }

 private:
  Record record_, next_;
  std::vector<double> start_v_;
};

}  // namespace uzawa
