#include "simulate.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "divergence.hpp"
#include "terminal.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/dynamics/elastic.hpp"

namespace uzawa::cli {

namespace {

constexpr double kMostSteps = 2e9;  // steps are counted in an int

/// False where the run can't go on: what drives it has come to numbers that are none. Before the first step that is bad
/// input; later it is how the run ended, and what it has come to is worth telling.
bool try_step(Subject& subject, RunSummary& summary) {
  try {
    const StepReport& report = subject.step();
    summary.add(report);
    summary.rod_turn = std::max(summary.rod_turn, largest_rod_turn(subject.world().data()));
    if (report.status == StepStatus::Failed) {
      const std::string which = divergence(subject.world());
      summary.ended_by = which.empty() ? "no finite velocities were found" : which;
    } else if (report.gains) {
      summary.ended_by = fmt::format("energy has grown by {:.3g} J without a cause, more than --stop-on-gain {:g}",
                                     report.energy.gain, subject.world().settings().most_gain);
    }
    return true;
  } catch (const InputError& error) {
    if (summary.steps == 0) throw;
    const std::string which = divergence(subject.world());
    summary.ended_by = which.empty() ? error.what() : which;
    return false;
  }
}

}  // namespace

long step_count(double duration, double dt) {
  if (!(duration / dt <= kMostSteps)) {
    throw InputError("", "--time", fmt::format("{:g} s are too many steps of {:g} s", duration, dt));
  }
  return std::lround(duration / dt);
}

RunSummary simulate(Subject& subject, long steps, Recorder* recorder, std::exception_ptr& log_error) {
  RunSummary summary;
  const InterruptGuard guard;
  const World& world = subject.world();
  const double start = world.state().time;
  const auto clock_start = std::chrono::steady_clock::now();
  const auto to_log = [&](auto&& write) {
    try {
      if (recorder != nullptr) write();
    } catch (const InputError&) {
      log_error = std::current_exception();
    }
  };
  {
    ProgressBar bar;
    for (long i = 0; i < steps && !InterruptGuard::interrupted() && !log_error; ++i) {
      if (!try_step(subject, summary)) break;
      to_log([&] { recorder->record(summary.steps, subject.control(), subject.external()); });
      if (!summary.ended_by.empty()) break;
      bar.show(static_cast<double>(i + 1) / static_cast<double>(steps), world.state().time);
    }
  }
  summary.wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - clock_start).count();
  summary.simulated = world.state().time - start;
  summary.interrupted = summary.steps < steps && InterruptGuard::interrupted();
  if (!log_error) to_log([&] { recorder->close(summary.interrupted); });
  return summary;
}

}  // namespace uzawa::cli
