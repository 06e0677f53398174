#pragma once

#include "commands.hpp"
#include "uzawa/log/log_frame.hpp"

namespace uzawa::cli {

/// The contact problem of one step of a run, as a file that `uzawa solve` takes.
class ProblemDump {
 public:
  /// `steps`: of the run. Throws InputError where the step is none of them, or the file can't be written.
  ProblemDump(const RunArguments& arguments, const LogInfo& info, long steps);

  /// After step number `step`, from 1 on. Throws InputError where the file can't be written, or its format does not
  /// know a constraint of the problem.
  void after_step(int step, const Problem& problem);
  bool written() const { return written_; }

 private:
  int step_;
  std::filesystem::path path_;
  std::string name_, comment_;
  bool written_ = false;
};

}  // namespace uzawa::cli
