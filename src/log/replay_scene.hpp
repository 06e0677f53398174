#pragma once

#include <string>

#include "uzawa/log/log_frame.hpp"

namespace uzawa {

/// Frames of simulated time a second.
inline constexpr double kReplayRate = 60;

inline constexpr int kReplayVersion = 3;

/// Data that a viewer needs before the first frame, as JSON (docs/replay-format.md): properties of the run, links,
/// joints, geoms with their shapes and colours, meshes, soft bodies and rods. SDF shapes and height fields are meshes
/// here. Has no '<', so that it can be embedded in HTML.
std::string scene_message(const LogInfo& info, const Model& model);

}  // namespace uzawa
