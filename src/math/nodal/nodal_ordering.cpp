#include "uzawa/math/nodal/nodal_ordering.hpp"

#include <numeric>
#include <utility>

#include "uzawa/base/at.hpp"
#include "uzawa/math/elimination_order.hpp"
#include "uzawa/math/nodal/nodal_tree.hpp"

namespace uzawa {

namespace {

std::vector<int> minimum_degree(const NodalPattern& pattern) {
  std::vector<std::pair<int, int>> coupled;
  coupled.reserve(pattern.blocks());
  for (int i = 0; i < pattern.nodes(); ++i) {
    for (int k = pattern.start[at(i)]; k < pattern.start[at(i) + 1] - 1; ++k) {
      coupled.emplace_back(i, pattern.column[at(k)]);
    }
  }
  EliminationOrder order;
  order.find(pattern.nodes(), coupled);
  return {order.nodes().begin(), order.nodes().end()};
}

NodalOrdering judged(NodalOrdering::Kind kind, std::vector<int> nodes, const NodalPattern& pattern, bool& no_fill) {
  NodalOrdering out{kind, std::move(nodes), 0};
  std::vector<int> position(out.nodes.size());
  for (std::size_t p = 0; p < position.size(); ++p) position[at(out.nodes[p])] = static_cast<int>(p);
  NodalTree tree;
  tree.find(pattern, position, pattern.nodes());
  tree.count_columns();
  out.flops = tree.flops();
  no_fill = std::accumulate(tree.count.begin(), tree.count.end(), std::size_t{0}) == tree.column.size();
  return out;
}

}  // namespace

NodalOrdering choose_nodal_ordering(const NodalPattern& pattern) {
  std::vector<int> natural(at(pattern.nodes()));
  std::iota(natural.begin(), natural.end(), 0);
  bool no_fill = false;
  NodalOrdering best = judged(NodalOrdering::Kind::natural, std::move(natural), pattern, no_fill);
  if (no_fill) return best;
  NodalOrdering degree = judged(NodalOrdering::Kind::minimum_degree, minimum_degree(pattern), pattern, no_fill);
  if (degree.flops < best.flops) best = std::move(degree);
  return best;
}

}  // namespace uzawa
