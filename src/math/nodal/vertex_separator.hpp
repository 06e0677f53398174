#pragma once

#include <random>
#include <vector>

namespace uzawa {

/// An undirected graph; each edge is there from both sides.
struct WeightedGraph {
  std::vector<int> start{0};
  std::vector<int> neighbour, edge_weight;  ///< per edge
  std::vector<int> weight;                  ///< per vertex

  int vertices() const { return static_cast<int>(weight.size()); }
};

/// Sides 0 and 1, between which no edge runs, and 2, the separator.
struct Separation {
  std::vector<int> side;  ///< per vertex
  int weight[3] = {0, 0, 0};
};

/// A small separator that leaves both sides about equal: the graph is coarsened by heavy edges, separated where it is
/// small, and the separator is refined on the way back (Hendrickson and Rothberg 1998; Karypis and Kumar 1998, METIS).
Separation find_separator(const WeightedGraph& graph, std::mt19937& random);

}  // namespace uzawa
