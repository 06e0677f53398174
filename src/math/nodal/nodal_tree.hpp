#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "uzawa/base/at.hpp"
#include "uzawa/math/nodal/nodal_pattern.hpp"

namespace uzawa {

/// Calls work(later, earlier, block) for the positions of all couples of nodes and A's block of both.
template <typename Work>
void for_couples(const NodalPattern& pattern, std::span<const int> position, Work&& work) {
  for (int i = 0; i < pattern.nodes(); ++i) {
    const int p = position[at(i)];
    for (int k = pattern.start[at(i)]; k < pattern.start[at(i) + 1] - 1; ++k) {
      const int q = position[at(pattern.column[at(k)])];
      work(std::max(p, q), std::min(p, q), k);
    }
  }
}

/// The elimination tree of a nodal matrix (Liu 1990) in an order of elimination, and the sizes of the factor's columns.
/// Nodes are named by their positions in the order. Those from `leading` on are held together as one last front: in the
/// tree they are a single node, of the name `leading`.
struct NodalTree {
  int leading = 0;
  std::vector<int> start, column;  ///< by rows: earlier positions coupled with a position
  std::vector<int> parent;         ///< per leading position; -1 for roots
  std::vector<int> count;          ///< per leading position: blocks of its column below the diagonal

  /// `position`: per node. Finds rows and parents.
  void find(const NodalPattern& pattern, std::span<const int> position, int leading_positions);
  /// Finds the counts: time of the order of their sum. False, and given up, where that exceeds `most`.
  bool count_columns(std::size_t most = std::numeric_limits<std::size_t>::max());
  /// The sum of the counts.
  std::size_t fill() const { return std::accumulate(count.begin(), count.end(), std::size_t{0}); }
  /// Order of the leading positions in which each subtree is contiguous and ends in its root; of siblings the one with
  /// the largest front is last, next to its parent. Valid until the next call.
  std::span<const int> postorder();
  /// Multiplications and additions of the factorisation, from the counts.
  double flops() const;

 private:
  void find_parents();

  // Memory that later trees use again.
  std::vector<int> ancestor_, seen_, by_size_, child_, sibling_, stack_, order_;
};

}  // namespace uzawa
