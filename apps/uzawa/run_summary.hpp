#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "uzawa/scenarios/scene.hpp"
#include "uzawa/sim/world.hpp"

namespace uzawa::cli {

inline constexpr std::array kStepStatuses = {StepStatus::Solved, StepStatus::Capped, StepStatus::LeastViolation,
                                             StepStatus::Relaxed, StepStatus::Failed};

/// Where the energy of a run came from and went to, J; all but the last step, whose end no step has booked.
struct EnergySummary {
  EnergyReport first, last;            ///< of the first and the last step
  double actuators = 0, external = 0;  ///< work put in
  double damped = 0, projected = 0;    ///< taken by dampers; added by the projection of positions
  double constraints = 0;              ///< taken by constraints, and by the rule itself
  double gain = 0;                     ///< the largest unexplained gain on the way
  int gain_step = 0;                   ///< when it was reached; 0: there was none

  void add(int step, const EnergyReport& report);
};

/// Of one number a step: the median, the 99 % that a budget a step must be good for, the worst of those that are
/// finite.
struct Spread {
  static constexpr double kTail = 0.99;
  explicit Spread(std::vector<double> values);
  double median = 0, tail = 0, worst = 0;
  int worst_step = 0;  ///< from 1 on, what --dump-problem takes; of all, infinite ones included; 0: there are none
};

/// What a run leaves behind: sums and extremes over its steps.
struct RunSummary {
  std::string name;        ///< scene or file
  std::string parameters;  ///< of the scene
  std::uint64_t seed = 0;  ///< of the scene
  std::string log;         ///< file; empty: none
  int frames = 0;          ///< of the log
  std::string replay;      ///< file; empty: none
  int replay_frames = 0;
  std::string problem;  ///< file; empty: none
  int problem_step = 0;
  bool problem_written = false;  ///< the run came as far as that step
  int steps = 0;
  bool interrupted = false;
  std::string ended_by;            ///< why no further step could be taken; empty: nothing was in the way
  double simulated = 0, wall = 0;  ///< s
  StageTimes times;
  EnergySummary energy;
  std::array<int, kStepStatuses.size()> statuses{};
  double contacts = 0, iterations = 0, inner_iterations = 0, islands = 0;  ///< sums
  int most_contacts = 0, most_iterations = 0, resolves = 0;
  double penetration = 0;                     ///< m, deepest of all steps
  double rod_turn = 0;                        ///< rad, largest of all steps
  std::vector<double> residuals, step_times;  ///< of each step; residuals that are no numbers are HUGE_VAL
  std::vector<double> polygon_errors;         ///< of the steps that were solved with friction polygons
  double pivoting_error = 0;                  ///< largest of these steps
  std::optional<scenarios::Outcome> check;    ///< of a scene that ran long enough
  std::string no_check;                       ///< why a scene was not judged

  void add(const StepReport& report);
  double mean(double sum) const { return steps == 0 ? 0 : sum / steps; }
  double real_time_factor() const { return wall > 0 ? simulated / wall : 0; }
  /// Of step number `step`, from 1 on; 0: there is none.
  double residual_of(int step) const;
  /// Simulated time at the end of step number `step`, s.
  double time_of(int step, const World& world) const;
  int count(StepStatus status) const { return statuses[static_cast<std::size_t>(status)]; }
};

void print_json(const RunSummary& summary, const World& world);
void print_table(const RunSummary& summary, const World& world);

}  // namespace uzawa::cli
