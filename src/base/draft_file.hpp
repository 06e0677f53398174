#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace uzawa {

/// A file written under a temporary name and renamed when it is complete: an interrupted program leaves the previous
/// file under the final name untouched, never a partial one.
class DraftFile {
 public:
  /// Creates the empty draft. `what`: the element named in error messages. Throws InputError where no file of that name
  /// can be written.
  DraftFile(std::filesystem::path path, std::string what);
  /// Without `commit`: removes the draft.
  ~DraftFile();
  DraftFile(const DraftFile&) = delete;
  DraftFile& operator=(const DraftFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// The temporary name to write to.
  const std::filesystem::path& draft() const { return draft_; }
  /// Flushes the content to the disk and renames the draft. Throws InputError where that fails.
  void commit();
  /// Writes the whole content and commits it. Throws InputError where that fails.
  void write_whole(std::string_view content);
  [[noreturn]] void fail(const std::string& reason) const;

 private:
  std::filesystem::path path_, draft_;
  std::string what_;
  bool committed_ = false;
};

}  // namespace uzawa
