#pragma once

#include <filesystem>

namespace uzawa {

/// A folder that goes away with the object.
class TempFolder {
 public:
  /// Throws InputError where there is no place for it.
  TempFolder();
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace uzawa
