#include "uzawa/base/temp_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "uzawa/base/error.hpp"

namespace uzawa {

namespace fs = std::filesystem;

TempFolder::TempFolder() {
  std::string name = (fs::temp_directory_path() / "uzawa-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw InputError(name, "folder", std::strerror(errno));
  path_ = name;
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace uzawa
