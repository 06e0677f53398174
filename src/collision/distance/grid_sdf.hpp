#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "uzawa/collision/distance/mesh_sdf.hpp"

namespace uzawa {

/// Samples of a distance on a grid: fine in a narrow band about the surface, at the corners of 8 x 8 x 8 blocks of
/// cells elsewhere.
struct SampledGrid {
  static constexpr int kBlock = 8;                                           ///< cells along a block
  static constexpr int kNodes = (kBlock + 1) * (kBlock + 1) * (kBlock + 1);  ///< samples of a fine block

  Vec3 origin;                  ///< m, low corner
  double cell = 0;              ///< m
  double band = 0;              ///< m; nearer to the surface every block is fine
  double measured_error = 0;    ///< m, the largest at the centres of some thousand cells in the band
  std::array<int, 3> blocks{};  ///< along the axes
  std::vector<int> fine_block;  ///< by block, x fastest: its number among the fine ones, -1: coarse
  std::vector<float> coarse;    ///< m, at the corners of the blocks, x fastest
  std::vector<float> fine;      ///< m, kNodes a fine block, x fastest
};

/// A signed distance by interpolation. The value is trilinear in each cell and the gradient is that of the value.
/// Error: a distance has Lipschitz constant 1, so within the band the error is at most max_error() = sqrt(3)/2 cell.
/// Typical errors are smaller: about cell^2/R where the surface is smooth with radius of curvature R, about a fifth of
/// a cell at sharp edges.
class GridSdf final : public SignedDistance {
 public:
  explicit GridSdf(SampledGrid grid) : grid_(std::move(grid)) {}

  Sample evaluate(const Vec3& point) const override;
  Aabb bounds() const override;
  double lower_bound(double value) const override;

  double max_error() const;
  const SampledGrid& grid() const { return grid_; }

 private:
  Sample inside(const Vec3& point) const;

  SampledGrid grid_;
};

/// The default resolution of a mesh: a 96th of its longest side.
double default_cell(const Surface& mesh);

/// Samples an exact distance. `threads` does not change the result. Throws InputError where the grid would be larger
/// than 2^31 blocks' corners or 4 GB.
SampledGrid sample_on_grid(const MeshSdf& mesh, double cell, int threads);

/// The grid of a mesh from the cache, or sampled and put there. The key is the content of mesh and cell size; where the
/// cache cannot be written or read, or a file in it is damaged, the grid is sampled. Throws InputError where the mesh
/// has no inside.
SampledGrid baked_grid(const Surface& mesh, double cell, const std::string& name);

}  // namespace uzawa
