#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace uzawa {

/// A file that has another name until it is whole: whatever happens before that, what was there under its name stays as
/// it was, and nothing half-written is ever found there.
class DraftFile {
 public:
  /// Makes the draft, empty. `what`: the element that messages name. Throws InputError where no file of that name can
  /// be written.
  DraftFile(std::filesystem::path path, std::string what);
  /// Without `commit`: the file goes away.
  ~DraftFile();
  DraftFile(const DraftFile&) = delete;
  DraftFile& operator=(const DraftFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// The name to write under.
  const std::filesystem::path& draft() const { return draft_; }
  /// Brings what was written to the disk and gives the file its name. Throws InputError where that fails.
  void commit();
  /// Writes all of the file and commits it. Throws InputError where that fails.
  void write_whole(std::string_view content);
  [[noreturn]] void fail(const std::string& reason) const;

 private:
  std::filesystem::path path_, draft_;
  std::string what_;
  bool committed_ = false;
};

}  // namespace uzawa
