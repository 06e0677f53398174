#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <exception>

#include "commands.hpp"
#include "recorder.hpp"
#include "run_summary.hpp"
#include "subject.hpp"
#include "terminal.hpp"
#include "uzawa/base/error.hpp"

namespace uzawa::cli {

namespace {

constexpr double kMostSteps = 2e9;  // steps are counted in an int

std::unique_ptr<Recorder> make_recorder(const RunArguments& arguments, const Subject& subject) {
  if (arguments.log.empty() && arguments.html.empty()) return nullptr;
  return std::make_unique<Recorder>(arguments, subject.world(), subject.info());
}

long step_count(double duration, double dt) {
  if (!(duration / dt <= kMostSteps)) {
    throw InputError("", "--time", fmt::format("{:g} s are too many steps of {:g} s", duration, dt));
  }
  return std::lround(duration / dt);
}

/// Steps until the end, Ctrl-C or a step that fails; `log_error` gets what is wrong with the log, which also ends it.
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
      const StepReport& report = subject.step();
      summary.add(report);
      to_log([&] { recorder->record(summary.steps, subject.control(), subject.external()); });
      if (report.status == StepStatus::Failed) break;
      bar.show(static_cast<double>(i + 1) / static_cast<double>(steps), world.state().time);
    }
  }
  summary.wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - clock_start).count();
  summary.simulated = world.state().time - start;
  summary.interrupted = summary.steps < steps && InterruptGuard::interrupted();
  if (!log_error) to_log([&] { recorder->close(summary.interrupted); });
  return summary;
}

}  // namespace

int run(const RunArguments& arguments) {
  const std::unique_ptr<Subject> subject = make_subject(arguments);
  const double duration = arguments.duration.value_or(subject->duration());
  const long steps = step_count(duration, subject->world().dt());
  const std::unique_ptr<Recorder> recorder = make_recorder(arguments, *subject);

  std::exception_ptr log_error;
  RunSummary summary = simulate(*subject, steps, recorder.get(), log_error);
  summary.name = arguments.model.string();
  summary.parameters = subject->parameters();
  summary.seed = arguments.seed;
  if (recorder && !log_error) {
    summary.log = arguments.log.string();
    summary.frames = recorder->log_frames();
    summary.replay = arguments.html.string();
    summary.replay_frames = recorder->replay_frames();
  }
  if (summary.interrupted) {
    summary.no_check = "not judged: interrupted";
  } else {
    subject->judge(summary);
  }
  (arguments.json ? print_json : print_table)(summary, subject->world());
  if (log_error) std::rethrow_exception(log_error);
  if (summary.interrupted) return kInterrupted;
  const bool failed = summary.count(StepStatus::Failed) > 0 || (summary.check && !summary.check->holds);
  return failed ? kFailed : kOk;
}

int list_scenes(bool parameters) {
  for (const scenarios::Description& scene : scenarios::scenes()) {
    fmt::print("{:<16} {}\n", scene.name, scene.summary);
    if (!parameters) continue;
    fmt::print("    {:g} s in steps of {:g} s\n", scene.duration, scene.dt);
    for (const scenarios::Parameter& p : scene.parameters)
      fmt::print("    {:<12} {:<8g} {}\n", p.name, p.value, p.about);
  }
  return kOk;
}

}  // namespace uzawa::cli
