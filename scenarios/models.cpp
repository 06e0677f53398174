#include "uzawa/scenarios/models.hpp"

#include <cstdlib>

namespace uzawa::scenarios {

std::filesystem::path models_folder() {
  const char* given = std::getenv("UZAWA_MODELS");
  return given != nullptr && *given != '\0' ? given : UZAWA_MODELS_FOLDER;
}

}  // namespace uzawa::scenarios
