#pragma once

#include <span>
#include <utility>
#include <vector>

#include "uzawa/base/at.hpp"

namespace uzawa {

/// Elimination order of the nodes of a symmetric matrix, and the couplings (with fill-in) of each node when it is
/// eliminated: approximate minimum degree on the quotient graph (Amestoy, Davis, Duff 1996). A node has weight one
/// whatever its size: otherwise a trunk would at times be eliminated before its limbs, which couples them. Own code,
/// because contacts change from step to step: ordering a graph that is no larger than an earlier one allocates nothing.
class EliminationOrder {
 public:
  /// `coupled`: pairs (i, j), i > j, each once.
  void find(int count, std::span<const std::pair<int, int>> coupled);

  /// Nodes, first eliminated first.
  std::span<const int> nodes() const { return order_; }
  /// Nodes coupled with the p-th node when it is eliminated: all later in the order, unsorted.
  std::span<const int> column(int p) const {
    const std::size_t begin = member_start_[static_cast<std::size_t>(p)];
    return {members_.data() + begin, member_start_[static_cast<std::size_t>(p) + 1] - begin};
  }

 private:
  /// A node not yet eliminated: its range of `links_` has its neighbours at the front and, at the back, the columns
  /// (eliminated nodes) it belongs to. Each column replaces a neighbour, so the range is always large enough.
  struct Node {
    int first = 0, end = 0;
    int neighbours = 0, columns = 0;
    int degree = 0;
    bool eliminated = false;
  };
  /// Degrees in a heap, the least on top; entries that are out of date are skipped.
  struct Entry {
    int degree, node;
    bool operator<(const Entry& b) const { return degree != b.degree ? degree > b.degree : node > b.node; }
  };

  void link(int count, std::span<const std::pair<int, int>> coupled);
  int take_least();
  void eliminate(int index);
  void add_member(int node, int stamp);
  void forget_covered(Node& node, int stamp);
  void push(int node);
  std::span<const int> columns_of(const Node& n) const { return {links_.data() + n.end - n.columns, at(n.columns)}; }

  std::vector<Node> nodes_;
  std::vector<int> links_;
  std::vector<Entry> heap_;
  std::vector<int> order_, members_;
  std::vector<std::size_t> member_start_;
  std::vector<int> stamp_;                 ///< per node: the last column it was found to be a member of
  std::vector<int> column_at_;             ///< per node: its place in the order
  std::vector<int> column_size_;           ///< per column: its members; 0 where another has taken it in
  std::vector<int> outside_, outside_at_;  ///< per column: members beyond the column in hand, and for which that holds
};

}  // namespace uzawa
