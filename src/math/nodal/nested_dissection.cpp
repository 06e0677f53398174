#include "uzawa/math/nodal/nested_dissection.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>

#include "uzawa/base/at.hpp"
#include "uzawa/math/elimination_order.hpp"
#include "uzawa/math/nodal/vertex_separator.hpp"

namespace uzawa {

namespace {

constexpr int kSmallPart = 40;         // nodes that are ordered by minimum degree
constexpr int kAttempts = 4;           // at a separator
constexpr int kAttemptNodes = 20'000;  // in all attempts at one, unless a single one has more

struct Part {
  WeightedGraph graph;
  std::vector<int> node;  ///< per vertex
};

Part whole(const NodalPattern& pattern) {
  const int count = pattern.nodes();
  Part part;
  WeightedGraph& graph = part.graph;
  part.node.resize(at(count));
  std::iota(part.node.begin(), part.node.end(), 0);
  graph.weight.assign(at(count), 1);
  std::vector<std::vector<int>> neighbours(at(count));
  for (int i = 0; i < count; ++i) {
    for (int k = pattern.start[at(i)]; k < pattern.start[at(i) + 1] - 1; ++k) {
      neighbours[at(i)].push_back(pattern.column[at(k)]);
      neighbours[at(pattern.column[at(k)])].push_back(i);
    }
  }
  for (const auto& list : neighbours) {
    graph.neighbour.insert(graph.neighbour.end(), list.begin(), list.end());
    graph.start.push_back(static_cast<int>(graph.neighbour.size()));
  }
  graph.edge_weight.assign(graph.neighbour.size(), 1);
  return part;
}

Part side_of(const Part& part, const Separation& separation, int side) {
  Part out;
  std::vector<int> vertex(part.node.size(), -1);
  for (std::size_t v = 0; v < part.node.size(); ++v) {
    if (separation.side[v] != side) continue;
    vertex[v] = static_cast<int>(out.node.size());
    out.node.push_back(part.node[v]);
  }
  for (std::size_t v = 0; v < part.node.size(); ++v) {
    if (vertex[v] < 0) continue;
    for (int e = part.graph.start[v]; e < part.graph.start[v + 1]; ++e) {
      const int other = vertex[at(part.graph.neighbour[at(e)])];
      if (other >= 0) out.graph.neighbour.push_back(other);
    }
    out.graph.start.push_back(static_cast<int>(out.graph.neighbour.size()));
  }
  out.graph.weight.assign(out.node.size(), 1);
  out.graph.edge_weight.assign(out.graph.neighbour.size(), 1);
  return out;
}

void append_by_degree(const Part& part, EliminationOrder& small, std::vector<int>& order) {
  std::vector<std::pair<int, int>> coupled;
  const int count = static_cast<int>(part.node.size());
  for (int v = 0; v < count; ++v) {
    for (int e = part.graph.start[at(v)]; e < part.graph.start[at(v) + 1]; ++e) {
      if (part.graph.neighbour[at(e)] < v) coupled.emplace_back(v, part.graph.neighbour[at(e)]);
    }
  }
  small.find(count, coupled);
  for (const int v : small.nodes()) order.push_back(part.node[at(v)]);
}

/// The best of several: the fewest nodes, and sides that are alike.
Separation best_separator(const WeightedGraph& graph, std::mt19937& random) {
  Separation best;
  const auto cost = [](const Separation& s) {
    return s.weight[2] * (1 + 0.3 * std::abs(s.weight[0] - s.weight[1]) / (s.weight[0] + s.weight[1] + 1));
  };
  const int attempts = std::clamp(kAttemptNodes / graph.vertices(), 1, kAttempts);
  for (int attempt = 0; attempt < attempts; ++attempt) {
    Separation found = find_separator(graph, random);
    if (attempt == 0 || cost(found) < cost(best)) best = std::move(found);
  }
  return best;
}

void dissect(const Part& part, std::mt19937& random, EliminationOrder& small, std::vector<int>& order) {
  if (part.node.size() <= at(kSmallPart)) {
    append_by_degree(part, small, order);
    return;
  }
  const Separation separation = best_separator(part.graph, random);
  if (separation.weight[0] == 0 || separation.weight[1] == 0) {
    append_by_degree(part, small, order);
    return;
  }
  for (const int side : {0, 1}) dissect(side_of(part, separation, side), random, small, order);
  append_by_degree(side_of(part, separation, 2), small, order);
}

}  // namespace

std::vector<int> nested_dissection(const NodalPattern& pattern) {
  std::mt19937 random(1);
  EliminationOrder small;
  std::vector<int> order;
  order.reserve(at(pattern.nodes()));
  dissect(whole(pattern), random, small, order);
  return order;
}

std::vector<int> minimum_degree(const NodalPattern& pattern) {
  EliminationOrder small;
  std::vector<int> order;
  append_by_degree(whole(pattern), small, order);
  return order;
}

}  // namespace uzawa
