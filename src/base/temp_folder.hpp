#pragma once

#include <filesystem>

namespace uzawa {

/// A temporary folder, removed by the destructor.
class TempFolder {
 public:
  /// Throws InputError where it cannot be created.
  TempFolder();
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace uzawa
