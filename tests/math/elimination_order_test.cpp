/// Order and fill against elimination by hand on the graph, and against Eigen's AMD for how good the order is.
#include "uzawa/math/elimination_order.hpp"

#include <gtest/gtest.h>

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <numeric>
#include <random>
#include <set>

namespace uzawa {
namespace {

using Couplings = std::vector<std::pair<int, int>>;

/// What each node is coupled with when its turn comes.
std::vector<std::set<int>> eliminate(const Couplings& coupled, std::span<const int> order) {
  std::vector<std::set<int>> graph(order.size()), columns;
  for (const auto& [i, j] : coupled) {
    graph[static_cast<std::size_t>(i)].insert(j);
    graph[static_cast<std::size_t>(j)].insert(i);
  }
  for (const int node : order) {
    const std::set<int> left = graph[static_cast<std::size_t>(node)];
    for (const int i : left) {
      graph[static_cast<std::size_t>(i)].insert(left.begin(), left.end());
      graph[static_cast<std::size_t>(i)].erase(i);
      graph[static_cast<std::size_t>(i)].erase(node);
    }
    columns.push_back(left);
  }
  return columns;
}

Couplings random_couplings(int nodes, int pairs, std::mt19937_64& random) {
  std::uniform_int_distribution<int> node(0, nodes - 1);
  std::set<std::pair<int, int>> found;
  for (int k = 0; k < pairs; ++k) {
    const int i = node(random), j = node(random);
    if (i != j) found.insert({std::max(i, j), std::min(i, j)});
  }
  return {found.begin(), found.end()};
}

/// Balls in a box: neighbours of a cubic lattice.
Couplings lattice(int side) {
  const auto node = [side](int x, int y, int z) { return (z * side + y) * side + x; };
  Couplings coupled;
  for (int z = 0; z < side; ++z) {
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        if (x > 0) coupled.emplace_back(node(x, y, z), node(x - 1, y, z));
        if (y > 0) coupled.emplace_back(node(x, y, z), node(x, y - 1, z));
        if (z > 0) coupled.emplace_back(node(x, y, z), node(x, y, z - 1));
      }
    }
  }
  std::sort(coupled.begin(), coupled.end());
  return coupled;
}

std::size_t fill_of(const std::vector<std::set<int>>& columns) {
  return std::accumulate(columns.begin(), columns.end(), std::size_t{0},
                         [](std::size_t sum, const std::set<int>& column) { return sum + column.size(); });
}

std::vector<int> amd_order(int nodes, const Couplings& coupled) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int k = 0; k < nodes; ++k) entries.emplace_back(k, k, 1.0);
  for (const auto& [i, j] : coupled) {
    entries.emplace_back(i, j, 1.0);
    entries.emplace_back(j, i, 1.0);
  }
  Eigen::SparseMatrix<double> graph(nodes, nodes);
  graph.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
  Eigen::AMDOrdering<int>()(graph, permutation);
  return {permutation.indices().data(), permutation.indices().data() + nodes};
}

TEST(EliminationOrderTest, ColumnsAreWhatEliminationLeaves) {
  std::mt19937_64 random(1);
  EliminationOrder order;  // the same for all: nothing of one graph may show in the next
  for (int round = 0; round < 200; ++round) {
    const int nodes = std::uniform_int_distribution<int>(1, 40)(random);
    const Couplings coupled = random_couplings(nodes, 3 * nodes * (round % 3), random);
    order.find(nodes, coupled);
    ASSERT_EQ(std::set<int>(order.nodes().begin(), order.nodes().end()).size(), static_cast<std::size_t>(nodes));
    const std::vector<std::set<int>> expected = eliminate(coupled, order.nodes());
    for (int p = 0; p < nodes; ++p) {
      const std::span<const int> column = order.column(p);
      EXPECT_EQ(std::set<int>(column.begin(), column.end()), expected[static_cast<std::size_t>(p)])
          << "round " << round;
      EXPECT_EQ(column.size(), expected[static_cast<std::size_t>(p)].size());
    }
  }
}

TEST(EliminationOrderTest, FillIsThatOfAmd) {
  std::mt19937_64 random(2);
  std::vector<std::pair<int, Couplings>> graphs = {{216, lattice(6)}, {1000, lattice(10)}};
  for (const int nodes : {100, 300}) graphs.emplace_back(nodes, random_couplings(nodes, 2 * nodes, random));
  for (const auto& [nodes, coupled] : graphs) {
    EliminationOrder order;
    order.find(nodes, coupled);
    const std::size_t ours = fill_of(eliminate(coupled, order.nodes()));
    const std::size_t amd = fill_of(eliminate(coupled, amd_order(nodes, coupled)));
    EXPECT_LT(static_cast<double>(ours), 1.15 * static_cast<double>(amd)) << nodes << " nodes";
  }
}

TEST(EliminationOrderTest, TreesHaveNoFill) {
  std::mt19937_64 random(3);
  Couplings coupled;  // of each node with a parent before it
  for (int i = 1; i < 100; ++i) coupled.emplace_back(i, std::uniform_int_distribution<int>(0, i - 1)(random));
  EliminationOrder order;
  order.find(100, coupled);
  for (int p = 0; p < 100; ++p) EXPECT_LE(order.column(p).size(), 1U) << p;
}

}  // namespace
}  // namespace uzawa
