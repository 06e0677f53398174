#pragma once

#include <filesystem>
#include <optional>

#include "uzawa/collision/distance/grid_sdf.hpp"

/// Sampled grids on disk. A file is named after the content of what it was made from, is written beside its place and
/// moved there in one step, and carries a checksum: what is there is whole, or is not used.
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
