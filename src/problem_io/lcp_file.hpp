#pragma once

#include <filesystem>
#include <string>
#include <vector>

/// Linear complementarity problems as files: the JSON schema "uzawa-lcp/1" (docs/problem-format.md).
namespace uzawa {

/// w = M z + q, w >= 0, z >= 0, complementary.
struct LcpData {
  std::string name, comment;
  std::vector<double> m;  ///< n x n, row-major
  std::vector<double> q;  ///< n
};

/// Whether its first 4 KB name the format "uzawa-lcp/1". False where there is no such file.
bool is_lcp_file(const std::filesystem::path& path);
/// Throws InputError with the file, the element and the reason: malformed files, unknown keys, M not square or of
/// another size than q, numbers that are not finite.
LcpData read_lcp(const std::filesystem::path& path);
/// Keeps every bit. Throws InputError where it can't, and leaves no incomplete file.
void write_lcp(const LcpData& lcp, const std::filesystem::path& path);

}  // namespace uzawa
