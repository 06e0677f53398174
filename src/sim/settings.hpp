#pragma once

#include <limits>
#include <string>

#include "uzawa/assembly/settings.hpp"
#include "uzawa/collision/collider.hpp"
#include "uzawa/sim/sleep.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa {

/// Integration of what is smooth: all forces but the impulses of constraints.
enum class SmoothRule {
  Theta,  ///< ThetaRule: springs, dampers and servos at the end of the step, stable at any gain
  Rk4     ///< SmoothEnd: fourth-order Runge-Kutta of all but stiff dampers. Rigid models, theta 0, without sleep
};
inline constexpr const char* kSmoothRuleNames[] = {"theta", "rk4"};

struct SimSettings {
  double dt = 0;     ///< s; 0: the model's own time step
  double theta = 0;  ///< 0 <= theta < 1 (ThetaRule); 0: semi-implicit Euler, 1/2: midpoint
  SmoothRule smooth = SmoothRule::Theta;
  std::string solver = "auto";  ///< a method by name (`solvers()`)
  /// Tolerance, threads and the settings of the methods. solve.budget_us is the time that all solves of a step, and the
  /// assembly of their problems, may take together. A step is solved by its residual: the Siconos error, relative to
  /// the impulses and velocities of a whole island, is reported but not required.
  Settings solve;
  /// Newton steps; limit of the work of a solve on each island where solve.work is 0: the best iterate so far is then
  /// the answer, and the step is Capped. The same on every machine, and in proportion to the size of the island: a
  /// usual solve takes 1 to 4, a hard one 20 to 50, and the tests' scenes are solved within it. With 64 the worst
  /// solves of walls take a tenth of the time, but a quarter of the steps of limp quadrupeds stays unsolved, at up to
  /// 7e-3. 0: no limit.
  double work = 4096;
  /// us of wall time that a step may take; the solver gets the rest that the other stages leave, and then returns its
  /// best iterate. 0: no limit. With a limit the result depends on the machine.
  double budget_us = 0;
  bool warm_start = true;  ///< start from the impulses of the last step
  AssemblySettings assembly;
  CollisionSettings collision;
  SleepSettings sleep;
  /// m; contacts are looked for up to this distance beyond the reach of the bodies' velocities, for bodies that speed
  /// up within the step: h^2 times an acceleration, 0.8 mm for 200 m/s^2 at 2 ms.
  double look_ahead = 1e-3;
  /// m; a step that would end with a penetration deeper than this, and than at its start, is solved again with the
  /// contacts found there (SecondLook). Less is not worth another solve: projection removes it.
  /// Infinite: never.
  double second_look = 1e-3;
  bool book_energy = true;  ///< StepReport::energy
  /// J; an unexplained gain of energy above this is reported (StepReport::gains), for callers that stop then.
  double most_gain = std::numeric_limits<double>::infinity();
};

}  // namespace uzawa
