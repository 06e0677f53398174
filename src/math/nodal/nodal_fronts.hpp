#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "uzawa/math/nodal/nodal_pattern.hpp"
#include "uzawa/math/nodal/nodal_tree.hpp"

namespace uzawa {

/// A supernode: consecutive pivots whose columns of the factor have (almost) the same rows. Its part of the factor is a
/// triangle of the pivots and a rectangle of the rows below; what it changes in the later rows is its update.
struct NodalFront {
  int first = 0, pivots = 0;  ///< positions
  int row_start = 0, rows = 0;
  int parent = -1;  ///< front; the number of fronts where the last nodes are the parent; -1: a root
  int first_child = -1, sibling = -1;
  int entry_start = 0, entry_end = 0;
  int run_start = 0, run_end = 0;
  int own_pivot_rows = 0;  ///< rows that are pivots of the parent
  int triangle_stride = 0, rectangle_stride = 0;
  std::size_t triangle = 0, rectangle = 0;  ///< offsets in the factor
  int stack = 0;                            ///< which of two stacks the update is on, by depth in the tree: so both are
  std::size_t update = 0;                   ///< last in, first out; and the offset there
};

/// Where a block of A goes.
struct NodalEntry {
  int block;
  int stride;
  std::size_t offset;
  bool transposed;
};

/// Rows of a front that follow each other in its parent too: `length` of them, from row `from` to the parent's row
/// `to`, counted from its first pivot or, below the pivots, from its first row.
struct NodalRun {
  int from, to, length;
  bool below;
};

/// The plan of a multifrontal factorisation (Duff and Reid 1983): fronts in postorder, so that the updates of a front's
/// children are on top of a stack when it is its turn.
struct NodalFronts {
  int leading = 0, last = 0;
  std::vector<int> node_at;  ///< per position
  std::vector<NodalFront> fronts;
  std::vector<int> row;       ///< positions of the fronts' rows, ascending
  std::vector<int> relative;  ///< per row: where it is among the parent's pivots and rows
  std::vector<NodalRun> runs;
  std::vector<NodalEntry> entries;  ///< by front, then those of the last nodes
  int last_entry_start = 0;
  int last_stride = 0;
  std::size_t factor_size = 0, stack_size[2] = {0, 0};
  int most_pivots = 0, most_rows = 0;
  double flops = 0;
  std::size_t fill = 0;  ///< numbers in the factor, without the last nodes' own triangle

  /// `order`: all nodes; those in `last_nodes` go to the end, in the order given.
  void plan(const NodalPattern& pattern, std::span<const int> order, std::span<const int> last_nodes);

 private:
  void place_nodes(const NodalPattern& pattern, std::span<const int> order, std::span<const int> last_nodes);
  void merge_columns();
  void find_couples(const NodalPattern& pattern);
  void find_rows();
  void relate_to_parents();
  void lay_out();
  void place_entries(const NodalPattern& pattern);

  NodalTree tree_;
  std::vector<int> position_;
  struct Couple {
    int row, block;
  };
  std::vector<int> couple_start_;
  std::vector<Couple> couples_;  ///< per position: the later ones coupled with it, and A's block of both
  // Memory that later plans use again.
  std::vector<int> kept_, count_, parent_, next_, front_of_, seen_, index_;
  std::vector<NodalFront> merged_;
};

}  // namespace uzawa
