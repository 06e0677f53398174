#pragma once

#include <nlohmann/json.hpp>

#include "uzawa/log/replay_layout.hpp"

namespace uzawa {

/// How the model's file wants it to look (docs/replay-format.md): textures, materials, cameras and lights. Empty where
/// the file says nothing of the kind.
nlohmann::json appearance_json(const Model& model, const ReplayLayout& layout);

/// Whether a mesh or skin is drawn with a texture by the places that its file gives.
bool places_texture(const ModelSpec& spec, const GeomSpec& geom);

}  // namespace uzawa
