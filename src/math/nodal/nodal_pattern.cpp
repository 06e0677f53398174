#include "uzawa/math/nodal/nodal_pattern.hpp"

#include <algorithm>
#include <cassert>
#include <string>

#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"

namespace uzawa {

std::size_t NodalPattern::place(int row, int column_of_block) const {
  const auto begin = column.begin() + start[at(row)], end = column.begin() + start[at(row) + 1];
  const auto found = std::lower_bound(begin, end, column_of_block);
  assert(found != end && *found == column_of_block);
  return static_cast<std::size_t>(found - column.begin());
}

NodalPattern make_nodal_pattern(int nodes, std::vector<std::pair<int, int>> couples) {
  for (auto& [i, j] : couples) {
    if (i < j) std::swap(i, j);
    if (j < 0 || i >= nodes) {
      throw InputError("nodal pattern", "couple (" + std::to_string(i) + ", " + std::to_string(j) + ")",
                       "there are " + std::to_string(nodes) + " nodes");
    }
  }
  for (int i = 0; i < nodes; ++i) couples.emplace_back(i, i);
  std::sort(couples.begin(), couples.end());
  couples.erase(std::unique(couples.begin(), couples.end()), couples.end());
  NodalPattern out;
  out.start.assign(at(nodes) + 1, 0);
  out.column.reserve(couples.size());
  for (const auto& [i, j] : couples) {
    ++out.start[at(i) + 1];
    out.column.push_back(j);
  }
  for (int i = 0; i < nodes; ++i) out.start[at(i) + 1] += out.start[at(i)];
  return out;
}

}  // namespace uzawa
