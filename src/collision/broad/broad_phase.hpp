#pragma once

#include <span>
#include <vector>

#include "uzawa/collision/broad/pair_filter.hpp"
#include "uzawa/collision/shapes/aabb.hpp"

namespace uzawa {

/// Pairs of overlapping boxes. Each box has a fat box around it; while it stays inside, it costs nothing. Boxes that
/// have left their fat box are searched for pairs in a tree of the fat boxes. The tree keeps its topology and is
/// refitted until it has become too loose and is rebuilt. Pairs are kept from step to step and sorted, so that their
/// order does not depend on the search.
class BroadPhase {
 public:
  /// `geoms`: geoms with boxes, ascending.
  BroadPhase(std::vector<int> geoms, const PairFilter& filter);

  /// `boxes` are indexed by geom.
  void update(std::span<const Aabb> boxes);

  /// Pairs (geom1 < geom2) whose fat boxes overlap and that may touch, ascending. All pairs of overlapping boxes are
  /// among them.
  std::span<const PairKey> pairs() const { return pairs_; }

  struct Stats {
    int moved = 0;     ///< boxes that left their fat ones in the last update
    int rebuilds = 0;  ///< of the tree, ever
  };
  const Stats& stats() const { return stats_; }

 private:
  /// Nodes are in depth-first order: the first child follows its parent, `skip` is the node after the whole subtree.
  struct Node {
    Aabb box;
    int skip = 0;
    int leaf = -1;  ///< index into geoms_; -1: inner node
  };

  void fatten(std::span<const Aabb> boxes);
  void refit();
  void rebuild();
  void build(int begin, int end);
  void find_new_pairs();
  void merge_pairs();

  std::vector<int> geoms_;
  const PairFilter& filter_;
  std::vector<Aabb> fat_;        ///< per index of geoms_
  std::vector<char> has_moved_;  ///< per index of geoms_
  std::vector<int> index_of_;    ///< per geom: index of geoms_
  std::vector<int> moved_, order_;
  std::vector<Vec3> centers_;
  std::vector<Node> nodes_;
  std::vector<PairKey> pairs_, found_, merged_;
  double built_cost_ = 0;
  bool first_ = true;
  Stats stats_;
};

}  // namespace uzawa
