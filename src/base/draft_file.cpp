#include "uzawa/base/draft_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "uzawa/base/error.hpp"

namespace uzawa {

namespace fs = std::filesystem;

namespace {

std::string last_error() { return std::strerror(errno); }

/// What is in the way of a file of that name; empty: nothing that can be seen from here.
std::string obstacle(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) return "is a folder";
  if (fs::exists(status) && !fs::is_regular_file(status)) return "is no regular file";
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, error)) return "its folder does not exist";
  if (access(folder.c_str(), W_OK) != 0) return "its folder can't be written: " + last_error();
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
  // Some folders refuse files for reasons that only an attempt finds out; better now than after an hour's run.
  if (std::ofstream probe(draft_, std::ios::binary); !probe) fail("can't be written: " + last_error());
}

DraftFile::~DraftFile() {
  if (committed_) return;
  std::error_code ignored;
  fs::remove(draft_, ignored);
}

void DraftFile::commit() {
  if (!synchronize(draft_)) fail("can't be written: " + last_error());
  std::error_code error;
  fs::rename(draft_, path_, error);
  if (error) fail("can't get its name: " + error.message());
  committed_ = true;
}

void DraftFile::write_whole(std::string_view content) {
  std::ofstream out(draft_, std::ios::binary);
  out.write(content.data(), static_cast<std::streamsize>(content.size()));
  out.close();
  if (!out) fail("can't be written: disk full?");
  commit();
}

void DraftFile::fail(const std::string& reason) const { throw InputError(path_.string(), what_, reason); }

}  // namespace uzawa
