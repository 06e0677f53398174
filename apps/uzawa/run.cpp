#include <fmt/format.h>

#include "commands.hpp"
#include "simulate.hpp"
#include "terminal.hpp"

namespace uzawa::cli {

namespace {

std::unique_ptr<Recorder> make_recorder(const RunArguments& arguments, const Subject& subject, long steps) {
  if (arguments.log.empty() && arguments.html.empty() && arguments.dump_step == 0) return nullptr;
  return std::make_unique<Recorder>(arguments, subject.world(), subject.info(), steps);
}

}  // namespace

int run(const RunArguments& given) {
  RunArguments arguments = given;
  arguments.settings.solve.stop = &InterruptGuard::flag();
  const std::unique_ptr<Subject> subject = make_subject(arguments);
  const double duration = arguments.duration.value_or(subject->duration());
  const long steps = step_count(duration, subject->world().dt());
  const std::unique_ptr<Recorder> recorder = make_recorder(arguments, *subject, steps);

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
    summary.problem = arguments.dump.string();
    summary.problem_step = arguments.dump_step;
    summary.problem_written = recorder->problem_written();
  }
  const bool is_scene = scenarios::find_scene(summary.name) != nullptr;
  if (summary.interrupted || !summary.ended_by.empty()) {
    if (is_scene) summary.no_check = summary.interrupted ? "not judged: interrupted" : "not judged: the run broke off";
  } else {
    subject->judge(summary);
  }
  (arguments.json ? print_json : print_table)(summary, subject->world());
  if (log_error) std::rethrow_exception(log_error);
  if (summary.interrupted) return kInterrupted;
  const bool failed =
      !summary.ended_by.empty() || summary.count(StepStatus::Failed) > 0 || (summary.check && !summary.check->holds);
  return failed ? kFailed : kOk;
}

}  // namespace uzawa::cli
