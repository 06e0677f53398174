#include "uzawa/scenarios/models.hpp"

#include <cstdlib>

namespace uzawa::scenarios {

namespace fs = std::filesystem;

fs::path models_folder() {
  const char* given = std::getenv("UZAWA_MODELS");
  if (given != nullptr && *given != '\0') return given;
  // An installed program, wherever its prefix was moved to.
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  fs::path installed = program.parent_path().parent_path() / "share" / "uzawa" / "models";
  if (!error && fs::is_directory(installed, error)) return installed;
  return UZAWA_MODELS_FOLDER;
}

}  // namespace uzawa::scenarios
