#pragma once

#include <span>
#include <vector>

#include "uzawa/problem/problem.hpp"

namespace uzawa {

/// A connected piece of a problem: subsystems that constraints join, directly or through others. Islands are
/// independent of each other: they are solved in any order, and one that needs many iterations adds none to the others.
struct Island {
  std::vector<int> blocks;       ///< of the whole problem, in its order
  std::vector<int> constraints;  ///< of the whole problem, in its order
  int rows = 0;                  ///< of its constraints
  Problem problem;               ///< by IslandSplit::extract
};

/// Splits problems into islands: all that have constraints, in the order of their first constraint. Blocks that no
/// constraint touches are in none: their v is A^-1 b. A constraint without attachments is an island by itself, without
/// blocks. Splitting again reuses all memory: it allocates only where something is larger than before.
class IslandSplit {
 public:
  /// Finds blocks and constraints of all islands.
  void split(const Problem& problem);
  int count() const { return count_; }
  const Island& island(int i) const { return slots_[static_cast<std::size_t>(i)].island; }
  /// Fills in island i's own problem. Different islands may be extracted by different threads.
  const Problem& extract(const Problem& problem, int i);
  /// The blocks that no constraint touches, as an island without constraints; its problem is filled in.
  const Island& extract_rest(const Problem& problem);

 private:
  /// An island, with spare elements of larger islands before it whose memory is reused.
  struct Slot {
    Island island;
    std::vector<TreeInertia> spare_trees;
    std::vector<NodalMatrix> spare_nodal;
    std::vector<SparseBlock> spare_sparse;
    std::vector<SparseRows> spare_rows;
    std::vector<Attachment> attachments;  // scratch
  };

  int group_of(int block);
  int add_island();
  const Problem& extract(const Problem& problem, Slot& slot) const;
  void copy_blocks(const Problem& problem, Slot& slot) const;
  void copy_constraint(const Problem& problem, int c, std::size_t& explicit_rows, Slot& slot) const;

  int count_ = 0;
  std::vector<Slot> slots_;           ///< grows only
  Slot rest_;                         ///< blocks that are in no island
  std::vector<int> parent_;           ///< disjoint sets of blocks
  std::vector<int> island_of_group_;  ///< by the set's representative
  std::vector<int> new_block_;        ///< position of a block in its island
};

/// Copies an island's impulses to their place in the whole problem.
void gather_impulses(const Problem& problem, const Island& island, std::span<const double> island_lambda,
                     std::span<double> lambda);
/// Copies impulses of the whole problem to those of an island.
void scatter_impulses(const Problem& problem, const Island& island, std::span<const double> lambda,
                      std::span<double> island_lambda);

/// Copies velocities of an island's blocks to their place in the whole problem.
void gather_velocities(const Problem& problem, const Island& island, std::span<const double> island_v,
                       std::span<double> v);
/// Copies velocities of the whole problem to those of an island's blocks.
void scatter_velocities(const Problem& problem, const Island& island, std::span<const double> v,
                        std::span<double> island_v);

}  // namespace uzawa
