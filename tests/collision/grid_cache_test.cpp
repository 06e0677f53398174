#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <thread>

#include "io/temp_folder.hpp"
#include "sdf_samples.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/collision/distance/grid_sdf_cache.hpp"
#include "uzawa/collision/distance/mesh_sdf_closed.hpp"

namespace uzawa::test {
namespace {

namespace fs = std::filesystem;

/// A cache folder of the test's own, by the variable that users have.
class GridCache : public testing::Test {
 protected:
  void SetUp() override { setenv("XDG_CACHE_HOME", folder.path().c_str(), 1); }
  void TearDown() override { unsetenv("XDG_CACHE_HOME"); }

  fs::path file() const { return cache_file(*cache_folder(), grid_key(mesh, kCell)); }

  static constexpr double kCell = 0.004;
  TempFolder folder;
  Surface mesh = angle_mesh();
};

TEST_F(GridCache, GivesBackWhatWasSampled) {
  const SampledGrid sampled = baked_grid(mesh, kCell, "angle");
  ASSERT_TRUE(fs::exists(file()));
  const auto cached = read_grid(file(), grid_key(mesh, kCell));
  ASSERT_TRUE(cached);
  EXPECT_EQ(cached->fine, sampled.fine);
  EXPECT_EQ(cached->coarse, sampled.coarse);
  EXPECT_EQ(cached->fine_block, sampled.fine_block);
  EXPECT_EQ(cached->blocks, sampled.blocks);
  EXPECT_EQ(cached->measured_error, sampled.measured_error);
  EXPECT_EQ(norm(cached->origin - sampled.origin), 0);
  EXPECT_EQ(fs::file_size(file()), fs::file_size(file()));
  // Nothing else is left in the folder: drafts are moved away.
  EXPECT_EQ(std::distance(fs::directory_iterator(*cache_folder()), fs::directory_iterator()), 1);
}

TEST_F(GridCache, IsUsed) {
  // A mark in the stored error survives: the grid came from the file.
  SampledGrid marked = baked_grid(mesh, kCell, "angle");
  marked.measured_error = 42;
  ASSERT_TRUE(write_grid(file(), grid_key(mesh, kCell), marked));
  EXPECT_EQ(baked_grid(mesh, kCell, "angle").measured_error, 42);
}

TEST_F(GridCache, IsKeyedByContent) {
  const GridKey key = grid_key(mesh, kCell);
  EXPECT_FALSE(key == grid_key(mesh, 1.0001 * kCell));
  Surface moved = mesh;
  moved.vertices[3].set(1, moved.vertices[3][1] + 1e-12);
  EXPECT_FALSE(key == grid_key(moved, kCell));
  std::swap(moved.faces[0], moved.faces[1]);
  moved.vertices = mesh.vertices;
  EXPECT_FALSE(key == grid_key(moved, kCell));
  EXPECT_TRUE(key == grid_key(angle_mesh(), kCell));
}

TEST_F(GridCache, NoticesDamage) {
  const SampledGrid sampled = baked_grid(mesh, kCell, "angle");
  const std::string whole = read_text(file());
  const GridKey key = grid_key(mesh, kCell);
  Random random(1);
  for (int i = 0; i < 200; ++i) {
    std::string damaged = whole;
    if (i % 2 == 0) {
      char& byte = damaged[static_cast<std::size_t>(random.integer(static_cast<int>(whole.size())))];
      byte = static_cast<char>(byte ^ (1 << random.integer(8)));
    } else {
      damaged.resize(static_cast<std::size_t>(random.integer(static_cast<int>(whole.size()))));
    }
    write_file(file(), damaged);
    EXPECT_FALSE(read_grid(file(), key));
  }
  write_file(file(), whole + "x");
  EXPECT_FALSE(read_grid(file(), key));
  // And is made again.
  EXPECT_EQ(baked_grid(mesh, kCell, "angle").fine, sampled.fine);
  EXPECT_EQ(read_text(file()), whole);
}

TEST_F(GridCache, WritersAtTheSameTimeLeaveAWholeFile) {
  const SampledGrid sampled = baked_grid(mesh, kCell, "angle");
  const GridKey key = grid_key(mesh, kCell);
  std::vector<std::thread> writers;
  for (int i = 0; i < 4; ++i) {
    writers.emplace_back([&] {
      for (int k = 0; k < 20; ++k) EXPECT_TRUE(write_grid(file(), key, sampled));
    });
  }
  for (int k = 0; k < 50; ++k) EXPECT_TRUE(read_grid(file(), key));
  for (std::thread& writer : writers) writer.join();
}

TEST_F(GridCache, WorksWithoutAPlaceToWrite) {
  setenv("XDG_CACHE_HOME", "/proc/no-such-place", 1);
  EXPECT_GT(baked_grid(mesh, kCell, "angle").fine.size(), 0U);
}

TEST_F(GridCache, RefusesAMeshWithoutInside) {
  mesh.faces.pop_back();
  EXPECT_THROW(baked_grid(mesh, kCell, "angle"), InputError);
  EXPECT_FALSE(fs::exists(file()));
}

}  // namespace
}  // namespace uzawa::test
