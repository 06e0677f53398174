#include "uzawa/math/nodal/nodal_tree.hpp"

#include <algorithm>

#include "uzawa/base/at.hpp"

namespace uzawa {

void NodalTree::find(const NodalPattern& pattern, std::span<const int> position, int leading_positions) {
  leading = leading_positions;
  const int nodes = pattern.nodes();
  start.assign(at(nodes) + 1, 0);
  for_couples(pattern, position, [&](int row, int, int) { ++start[at(row) + 1]; });
  for (int p = 0; p < nodes; ++p) start[at(p) + 1] += start[at(p)];
  column.resize(at(start.back()));
  for_couples(pattern, position, [&](int row, int earlier, int) { column[at(start[at(row)]++)] = earlier; });
  std::rotate(start.begin(), start.end() - 1, start.end());
  start[0] = 0;
  find_parents();
}

void NodalTree::find_parents() {
  parent.assign(at(leading), -1);
  ancestor_.assign(at(leading), -1);  // shortcuts towards the root
  for (int p = 0; p < static_cast<int>(start.size()) - 1; ++p) {
    const int row = std::min(p, leading);
    for (int k = start[at(p)]; k < start[at(p) + 1]; ++k) {
      for (int q = column[at(k)], next = 0; q < row; q = next) {
        next = ancestor_[at(q)];
        ancestor_[at(q)] = row;
        if (next >= 0) continue;
        parent[at(q)] = row;
        break;
      }
    }
  }
}

/// Row p of the factor: the paths in the tree from the couples of p up to p.
bool NodalTree::count_columns(std::size_t most) {
  count.assign(at(leading), 0);
  seen_.assign(at(leading), -1);
  std::size_t found = 0;
  for (int p = 0; p < static_cast<int>(start.size()) - 1; ++p) {
    const int row = std::min(p, leading);
    for (int k = start[at(p)]; k < start[at(p) + 1]; ++k) {
      for (int q = column[at(k)]; q < row && seen_[at(q)] != p; q = parent[at(q)]) {
        seen_[at(q)] = p;
        ++count[at(q)];
        ++found;
      }
    }
    if (found > most) return false;
  }
  return true;
}

std::span<const int> NodalTree::postorder() {
  // Children of each, the largest first: the last to be put on the stack below is the first to be left.
  by_size_.resize(at(leading));
  std::iota(by_size_.begin(), by_size_.end(), 0);
  std::sort(by_size_.begin(), by_size_.end(),
            [&](int a, int b) { return count[at(a)] != count[at(b)] ? count[at(a)] < count[at(b)] : a < b; });
  child_.assign(at(leading) + 1, -1);
  sibling_.assign(at(leading), -1);
  for (const int p : by_size_) {
    const int above = parent[at(p)] < 0 ? leading : parent[at(p)];
    sibling_[at(p)] = child_[at(above)];
    child_[at(above)] = p;
  }
  // Written from the end: a node before all that is below it, its largest child's subtree next.
  order_.resize(at(leading));
  stack_.clear();
  int end = leading;
  const auto push_children = [&](int p) {
    const std::size_t first = stack_.size();
    for (int c = child_[at(p)]; c >= 0; c = sibling_[at(c)]) stack_.push_back(c);
    std::reverse(stack_.begin() + static_cast<std::ptrdiff_t>(first), stack_.end());
  };
  push_children(leading);
  while (!stack_.empty()) {
    const int p = stack_.back();
    stack_.pop_back();
    order_[at(--end)] = p;
    push_children(p);
  }
  return order_;
}

double NodalTree::flops() const {
  double sum = 0;
  for (const int c : count) {
    const double rows = 3.0 * c;
    sum += rows * rows + (rows + 1) * (rows + 1) + (rows + 2) * (rows + 2);
  }
  return sum;
}

}  // namespace uzawa
