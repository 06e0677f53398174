#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/base/thread_pool.hpp"
#include "uzawa/collision/distance/grid_sdf.hpp"

namespace uzawa {

namespace {

constexpr int kBlock = SampledGrid::kBlock;

class Sampler {
 public:
  Sampler(const MeshSdf& mesh, double cell, int threads) : mesh_(mesh), pool_(threads) {
    const Aabb box = mesh.bounds();
    grid_.cell = cell;
    grid_.band = 2 * cell;
    grid_.origin = box.low - Vec3{1, 1, 1} * grid_.band;
    double count = 1;
    for (int k = 0; k < 3; ++k) {
      const double blocks = std::ceil((box.high[k] - box.low[k] + 2 * grid_.band) / (cell * kBlock));
      count *= blocks + 1;
      if (!(count < 1e8)) throw InputError("", "sdf", "the cell size is too small for the size of the mesh");
      grid_.blocks[at(k)] = static_cast<int>(blocks);
    }
  }

  SampledGrid run() {
    sample_corners();
    choose_fine_blocks();
    pool_.for_each(static_cast<int>(fine_.size()), [&](int i) { sample_block(i); });
    measure();
    return std::move(grid_);
  }

 private:
  Vec3 corner(int x, int y, int z) const {
    const double block = grid_.cell * kBlock;
    return grid_.origin + Vec3{x * block, y * block, z * block};
  }

  void sample_corners() {
    const int nx = grid_.blocks[0] + 1, ny = grid_.blocks[1] + 1, nz = grid_.blocks[2] + 1;
    grid_.coarse.resize(at(nx) * at(ny) * at(nz));
    pool_.for_each(nz, [&](int z) {
      for (int y = 0; y < ny; ++y) {
        for (int x = 0; x < nx; ++x) {
          grid_.coarse[(at(z) * at(ny) + at(y)) * at(nx) + at(x)] =
              static_cast<float>(mesh_.evaluate(corner(x, y, z)).distance);
        }
      }
    });
  }

  /// A block is fine where some point of it may be within the band.
  void choose_fine_blocks() {
    const int nx = grid_.blocks[0], ny = grid_.blocks[1], nz = grid_.blocks[2];
    const double half = grid_.cell * kBlock / 2, reach = std::sqrt(3.) * half + grid_.band;
    std::vector<char> wanted(at(nx) * at(ny) * at(nz), 0);
    pool_.for_each(nz, [&](int z) {
      for (int y = 0; y < ny; ++y) {
        for (int x = 0; x < nx; ++x) {
          const Vec3 centre = corner(x, y, z) + Vec3{half, half, half};
          wanted[(at(z) * at(ny) + at(y)) * at(nx) + at(x)] =
              std::abs(mesh_.evaluate(centre).distance) <= reach ? 1 : 0;
        }
      }
    });
    grid_.fine_block.assign(wanted.size(), -1);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (wanted[i] == 0) continue;
      grid_.fine_block[i] = static_cast<int>(fine_.size());
      fine_.push_back(static_cast<int>(i));
    }
    if (fine_.size() * at(SampledGrid::kNodes) * sizeof(float) > (std::size_t{4} << 30)) {
      throw InputError("", "sdf", "the grid would need more than 4 GB: choose larger cells");
    }
    grid_.fine.resize(fine_.size() * at(SampledGrid::kNodes));
  }

  Vec3 block_corner(int fine) const {
    const int index = fine_[at(fine)], nx = grid_.blocks[0], ny = grid_.blocks[1];
    return corner(index % nx, index / nx % ny, index / nx / ny);
  }

  void sample_block(int fine) {
    const Vec3 low = block_corner(fine);
    float* samples = grid_.fine.data() + at(fine) * at(SampledGrid::kNodes);
    double reach = 1e30;  // the next sample is a cell away: its distance is larger by that at most
    for (int z = 0; z <= kBlock; ++z) {
      for (int y = 0; y <= kBlock; ++y) {
        for (int x = 0; x <= kBlock; ++x) {
          const Vec3 point = low + Vec3{x * grid_.cell, y * grid_.cell, z * grid_.cell};
          const double distance = mesh_.evaluate_within(point, reach).distance;
          *samples++ = static_cast<float>(distance);
          reach = std::abs(distance) + 1.001 * grid_.cell;
        }
        reach += kBlock * grid_.cell;  // back to the beginning of the row
      }
      reach += kBlock * grid_.cell;
    }
  }

  /// The error at the centres of some thousand cells in the band, spread evenly.
  void measure() {
    constexpr std::size_t kChecks = 16384;
    const GridSdf sampled(grid_);
    const std::size_t cells = fine_.size() * at(kBlock * kBlock * kBlock);
    const std::size_t step = std::max<std::size_t>(1, cells / kChecks | 1);  // odd: not one column of every block
    for (std::size_t i = 0; i < cells; i += step) {
      const int in_block = static_cast<int>(i % at(kBlock * kBlock * kBlock));
      const int x = in_block % kBlock, y = in_block / kBlock % kBlock, z = in_block / kBlock / kBlock;
      const Vec3 point = block_corner(static_cast<int>(i / at(kBlock * kBlock * kBlock))) +
                         grid_.cell * Vec3{x + 0.5, y + 0.5, z + 0.5};
      const double exact = mesh_.evaluate(point).distance;
      if (std::abs(exact) > grid_.band) continue;
      grid_.measured_error = std::max(grid_.measured_error, std::abs(sampled.evaluate(point).distance - exact));
    }
  }

  const MeshSdf& mesh_;
  ThreadPool pool_;
  SampledGrid grid_;
  std::vector<int> fine_;  ///< block of each fine block
};

}  // namespace

SampledGrid sample_on_grid(const MeshSdf& mesh, double cell, int threads) {
  if (!(cell > 0) || !std::isfinite(cell)) throw InputError("", "sdf", "the cell size must be positive");
  return Sampler(mesh, cell, threads).run();
}

}  // namespace uzawa
