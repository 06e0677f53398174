#include "uzawa/collision/distance/grid_sdf.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

/// Value and derivative (per cell) of the trilinear interpolation of samples at the corners of a cell, x fastest.
struct Interpolated {
  double value;
  Vec3 slope;
};
Interpolated trilinear(const float* low, std::size_t row, std::size_t layer, const Vec3& t) {
  const auto lerp = [](double a, double b, double s) { return a + s * (b - a); };
  const double c000 = low[0], c100 = low[1], c010 = low[row], c110 = low[row + 1];
  const float* high = low + layer;
  const double c001 = high[0], c101 = high[1], c011 = high[row], c111 = high[row + 1];
  const double c00 = lerp(c000, c100, t.x()), c10 = lerp(c010, c110, t.x()), c01 = lerp(c001, c101, t.x()),
               c11 = lerp(c011, c111, t.x());
  const double c0 = lerp(c00, c10, t.y()), c1 = lerp(c01, c11, t.y());
  const double along_x = lerp(lerp(c100 - c000, c110 - c010, t.y()), lerp(c101 - c001, c111 - c011, t.y()), t.z());
  return {lerp(c0, c1, t.z()), {along_x, lerp(c10 - c00, c11 - c01, t.z()), c1 - c0}};
}

/// Cell of a coordinate (in cells) within [0, count) and the place in it.
int cell_of(double coordinate, int count) { return std::clamp(static_cast<int>(std::floor(coordinate)), 0, count - 1); }

}  // namespace

SignedDistance::Sample GridSdf::inside(const Vec3& point) const {
  constexpr int kBlock = SampledGrid::kBlock;
  const Vec3 in_blocks = (point - grid_.origin) * (1 / (grid_.cell * kBlock));
  int block[3];
  Vec3 t;
  for (int k = 0; k < 3; ++k) {
    block[k] = cell_of(in_blocks[k], grid_.blocks[at(k)]);
    t.set(k, in_blocks[k] - block[k]);
  }
  const std::size_t nx = at(grid_.blocks[0]), ny = at(grid_.blocks[1]);
  const int fine = grid_.fine_block[(at(block[2]) * ny + at(block[1])) * nx + at(block[0])];
  if (fine < 0) {
    const std::size_t row = nx + 1, layer = row * (ny + 1);
    const float* corner = grid_.coarse.data() + at(block[2]) * layer + at(block[1]) * row + at(block[0]);
    const Interpolated found = trilinear(corner, row, layer, t);
    return {found.value, found.slope * (1 / (grid_.cell * kBlock))};
  }
  std::size_t offset = 0;
  constexpr std::size_t kStride[3] = {1, kBlock + 1, (kBlock + 1) * (kBlock + 1)};
  for (int k = 0; k < 3; ++k) {
    const double in_cells = t[k] * kBlock;
    const int cell = cell_of(in_cells, kBlock);
    offset += at(cell) * kStride[k];
    t.set(k, in_cells - cell);
  }
  const float* corner = grid_.fine.data() + at(fine) * at(SampledGrid::kNodes) + offset;
  const Interpolated found = trilinear(corner, kStride[1], kStride[2], t);
  return {found.value, found.slope * (1 / grid_.cell)};
}

SignedDistance::Sample GridSdf::evaluate(const Vec3& point) const {
  const Aabb box = bounds();
  const Vec3 nearest = smaller(larger(point, box.low), box.high);
  Sample sample = inside(nearest);
  const Vec3 beyond = point - nearest;
  const double way = norm(beyond);
  if (way == 0) return sample;
  // Beyond the box, which holds the shape, the way to the box and the way on from there meet at an obtuse angle: the
  // root of the squares is a lower bound, continuous at the box.
  const double onwards = std::max(0., sample.distance), distance = length(onwards, way);
  Vec3 along = sample.gradient;
  for (int k = 0; k < 3; ++k) {
    if (beyond[k] != 0) along.set(k, 0);
  }
  return {distance, (onwards / distance) * along + beyond * (1 / distance)};
}

Aabb GridSdf::bounds() const {
  const Vec3 size{static_cast<double>(grid_.blocks[0]), static_cast<double>(grid_.blocks[1]),
                  static_cast<double>(grid_.blocks[2])};
  return {grid_.origin, grid_.origin + size * (grid_.cell * SampledGrid::kBlock)};
}

double GridSdf::max_error() const { return std::sqrt(3.) / 2 * grid_.cell; }

double GridSdf::lower_bound(double value) const {
  // Outside of the band samples are eight cells apart, but the distance is at least the band there.
  const double fine = max_error(), coarse = SampledGrid::kBlock * fine;
  return value < grid_.band ? value - fine : std::max(grid_.band - fine, value - coarse);
}

double default_cell(const Surface& mesh) {
  const Aabb box = bounds_of(mesh);
  const Vec3 size = box.high - box.low;
  return std::max({size.x(), size.y(), size.z()}) / 96;
}

}  // namespace uzawa
