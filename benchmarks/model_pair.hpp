#pragma once

#include <mujoco/mujoco.h>

#include <filesystem>
#include <memory>
#include <string>

#include "uzawa/io/load.hpp"

namespace uzawa::bench {

/// The same model on both sides.
struct ModelPair {
  std::unique_ptr<mjModel, void (*)(mjModel*)> theirs{nullptr, mj_deleteModel};
  std::unique_ptr<mjData, void (*)(mjData*)> their_data{nullptr, mj_deleteData};
  LoadedModel ours;
};

/// Throws where either side cannot load it.
ModelPair load_pair(const std::filesystem::path& path);
/// The same for MJCF text.
ModelPair load_pair_from_text(const std::string& xml);

}  // namespace uzawa::bench
