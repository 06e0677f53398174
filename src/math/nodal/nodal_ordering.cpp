#include "uzawa/math/nodal/nodal_ordering.hpp"

#include <limits>
#include <numeric>
#include <utility>

#include "uzawa/base/at.hpp"
#include "uzawa/math/nodal/nested_dissection.hpp"
#include "uzawa/math/nodal/nodal_tree.hpp"

namespace uzawa {

namespace {

constexpr std::size_t kNaturalFill = 30;  // a block of the matrix: beyond, the numbering is no order of elimination
constexpr std::size_t kDegreeFill =
    2'000'000;  // blocks of the best so far: beyond, minimum degree takes long, and loses

struct Judged {
  NodalOrdering ordering;
  std::size_t fill;
};

Judged judged(NodalOrdering::Kind kind, std::vector<int> nodes, const NodalPattern& pattern, std::size_t most_fill) {
  Judged out{{kind, std::move(nodes), std::numeric_limits<double>::infinity()}, most_fill};
  std::vector<int> position(out.ordering.nodes.size());
  for (std::size_t p = 0; p < position.size(); ++p) position[at(out.ordering.nodes[p])] = static_cast<int>(p);
  NodalTree tree;
  tree.find(pattern, position, pattern.nodes());
  if (!tree.count_columns(most_fill)) return out;
  out.ordering.flops = tree.flops();
  out.fill = tree.fill();
  return out;
}

}  // namespace

NodalOrdering choose_nodal_ordering(const NodalPattern& pattern) {
  constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();
  std::vector<int> natural(at(pattern.nodes()));
  std::iota(natural.begin(), natural.end(), 0);
  Judged best = judged(NodalOrdering::Kind::natural, std::move(natural), pattern, kNaturalFill * pattern.blocks());
  const std::size_t couples = pattern.blocks() - at(pattern.nodes());
  if (best.fill == couples) return best.ordering;  // as sparse as the matrix: none is better
  const auto challenge = [&](Judged other) {
    if (other.ordering.flops < best.ordering.flops) best = std::move(other);
  };
  challenge(judged(NodalOrdering::Kind::nested_dissection, nested_dissection(pattern), pattern, kAny));
  if (best.fill < kDegreeFill) {
    challenge(judged(NodalOrdering::Kind::minimum_degree, minimum_degree(pattern), pattern, kAny));
  }
  return best.ordering;
}

}  // namespace uzawa
