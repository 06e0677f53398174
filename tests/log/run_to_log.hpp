#pragma once

#include <filesystem>
#include <vector>

#include "uzawa/log/log_writer.hpp"

namespace uzawa::test {

/// A scene in which every dataset has something in it: boxes that fall on each other and on the ground, fingers with a
/// motor against a limit, dry friction, a weld, an actuator with a state, a tendon with a limit.
ModelSpec busy_scene();

/// What a run of `busy_scene` was, as the world had it step by step.
struct Recorded {
  LogInfo info;
  std::vector<LogFrame> frames;
  /// Of each step, taken from the world itself.
  std::vector<State> states;
};

/// Runs it for `steps` steps of which every `every`-th goes to the log, and closes that.
Recorded run_to_log(const std::filesystem::path& path, int steps, int every = 1);

}  // namespace uzawa::test
