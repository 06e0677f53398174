#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "uzawa/assembly/assembler.hpp"
#include "uzawa/collision/collider.hpp"
#include "uzawa/dynamics/integrators.hpp"
#include "uzawa/sim/second_look.hpp"
#include "uzawa/sim/sleep.hpp"
#include "uzawa/sim/stop_watch.hpp"
#include "uzawa/sim/warm_start.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa {

struct SimSettings {
  double dt = 0;                ///< s; 0: the model's own time step
  double theta = 0;             ///< 0 <= theta < 1 (ThetaRule); 0: semi-implicit Euler, 1/2: midpoint
  std::string solver = "auto";  ///< a method by name (solvers())
  /// Tolerance, threads and whatever else the method takes. solve.budget_us is what all solves of a step, and the
  /// assembly of their problems, may take together. A step is solved by its residual: the Siconos error, relative to
  /// what all bodies of an island do, is reported but not asked for.
  Settings solve;
  /// us of wall time that a step may take; what the other stages leave of it is the solver's, which then gives its best
  /// so far. 0: no limit. With a limit the result depends on the machine.
  double budget_us = 0;
  bool warm_start = true;  ///< start from the impulses of the last step
  AssemblySettings assembly;
  CollisionSettings collision;
  SleepSettings sleep;
  /// m; contacts are looked for up to this distance beyond what the bodies' velocities ask for, so that what speeds up
  /// within a step is met: h^2 times an acceleration, 0.8 mm for 200 m/s^2 at 2 ms.
  double look_ahead = 1e-3;
  /// m; where a step would end with shapes deeper in each other than this, and than at its start, it is solved again
  /// with the contacts found there (SecondLook). Less is not worth another solve: errors of position make it good in a
  /// few steps. Infinite: never.
  double second_look = 1e-3;
};

enum class StepStatus {
  Solved,          ///< to the tolerance
  Capped,          ///< iterations or time were used up; the best impulses so far were taken
  LeastViolation,  ///< the constraints contradict each other
  Relaxed,         ///< a relaxed problem is solved, as the method promises
  Failed,          ///< no finite velocities were found by any method; the state is as before the step
  Jammed           ///< overlaps could not be made good all together: solved to the tolerance with them left as they are
};
const char* to_string(StepStatus status);
/// The residual is within the tolerance.
inline bool is_solved(StepStatus status) { return status == StepStatus::Solved || status == StepStatus::Jammed; }

/// Wall time of the stages of a step, s.
struct StageTimes {
  double dynamics = 0, collision = 0, assembly = 0, solve = 0, integrate = 0;
  double total() const { return dynamics + collision + assembly + solve + integrate; }
  StageTimes& operator+=(const StageTimes& b);
};

/// What a step found and what it took.
struct StepReport {
  StepStatus status = StepStatus::Solved;
  SolveStatus solve_status = SolveStatus::Converged;  ///< the solver's own word
  int iterations = 0, inner_iterations = 0;           ///< of the hardest island; of all islands
  int islands = 0, constraints = 0;
  int contacts = 0;        ///< found, those that do not touch yet among them
  int asleep = 0;          ///< trees that the step left out
  double residual = 0;     ///< the judge's
  double siconos = 0;      ///< the judge's Siconos error
  double penetration = 0;  ///< m, deepest contact at the start of the step
  /// Solved again: for joint limits, velocities or contacts that were not expected, with another method, from nothing,
  /// or for jams.
  int resolves = 0;
  int impacts = 0;             ///< rounds of impacts; 0 without restitution
  double impact_residual = 0;  ///< the judge's on the worst of them
  StageTimes times;
};

/// A model that moves: state, memory and settings. One step is one screen: step.cpp.
class World {
 public:
  /// Throws InputError for settings that make no sense, a solver that does not exist, or shapes that are of no use.
  explicit World(Model model, SimSettings settings = {});
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  const Model& model() const { return model_; }
  const SimSettings& settings() const { return settings_; }
  double dt() const { return rule_.h; }
  const State& state() const { return state_; }
  /// Throws InputError that names the joint or actuator where a number is not finite, or the sizes are wrong. Warm
  /// starts and velocities of earlier steps are forgotten, and everybody is awake.
  void set_state(State state);

  /// Rolling wheels, skates and points that are tied together, beyond what the model says. Everybody is woken.
  void set_ties(Ties ties);
  const Ties& ties() const { return assembler_.ties(); }

  /// One step. `control`: one number an actuator, or empty for zeros; `external`: joint-space force (N, N m), or empty.
  /// Throws InputError that names the actuator or joint where a number is not finite.
  const StepReport& step(std::span<const double> control = {}, std::span<const double> external = {});
  const StepReport& report() const { return report_; }

  // -- of the last step
  /// Those of the start of the step, then those that were found at its end (SecondLook) and pushed, too: where their
  /// points are at the start, with the normals of the end.
  std::span<const Contact> contacts() const { return contacts_; }
  const Problem& problem() const { return assembler_.problem(); }
  const Result& result() const { return result_; }
  /// Of the problem's constraints: a contact has its own, others constraint_key().
  std::span<const std::uint64_t> keys() const { return assembler_.keys(); }
  const DynamicsData& data() const { return data_; }

  /// All that the next step depends on. A restored world goes on with the same bits.
  struct Snapshot {
    State state;
    std::vector<double> last_v;       ///< velocities one step earlier
    std::vector<double> last_change;  ///< how they had changed in that step
    WarmStart warm;
    Sleep::Record sleep;
    Ties ties;
  };
  Snapshot save() const { return {state_, last_v_, last_change_, warm_, sleep_.book(), assembler_.ties()}; }
  void restore(const Snapshot& snapshot);

 private:
  void check_inputs(std::span<const double> control, std::span<const double> external) const;
  std::span<const double> control_or_zeros(std::span<const double> control) const;
  void expect_change();
  void find_contacts();
  bool look_again(std::span<const double> control, std::span<const double> external);
  bool has_time_for_another() const;
  ThreadPool* collision_threads();
  void wake_sleepers(std::span<const double> control, std::span<const double> external);
  void expect_velocities();
  void pass_on_impacts(std::span<const double> control, std::span<const double> external);
  void assemble(std::span<const double> control);
  void solve(std::span<const double> control, std::span<const double> external);
  Settings solve_settings() const;
  void solve_problem();
  void accept_result();
  void solve_jams(std::span<const double> control);
  bool solves_without(std::span<const int> constraints);
  void list_violated();
  void keep_impulses(std::span<const int> but);
  bool velocities_are_finite() const;
  void write_report();

  Model model_;
  SimSettings settings_;
  ThetaRule rule_;
  const Solver& solver_;
  State state_;
  DynamicsData data_;
  IntegratorWorkspace dynamics_;
  Collider collider_;
  SecondLook second_look_;
  std::vector<Contact> contacts_;  ///< of both looks
  std::size_t first_look_ = 0;     ///< how many of them were there at the start of the step
  Assembler assembler_;
  Workspace workspace_, rescue_, impact_;
  Result result_, unjammed_;
  PreparedProblem prepared_;  ///< of a jam, for the judge
  Judge judge_;
  std::vector<int> violated_, jammed_;
  std::vector<double> kept_impulses_;
  WarmStart warm_;
  Sleep sleep_;
  StepReport report_;
  StopWatch watch_;
  std::chrono::steady_clock::time_point started_, solving_;  ///< the step, its solves
  std::vector<double> no_control_;
  std::vector<double> last_v_, last_change_;  ///< v_{k-1}, and its change in the step before
  std::vector<double> expected_v_, next_v_;   ///< v_{k+1} as expected and as found
  std::vector<Vec3> linear_, angular_;        ///< per link, for the collider's look-ahead
};

}  // namespace uzawa
