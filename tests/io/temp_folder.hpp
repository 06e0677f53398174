#pragma once

#include <filesystem>
#include <string>

#include "uzawa/base/temp_folder.hpp"

namespace uzawa::test {

/// A folder of the test's own that goes away with it.
class TempFolder : public uzawa::TempFolder {
 public:
  /// Writes a file, with the folders above it, and returns where.
  std::filesystem::path write(const std::filesystem::path& name, const std::string& content) const;
};

/// Writes a file where it is; throws where that fails.
void write_file(const std::filesystem::path& path, const std::string& content);
std::string read_text(const std::filesystem::path& path);

/// `text` with every `from` replaced by `to`; throws where there is none, so that a test cannot lose its point.
std::string replaced(std::string text, const std::string& from, const std::string& to);

}  // namespace uzawa::test
