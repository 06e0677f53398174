#pragma once

#include <vector>

#include "uzawa/math/nodal/nodal_pattern.hpp"

namespace uzawa {

/// An order of elimination.
struct NodalOrdering {
  enum class Kind { natural, minimum_degree, nested_dissection };
  Kind kind = Kind::natural;
  std::vector<int> nodes;  ///< first eliminated first
  double flops = 0;        ///< of a factorisation in this order, before columns are merged into larger fronts
};

/// The best of three by flops: as numbered (rods, whose nodes follow each other), minimum degree, nested dissection.
/// Which of the latter two is better depends on the shape of the body.
NodalOrdering choose_nodal_ordering(const NodalPattern& pattern);

}  // namespace uzawa
