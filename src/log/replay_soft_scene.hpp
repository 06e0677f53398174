#pragma once

#include <nlohmann/json_fwd.hpp>

#include "uzawa/log/replay_layout.hpp"

/// Soft bodies and rods in the scene of a replay (docs/replay-format.md).
namespace uzawa {

nlohmann::json soft_bodies_json(const Model& model, const ReplayLayout& layout);

/// Rods that are drawn as tubes: those whose links all have a capsule or cylinder. Others look like their geoms.
nlohmann::json rods_json(const Model& model, const ReplayLayout& layout);

}  // namespace uzawa
