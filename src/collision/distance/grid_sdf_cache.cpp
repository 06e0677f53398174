#include "uzawa/collision/distance/grid_sdf_cache.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <thread>

#include "uzawa/collision/distance/mesh_sdf_closed.hpp"

namespace uzawa {

namespace {

/// Changes with the file's layout and with how grids are sampled.
constexpr std::array<char, 8> kMagic{'U', 'Z', 'S', 'D', 'F', '0', '0', '1'};

/// FNV-1a on words of eight bytes, from a given start.
class Hash {
 public:
  explicit Hash(std::uint64_t start) : state_(start) {}
  void add(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (; size >= 8; bytes += 8, size -= 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes, 8);
      mix(word);
    }
    for (; size > 0; ++bytes, --size) mix(*bytes);
  }
  std::uint64_t value() const { return state_; }

 private:
  void mix(std::uint64_t word) {
    state_ = (state_ ^ word) * 0x100000001B3ULL;
    state_ ^= state_ >> 32;  // or a change in the top bits would stay there
  }

  std::uint64_t state_;
};

void put(std::string& out, const void* data, std::size_t size) { out.append(static_cast<const char*>(data), size); }
template <typename T>
void put(std::string& out, const T& value) {
  put(out, &value, sizeof value);
}
template <typename T>
void put_array(std::string& out, const std::vector<T>& values) {
  put(out, static_cast<std::uint64_t>(values.size()));
  put(out, values.data(), values.size() * sizeof(T));
}

/// Takes values out of a text; what is not there makes it fail for good.
class Reader {
 public:
  explicit Reader(const std::string& text) : text_(text) {}
  template <typename T>
  void get(T& value) {
    get(&value, sizeof value);
  }
  template <typename T>
  void get_array(std::vector<T>& values) {
    std::uint64_t count = 0;
    get(count);
    good_ = good_ && count <= (text_.size() - place_) / sizeof(T);
    if (!good_) return;
    values.resize(count);
    get(values.data(), count * sizeof(T));
  }
  bool finished() const { return good_ && place_ == text_.size(); }

 private:
  void get(void* data, std::size_t size) {
    good_ = good_ && size <= text_.size() - place_;
    if (!good_) return;
    std::memcpy(data, text_.data() + place_, size);
    place_ += size;
  }

  const std::string& text_;
  std::size_t place_ = 0;
  bool good_ = true;
};

std::uint64_t checksum(const std::string& payload) {
  Hash hash(0x9AE16A3B2F90404FULL);
  hash.add(payload.data(), payload.size());
  return hash.value();
}

/// Whether the arrays are as long as the sizes say, so that no index can leave them.
bool fits(const SampledGrid& grid) {
  std::size_t blocks = 1, corners = 1, fine = 0;
  for (const int n : grid.blocks) {
    if (n < 1 || n > 100'000'000) return false;
    blocks *= static_cast<std::size_t>(n);
    corners *= static_cast<std::size_t>(n) + 1;
    if (corners > 1'000'000'000) return false;
  }
  if (grid.fine_block.size() != blocks || grid.coarse.size() != corners) return false;
  for (const int index : grid.fine_block) {
    if (index >= 0 && static_cast<std::size_t>(index) != fine++) return false;
  }
  return grid.fine.size() == fine * static_cast<std::size_t>(SampledGrid::kNodes) && grid.cell > 0 &&
         all_finite(grid.origin);
}

}  // namespace

GridKey grid_key(const Surface& mesh, double cell) {
  Hash high(0xCBF29CE484222325ULL), low(0x84222325CBF29CE4ULL);
  const auto add = [&](const void* data, std::size_t size) {
    high.add(data, size);
    low.add(data, size);
  };
  add(kMagic.data(), kMagic.size());
  add(&cell, sizeof cell);
  for (const Vec3& vertex : mesh.vertices) add(&vertex.lanes, 3 * sizeof(double));
  for (const auto& face : mesh.faces) add(face.data(), sizeof face);
  return {high.value(), low.value()};
}

std::optional<std::filesystem::path> cache_folder() {
  if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg != nullptr && xdg[0] == '/') {
    return std::filesystem::path(xdg) / "uzawa";
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && home[0] == '/') {
    return std::filesystem::path(home) / ".cache" / "uzawa";
  }
  return std::nullopt;
}

std::filesystem::path cache_file(const std::filesystem::path& folder, const GridKey& key) {
  std::string name = "sdf-";
  for (const std::uint64_t word : {key.high, key.low}) {
    for (int shift = 60; shift >= 0; shift -= 4) name += "0123456789abcdef"[(word >> shift) & 15];
  }
  return folder / (name + ".grid");
}

std::optional<SampledGrid> read_grid(const std::filesystem::path& file, const GridKey& key) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return std::nullopt;
  std::array<char, 8> magic{};
  GridKey found;
  std::uint64_t sum = 0;
  stream.read(magic.data(), magic.size());
  stream.read(reinterpret_cast<char*>(&found), sizeof found);
  stream.read(reinterpret_cast<char*>(&sum), sizeof sum);
  if (!stream || magic != kMagic || !(found == key)) return std::nullopt;
  const std::string payload{std::istreambuf_iterator<char>(stream), {}};
  if (checksum(payload) != sum) return std::nullopt;
  SampledGrid grid;
  std::array<double, 3> origin{};
  Reader reader(payload);
  reader.get(origin);
  reader.get(grid.cell);
  reader.get(grid.band);
  reader.get(grid.measured_error);
  reader.get(grid.blocks);
  reader.get_array(grid.fine_block);
  reader.get_array(grid.coarse);
  reader.get_array(grid.fine);
  grid.origin = Vec3::from(origin.data());
  if (!reader.finished() || !fits(grid)) return std::nullopt;
  return grid;
}

bool write_grid(const std::filesystem::path& file, const GridKey& key, const SampledGrid& grid) {
  std::string payload;
  std::array<double, 3> origin{};
  grid.origin.store(origin.data());
  put(payload, origin);
  put(payload, grid.cell);
  put(payload, grid.band);
  put(payload, grid.measured_error);
  put(payload, grid.blocks);
  put_array(payload, grid.fine_block);
  put_array(payload, grid.coarse);
  put_array(payload, grid.fine);
  const std::uint64_t sum = checksum(payload);

  std::error_code failed;
  std::filesystem::create_directories(file.parent_path(), failed);
  // A name of its own, for processes and threads that make the same grid at the same time.
  static std::atomic<int> counter{0};
  std::filesystem::path draft = file;
  draft += "." + std::to_string(::getpid()) + "." + std::to_string(counter++);
  {
    std::ofstream stream(draft, std::ios::binary);
    stream.write(kMagic.data(), kMagic.size());
    stream.write(reinterpret_cast<const char*>(&key), sizeof key);
    stream.write(reinterpret_cast<const char*>(&sum), sizeof sum);
    stream.write(payload.data(), static_cast<std::streamsize>(payload.size()));
    stream.close();
    if (!stream) {
      std::filesystem::remove(draft, failed);
      return false;
    }
  }
  std::filesystem::rename(draft, file, failed);
  if (!failed) return true;
  std::filesystem::remove(draft, failed);
  return false;
}

SampledGrid baked_grid(const Surface& mesh, double cell, const std::string& name) {
  if (!(cell > 0)) cell = default_cell(mesh);
  const GridKey key = grid_key(mesh, cell);
  const std::optional<std::filesystem::path> folder = cache_folder();
  if (folder) {
    if (std::optional<SampledGrid> cached = read_grid(cache_file(*folder, key), key)) return std::move(*cached);
  }
  const int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  SampledGrid grid = sample_on_grid(MeshSdf(closed_mesh(mesh, name)), cell, threads);
  if (folder) static_cast<void>(write_grid(cache_file(*folder, key), key, grid));  // a cache may fail
  return grid;
}

}  // namespace uzawa
