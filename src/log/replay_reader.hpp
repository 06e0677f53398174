#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "uzawa/log/replay_frame.hpp"

namespace uzawa {

/// Contents of a replay file.
struct Replay {
  std::string scene;  ///< JSON, see scene_message
  std::vector<ReplayFrame> frames;
  bool interrupted = false;
};

/// Throws InputError with file, block and reason where it is no replay, a truncated or a damaged one.
Replay read_replay(const std::filesystem::path& path);

}  // namespace uzawa
