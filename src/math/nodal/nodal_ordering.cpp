#include "uzawa/math/nodal/nodal_ordering.hpp"

#include <numeric>
#include <utility>

#include "uzawa/base/at.hpp"
#include "uzawa/math/nodal/nested_dissection.hpp"
#include "uzawa/math/nodal/nodal_tree.hpp"

namespace uzawa {

namespace {

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
  NodalOrdering nested = judged(NodalOrdering::Kind::nested_dissection, nested_dissection(pattern), pattern, no_fill);
  if (nested.flops < best.flops) best = std::move(nested);
  return best;
}

}  // namespace uzawa
