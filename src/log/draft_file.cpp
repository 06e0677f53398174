#include "uzawa/log/draft_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "uzawa/base/error.hpp"

namespace uzawa {

namespace fs = std::filesystem;

namespace {

/// What is in the way of a file of that name; empty: nothing that can be seen from here.
std::string obstacle(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) return "is a folder";
  if (fs::exists(status) && !fs::is_regular_file(status)) return "is no regular file";
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, error)) return "its folder does not exist";
  if (access(folder.c_str(), W_OK) != 0) return std::string("its folder can't be written: ") + std::strerror(errno);
  return {};
}

/// On the disk, not only on its way there; false where that fails.
bool synchronize(const fs::path& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool done = fsync(file) == 0;
  return close(file) == 0 && done;
}

}  // namespace

DraftFile::DraftFile(fs::path path, std::string what) : path_(std::move(path)), draft_(path_), what_(std::move(what)) {
  if (const std::string reason = obstacle(path_); !reason.empty()) fail(reason);
  draft_ += ".part-" + std::to_string(getpid());  // its own, where two runs have the same name for their files
}

DraftFile::~DraftFile() {
  if (committed_) return;
  std::error_code ignored;
  fs::remove(draft_, ignored);
}

void DraftFile::commit() {
  if (!synchronize(draft_)) fail(std::string("can't be written: ") + std::strerror(errno));
  std::error_code error;
  fs::rename(draft_, path_, error);
  if (error) fail("can't get its name: " + error.message());
  committed_ = true;
}

void DraftFile::fail(const std::string& reason) const { throw InputError(path_.string(), what_, reason); }

}  // namespace uzawa
