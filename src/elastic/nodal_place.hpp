#pragma once

#include <span>

#include "uzawa/math/nodal/nodal_matrix.hpp"
#include "uzawa/math/vec3.hpp"

namespace uzawa {

/// Where a system keeps the block of two nodes of a body.
struct NodalPlace {
  int block = -1;           ///< of the system's pattern; -1: one of the nodes is pinned
  bool transposed = false;  ///< the system orders the two nodes the other way round
};

/// `node_of`: per node of the body its node in the system, or -1 if it is pinned (no unknown).
inline NodalPlace nodal_place(std::span<const int> node_of, const NodalPattern& pattern, int row, int column) {
  const int i = node_of[static_cast<std::size_t>(row)], j = node_of[static_cast<std::size_t>(column)];
  if (i < 0 || j < 0) return {};
  return i >= j ? NodalPlace{static_cast<int>(pattern.place(i, j)), false}
                : NodalPlace{static_cast<int>(pattern.place(j, i)), true};
}

inline void add_block(NodalMatrix& k, const NodalPlace& place, const Mat3& added) {
  if (place.block < 0) return;
  double* b = k.block(static_cast<std::size_t>(place.block));
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) b[3 * i + j] += place.transposed ? added(j, i) : added(i, j);
  }
}

/// a b^T.
inline Mat3 outer(const Vec3& a, const Vec3& b) { return {{a * b.x(), a * b.y(), a * b.z()}}; }

/// Two nodes of a body must not be one node of the system: throws InputError.
void check_places(std::span<const int> node_of, const NodalPattern& pattern);

}  // namespace uzawa
