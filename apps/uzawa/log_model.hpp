#pragma once

#include <filesystem>

#include "uzawa/io/load.hpp"
#include "uzawa/log/log_frame.hpp"

namespace uzawa::cli {

/// The model that a log was made with: of its scene, or from its file (`file`, where that is given, instead of the one
/// that the log names). Throws InputError where it can't be had, or has other bodies than the log.
Model model_of_log(const std::filesystem::path& log, const LogInfo& info, const std::filesystem::path& file = {},
                   const LoadOptions& options = {});

}  // namespace uzawa::cli
