#pragma once

#include <span>
#include <vector>

#include "uzawa/collision/broad/pair_filter.hpp"
#include "uzawa/collision/shapes/aabb.hpp"

namespace uzawa {

/// Which boxes may overlap. Each box lives in a fat one that it may move in without any work; a tree of the fat boxes
/// finds the pairs of those that have left theirs. The tree keeps its shape and is fitted to the boxes anew, until it
/// has become too loose and is rebuilt. Pairs are kept from step to step, sorted: the order does not depend on how they
/// were found.
class BroadPhase {
 public:
  /// `geoms`: those that have boxes, ascending.
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
  /// Nodes are in depth-first order: the first child follows its parent, `skip` is what follows the whole subtree.
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
