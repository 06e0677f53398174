#pragma once

#include <array>
#include <span>
#include <vector>

#include "uzawa/math/tree_inertia.hpp"

namespace uzawa {

/// An inverse articulated-body inertia ([LCP] eq. 9-10): motion of one link of a tree for a force on another, both
/// about the tree's reference point, both in the order angular, linear.
class InverseInertia {
 public:
  Motion operator*(const Force& force) const;
  double& operator()(int row, int column) { return entry_[static_cast<std::size_t>(6 * row + column)]; }
  double operator()(int row, int column) const { return entry_[static_cast<std::size_t>(6 * row + column)]; }

 private:
  std::array<double, 36> entry_{};
};

/// Phi_ij = J_i A^-1 J_j^T for all pairs of the links that are asked for (handles). With A = L^T D L, Phi_ij is the sum
/// of y_i y_j^T / D over the dofs that move both links, where Y_i = L^-T J_i^T has entries on the path to link i only:
/// O(depth^2) a handle and O(depth) a pair, instead of a pass over the tree for each unit force. [LCP] has them from
/// its assembly-disassembly algorithm.
class InverseInertias {
 public:
  /// `factor`: of the tree's matrix. Handles are links of the tree.
  void compute(const TreeInertia& tree, const TreeMatrix& factor, std::span<const int> handles);
  /// Motion of handle i for a force on handle j (places in the list).
  const InverseInertia& between(int i, int j) const;

 private:
  using Six = std::array<double, 6>;

  int count_ = 0;
  std::vector<std::size_t> start_;  ///< of each handle in reduced_
  std::vector<Six> reduced_;        ///< Y by handle, along its path from the root
  std::vector<InverseInertia> between_;
};

}  // namespace uzawa
