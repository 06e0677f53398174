#pragma once

#include <memory>
#include <span>

#include "commands.hpp"
#include "problem_dump.hpp"
#include "uzawa/log/log_writer.hpp"
#include "uzawa/log/replay_writer.hpp"

namespace uzawa::cli {

/// What a run leaves in files: a log, a replay, the problem of a step, or nothing.
class Recorder {
 public:
  /// `info`: of the world at its start; `steps`: of the run. The world must outlive the recorder.
  Recorder(const RunArguments& arguments, const World& world, LogInfo info, long steps);

  /// After step number `step`, from 1 on, which had this control and external force. Throws InputError where a file
  /// can't be written.
  void record(int step, std::span<const double> control, std::span<const double> external);
  void close(bool interrupted);
  int log_frames() const { return log_frames_; }
  int replay_frames() const { return replay_ ? replay_->frames() : 0; }
  bool problem_written() const { return problem_ && problem_->written(); }

 private:
  const World& world_;
  int every_, log_frames_ = 0;
  FrameMaker maker_;
  std::unique_ptr<LogWriter> log_;
  std::unique_ptr<ReplayWriter> replay_;
  std::unique_ptr<ProblemDump> problem_;
};

}  // namespace uzawa::cli
