#pragma once

#include "uzawa/solver/solver.hpp"

namespace uzawa {

enum class StepStatus {
  Solved,          ///< to the tolerance
  Capped,          ///< iterations or time were used up; the best impulses so far were taken
  LeastViolation,  ///< the constraints contradict each other
  Relaxed,         ///< a relaxed problem is solved, as the method promises
  Failed           ///< no finite velocities were found by any method; the state is as before the step
};
const char* to_string(StepStatus status);
/// The residual is within the tolerance.
inline bool is_solved(StepStatus status) { return status == StepStatus::Solved; }

/// Wall time of the stages of a step, s.
struct StageTimes {
  double dynamics = 0, collision = 0, assembly = 0, solve = 0, integrate = 0;
  double total() const { return dynamics + collision + assembly + solve + integrate; }
  StageTimes& operator+=(const StageTimes& b);
};

/// Energy at the start of a step, and how the step before it led there (EnergyBook), J.
struct EnergyReport {
  double kinetic = 0, potential = 0;  ///< at the start of this step: of the momentum; of gravity and springs
  // of the step before
  double actuators = 0, external = 0;  ///< work put in; external: gravity compensation included
  double damped = 0;                   ///< taken by dampers, drag and implicit springs
  double projected = 0;                ///< potential energy added by the projection of positions
  double unexplained = 0;  ///< the rest of the balance; negative: taken by friction, impacts, limits, other constraints
  double gain = 0;         ///< by how much the sum of `unexplained` is above its lowest since the state was set
  double total() const { return kinetic + potential; }
};

/// Findings and cost of a step.
struct StepReport {
  StepStatus status = StepStatus::Solved;
  SolveStatus solve_status = SolveStatus::Converged;  ///< status of the solver
  int iterations = 0, inner_iterations = 0;           ///< of the hardest island; of all islands
  int islands = 0, constraints = 0;
  int contacts = 0;     ///< found, speculative ones included
  int asleep = 0;       ///< subsystems that the step left out
  double residual = 0;  ///< the judge's
  double siconos = 0;   ///< the judge's Siconos error
  /// Error of the problem that the method solves: the residual, or with friction polygons (lcp) that of its linear
  /// complementarity problem, scaled.
  double method_error = 0;
  double polygon_error = 0;  ///< with friction polygons that are solved: the residual, which is the polygons'; else 0
  double penetration = 0;    ///< m, deepest contact at the start of the step
  /// Further solves: for joint limits or contacts that were not expected, with another method, from a cold
  /// start.
  int resolves = 0;
  int moves = 0;               ///< of the positions, by the projection that ends the step
  double position_error = 0;   ///< m or rad, the largest that it has corrected
  double remainder = 0;        ///< m or rad, and that it has left: errors that contradict each other
  int impacts = 0;             ///< rounds of impacts; 0 without restitution
  double impact_residual = 0;  ///< largest residual of these rounds, by the judge
  EnergyReport energy;         ///< zeros without SimSettings::book_energy
  bool gains = false;          ///< energy.gain is above SimSettings::most_gain
  StageTimes times;
};

}  // namespace uzawa
