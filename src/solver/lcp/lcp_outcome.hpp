#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "uzawa/base/deadline.hpp"

namespace uzawa {

/// How pivoting ended; the paper's failure modes ([LCP] section V-A) are told apart.
enum class LcpEnd {
  Solved,
  NoSolution,  ///< a ray: the driving variable meets no bound
  Cycle,       ///< a basis came again
  Error,       ///< the answer does not satisfy w = M z + q, w, z >= 0, or the basis became singular
  PivotLimit,
  NodeLimit,  ///< nodes of a search, or memory, are used up
  Stopped,    ///< time is up, or somebody asked for an end
  BadInput    ///< M is not square, sizes differ, NaN or infinity
};
const char* to_string(LcpEnd end);

struct LcpCounts {
  int pivots = 0;
  int nodes = 0;       ///< of searches
  int inversions = 0;  ///< of basis matrices
};

/// Limits of one attempt. Problems come scaled to entries of about 1; so are the tolerances.
struct LcpLimits {
  int pivots = 0;  ///< 0: by size
  int nodes = 0;
  std::size_t bytes = 0;  ///< of a search's nodes, or of a tableau; 0: no limit of a tableau
  Deadline deadline;

  int pivot_limit(int size) const { return pivots > 0 ? pivots : 200 + 20 * size; }
};

/// A set of numbers that are hashes themselves. Open addressing; keeps its memory.
class HashSet {
 public:
  void clear();
  /// False where it was there.
  bool insert(std::uint64_t hash);

 private:
  void grow();
  std::vector<std::uint64_t> slots_;  ///< 0: empty
  std::size_t count_ = 0;
};

}  // namespace uzawa
