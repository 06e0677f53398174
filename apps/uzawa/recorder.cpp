#include "recorder.hpp"

#include <algorithm>
#include <cmath>

#include "viewer_page.hpp"

namespace uzawa::cli {

Recorder::Recorder(const RunArguments& arguments, const World& world, LogInfo info, long steps)
    : world_(world), every_(arguments.log_every), maker_(world) {
  if (arguments.log_rate > 0)
    every_ = static_cast<int>(std::clamp(std::round(1 / (arguments.log_rate * world.dt())), 1.0, 1e9));
  info.every = every_;
  if (arguments.dump_step > 0) problem_ = std::make_unique<ProblemDump>(arguments, info, steps);
  if (!arguments.log.empty()) log_ = std::make_unique<LogWriter>(arguments.log, info);
  if (!arguments.html.empty()) {
    replay_ = std::make_unique<ReplayWriter>(arguments.html, viewer_page(), info, world.model());
  }
}

void Recorder::record(int step, std::span<const double> control, std::span<const double> external) {
  if (problem_) problem_->after_step(step, world_.problem());
  const bool to_log = log_ && step % every_ == 0;
  const bool to_replay = replay_ && replay_->wants(world_.report(), world_.state().time);
  if (!to_log && !to_replay) return;
  const LogFrame& frame = maker_.make(control, external);
  if (to_log) log_->write(frame), ++log_frames_;
  if (to_replay) replay_->write(frame);
}

void Recorder::close(bool interrupted) {
  if (log_) log_->close(interrupted);
  if (replay_) replay_->close(interrupted);
}

}  // namespace uzawa::cli
