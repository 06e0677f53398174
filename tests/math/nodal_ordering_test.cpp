/// Orders of elimination and separators, by their definitions.
#include "uzawa/math/nodal/nodal_ordering.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "math/nodal_cases.hpp"
#include "uzawa/base/at.hpp"
#include "uzawa/math/nodal/nested_dissection.hpp"
#include "uzawa/math/nodal/nodal_tree.hpp"
#include "uzawa/math/nodal/vertex_separator.hpp"

namespace uzawa {
namespace {

using test::Couples;

void expect_permutation(std::vector<int> order, int nodes) {
  std::sort(order.begin(), order.end());
  std::vector<int> all(at(nodes));
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(order, all);
}

NodalTree tree_of(const NodalPattern& pattern, const std::vector<int>& order) {
  std::vector<int> position(order.size());
  for (std::size_t p = 0; p < order.size(); ++p) position[at(order[p])] = static_cast<int>(p);
  NodalTree tree;
  tree.find(pattern, position, pattern.nodes());
  tree.count_columns();
  return tree;
}

/// Couples of each position when it is eliminated, by hand.
std::vector<std::set<int>> eliminate(const NodalPattern& pattern, const std::vector<int>& order) {
  std::vector<std::set<int>> columns(order.size());
  std::vector<int> position(order.size());
  for (std::size_t p = 0; p < order.size(); ++p) position[at(order[p])] = static_cast<int>(p);
  for (int i = 0; i < pattern.nodes(); ++i) {
    for (int k = pattern.start[at(i)]; k < pattern.start[at(i) + 1] - 1; ++k) {
      const int p = position[at(i)], q = position[at(pattern.column[at(k)])];
      columns[at(std::min(p, q))].insert(std::max(p, q));
    }
  }
  for (auto& column : columns) {
    if (column.empty()) continue;
    columns[at(*column.begin())].insert(std::next(column.begin()), column.end());
  }
  return columns;
}

Couples shuffled(Couples couples, int nodes, std::mt19937& random) {
  std::vector<int> name(at(nodes));
  std::iota(name.begin(), name.end(), 0);
  std::shuffle(name.begin(), name.end(), random);
  for (auto& [i, j] : couples) i = name[at(i)], j = name[at(j)];
  return couples;
}

TEST(NodalTree, AgreesWithEliminationByHand) {
  std::mt19937 random(1);
  for (const int nodes : {1, 2, 10, 50, 120}) {
    const NodalPattern pattern = make_nodal_pattern(nodes, test::random_couples(nodes, 1.5, random));
    std::vector<int> order(at(nodes));
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    NodalTree tree = tree_of(pattern, order);
    const auto columns = eliminate(pattern, order);
    for (std::size_t p = 0; p < columns.size(); ++p) {
      EXPECT_EQ(tree.count[p], static_cast<int>(columns[p].size()));
      EXPECT_EQ(tree.parent[p], columns[p].empty() ? -1 : *columns[p].begin());
    }
    const std::span<const int> found = tree.postorder();
    const std::vector<int> post(found.begin(), found.end());
    expect_permutation(post, nodes);
    std::vector<int> place(at(nodes));
    for (int p = 0; p < nodes; ++p) place[at(post[at(p)])] = p;
    // Parents come later, and all between a node and the first of its subtree is in the subtree.
    std::vector<int> size(at(nodes), 1), first(place);
    for (const int p : post) {
      EXPECT_EQ(place[at(p)] - first[at(p)] + 1, size[at(p)]);
      const int parent = tree.parent[at(p)];
      if (parent < 0) continue;
      EXPECT_GT(place[at(parent)], place[at(p)]);
      size[at(parent)] += size[at(p)];
      first[at(parent)] = std::min(first[at(parent)], first[at(p)]);
    }
  }
}

TEST(NodalTree, GivesUpBeyondTheFillAllowed) {
  const NodalPattern pattern = make_nodal_pattern(64, test::grid_couples(4, 4, 4));
  std::vector<int> order(64);
  std::iota(order.begin(), order.end(), 0);
  NodalTree tree = tree_of(pattern, order);
  const std::size_t fill = tree.fill();
  EXPECT_TRUE(tree.count_columns(fill));
  EXPECT_FALSE(tree.count_columns(fill - 1));
}

TEST(VertexSeparator, SeparatesEvenlyWithFewVertices) {
  std::mt19937 random(2);
  struct Case {
    int x, y, z;
    int smallest;  ///< a separator that can't be beaten by much: the smallest cross-section
  };
  for (const Case& c : {Case{40, 1, 1, 1}, Case{20, 20, 1, 20}, Case{10, 10, 10, 100}, Case{40, 4, 4, 16}}) {
    const int nodes = c.x * c.y * c.z;
    const Couples couples = shuffled(test::grid_couples(c.x, c.y, c.z), nodes, random);
    std::vector<std::set<int>> neighbours(at(nodes));
    for (const auto& [i, j] : couples) {
      if (i != j) neighbours[at(i)].insert(j), neighbours[at(j)].insert(i);
    }
    WeightedGraph graph;
    graph.weight.assign(at(nodes), 1);
    for (const auto& list : neighbours) {
      graph.neighbour.insert(graph.neighbour.end(), list.begin(), list.end());
      graph.start.push_back(static_cast<int>(graph.neighbour.size()));
    }
    graph.edge_weight.assign(graph.neighbour.size(), 1);
    const Separation found = find_separator(graph, random);
    int weight[3] = {0, 0, 0};
    for (int i = 0; i < nodes; ++i) {
      ++weight[found.side[at(i)]];
      for (const int j : neighbours[at(i)]) EXPECT_NE(found.side[at(i)] + found.side[at(j)], 1) << i << " " << j;
    }
    for (int side = 0; side < 3; ++side) EXPECT_EQ(weight[side], found.weight[side]);
    EXPECT_LE(found.weight[2], 1.5 * c.smallest) << nodes;
    EXPECT_LE(std::max(weight[0], weight[1]), 0.6 * nodes + 1);
  }
}

TEST(NodalOrdering, IsAPermutationWhateverTheGraph) {
  std::mt19937 random(3);
  for (const int nodes : {1, 2, 79, 81, 300, 1000}) {
    for (const double couples : {0.0, 0.4, 1.0, 4.0}) {
      const NodalPattern pattern = make_nodal_pattern(nodes, test::random_couples(nodes, couples, random));
      expect_permutation(nested_dissection(pattern), nodes);
      expect_permutation(minimum_degree(pattern), nodes);
      const NodalOrdering chosen = choose_nodal_ordering(pattern);
      expect_permutation(chosen.nodes, nodes);
      EXPECT_EQ(chosen.flops, tree_of(pattern, chosen.nodes).flops());
    }
  }
}

/// A rod as it is numbered, a cube by nested dissection; never worse than any of the three.
TEST(NodalOrdering, TakesTheOneOfFewestFlops) {
  std::mt19937 random(4);
  const NodalPattern rod = make_nodal_pattern(200, test::grid_couples(100, 2, 1));
  EXPECT_EQ(choose_nodal_ordering(rod).kind, NodalOrdering::Kind::natural);
  for (const auto& [x, y, z] : std::vector<std::array<int, 3>>{{12, 12, 12}, {60, 4, 4}, {27, 27, 2}}) {
    const int nodes = x * y * z;
    const NodalPattern pattern = make_nodal_pattern(nodes, shuffled(test::grid_couples(x, y, z), nodes, random));
    const double least = std::min(tree_of(pattern, nested_dissection(pattern)).flops(),
                                  tree_of(pattern, minimum_degree(pattern)).flops());
    EXPECT_EQ(choose_nodal_ordering(pattern).flops, least);
  }
}

/// Sides of a box of nodes [low, high), then the plane between, across the longest side.
void dissect_box(std::array<int, 3> low, std::array<int, 3> high, const std::array<int, 3>& size,
                 std::vector<int>& out) {
  int longest = 0;
  for (int k = 0; k < 3; ++k) {
    if (high[at(k)] <= low[at(k)]) return;
    if (high[at(k)] - low[at(k)] > high[at(longest)] - low[at(longest)]) longest = k;
  }
  const int middle = (low[at(longest)] + high[at(longest)]) / 2;
  std::array<int, 3> end = high, begin = low;
  end[at(longest)] = middle;
  begin[at(longest)] = middle + 1;
  dissect_box(low, end, size, out);
  dissect_box(begin, high, size, out);
  low[at(longest)] = middle;
  high[at(longest)] = middle + 1;
  for (int i = low[0]; i < high[0]; ++i)
    for (int j = low[1]; j < high[1]; ++j)
      for (int k = low[2]; k < high[2]; ++k) out.push_back((i * size[1] + j) * size[2] + k);
}

/// Within a quarter of dissection by the nodes' coordinates, which it does not know. (Minimum degree: three times as
/// many flops on the cube.)
TEST(NodalOrdering, DissectsGridsLikeAGeometer) {
  std::mt19937 random(5);
  for (const std::array<int, 3>& size : {std::array{60, 60, 1}, {13, 13, 13}, {40, 8, 8}}) {
    const int nodes = size[0] * size[1] * size[2];
    const Couples couples = test::grid_couples(size[0], size[1], size[2]);
    std::vector<int> geometric;
    dissect_box({0, 0, 0}, size, size, geometric);
    const double best = tree_of(make_nodal_pattern(nodes, couples), geometric).flops();
    const NodalPattern pattern = make_nodal_pattern(nodes, shuffled(couples, nodes, random));
    EXPECT_LT(tree_of(pattern, nested_dissection(pattern)).flops(), 1.25 * best) << nodes;
  }
}

}  // namespace
}  // namespace uzawa
