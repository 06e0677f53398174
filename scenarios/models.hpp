#pragma once

#include <filesystem>

namespace uzawa::scenarios {

/// Where the robots of models/ are: the folder that the environment variable UZAWA_MODELS names, else
/// share/uzawa/models beside the folder of an installed program, else that of the source.
std::filesystem::path models_folder();

}  // namespace uzawa::scenarios
