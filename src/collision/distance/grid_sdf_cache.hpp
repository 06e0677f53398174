#pragma once

#include <filesystem>
#include <optional>

#include "uzawa/collision/distance/grid_sdf.hpp"

/// Sampled grids on disk. A file is named after a hash of mesh and cell size, is written under a temporary name and
/// renamed, and carries a checksum: partial or damaged files are not used.
namespace uzawa {

struct GridKey {
  std::uint64_t high = 0, low = 0;
  bool operator==(const GridKey&) const = default;
};
GridKey grid_key(const Surface& mesh, double cell);

/// $XDG_CACHE_HOME/uzawa, or ~/.cache/uzawa; none where neither is set.
std::optional<std::filesystem::path> cache_folder();

std::filesystem::path cache_file(const std::filesystem::path& folder, const GridKey& key);
/// None where there is no such file, or it is damaged or of another version.
std::optional<SampledGrid> read_grid(const std::filesystem::path& file, const GridKey& key);
/// False where it cannot be written.
bool write_grid(const std::filesystem::path& file, const GridKey& key, const SampledGrid& grid);

}  // namespace uzawa
