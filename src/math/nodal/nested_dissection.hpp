#pragma once

#include <vector>

#include "uzawa/math/nodal/nodal_pattern.hpp"

namespace uzawa {

/// Nodes in an order of elimination: both sides of a separator, then the separator; the sides in the same way, down to
/// parts that are ordered by minimum degree (George 1973). The same pattern gives the same order.
std::vector<int> nested_dissection(const NodalPattern& pattern);
std::vector<int> minimum_degree(const NodalPattern& pattern);

}  // namespace uzawa
