#pragma once

#include <span>
#include <vector>

#include "uzawa/math/vec3.hpp"
#include "uzawa/problem/compact_rows.hpp"
#include "uzawa/problem/problem.hpp"

namespace uzawa {

/// Some columns of J by constraint. All constraints have three rows: t1, t2, n of a contact, while a scalar row is the
/// third and the others are zero.
struct RowPieces {
  std::vector<int> start{0};  ///< per constraint, and one more
  std::vector<int> column;    ///< per entry: dof in v
  std::vector<Vec3> value;    ///< per entry: that column of the three rows

  void clear() {
    start.assign(1, 0);
    column.clear();
    value.clear();
  }
  std::size_t begin(int c) const { return static_cast<std::size_t>(start[static_cast<std::size_t>(c)]); }
  std::size_t end(int c) const { return static_cast<std::size_t>(start[static_cast<std::size_t>(c) + 1]); }
  bool empty(int c) const { return begin(c) == end(c); }

  Vec3 velocity(int c, const double* v) const {
    Vec3 u;
    for (std::size_t k = begin(c); k < end(c); ++k) u += value[k] * v[column[k]];
    return u;
  }
};

/// Contact nodalization ([COND] section III-A) as a view over a Problem: every constraint acts on nodes that no other
/// one acts on, so that with a step size that is one number a node, a surrogate problem falls apart into constraints
/// and each of those into its axes ([COND] Prop. 3).
///
/// J = D + V. D, the direct part: sides of constraints on nodes of soft bodies of their own. The paper asks for a
/// contact frame on one node; weighted nodes do as well, because D W D^T is a multiple of the identity for them, too.
/// V, the virtual part: sides on rigid bodies, links, coordinates, or on nodes that another constraint has taken. They
/// act on a virtual node z with a damper in between, z = V v + (lambda - lag) / k ([COND] eq. 14-17). A virtual node
/// here is the relative velocity of all virtual sides of a constraint: two of the paper's, in series.
class Nodalization {
 public:
  /// `diagonal_blocks`: per block, whether its nodes have step sizes of their own. Allocates only for larger problems
  /// than before.
  void build(const Problem& problem, const CompactRows& rows, std::span<const char> diagonal_blocks);

  int constraints() const { return static_cast<int>(slot_.size()); }
  const RowPieces& direct() const { return direct_; }
  const RowPieces& virtual_part() const { return virtual_; }
  /// Place of a constraint's virtual node among them; -1: it has none.
  int slot(int c) const { return slot_[static_cast<std::size_t>(c)]; }
  /// The constraints with virtual nodes, in the order of slots.
  std::span<const int> owners() const { return owner_; }
  int virtual_nodes() const { return static_cast<int>(owner_.size()); }
  /// Number of virtual sides of a constraint: blocks.
  int sides(int c) const { return sides_[static_cast<std::size_t>(c)]; }
  /// Whether the virtual part of a constraint acts on nodes on which direct parts of others act.
  bool shares_nodes(int c) const { return shares_[static_cast<std::size_t>(c)] != 0; }
  /// sum of V^T y over the virtual nodes at one dof; y by slot.
  double transposed(int dof, const Vec3* y) const {
    double sum = 0;
    for (int k = dof_start_[static_cast<std::size_t>(dof)]; k < dof_start_[static_cast<std::size_t>(dof) + 1]; ++k) {
      const Entry& entry = of_dof_[static_cast<std::size_t>(k)];
      sum += dot(entry.value, y[entry.slot]);
    }
    return sum;
  }

 private:
  struct Side {
    int first = 0, count = 0;  ///< columns of the constraint
    bool direct = false;
  };
  struct Entry {
    Vec3 value;
    int slot;
  };
  void find_sides(const Problem& problem, const CompactRows& rows);
  void choose_direct(const Problem& problem, const CompactRows& rows, std::span<const char> diagonal_blocks);
  void split(const CompactRows& rows);
  void transpose(int dofs);

  RowPieces direct_, virtual_;
  std::vector<int> slot_, owner_, sides_;
  std::vector<int> side_start_;  ///< per constraint, and one more
  std::vector<Side> side_;
  std::vector<int> block_of_;  ///< per dof
  std::vector<char> taken_;    ///< per dof: a direct part acts on it
  std::vector<char> shares_;   ///< per constraint
  std::vector<int> dof_start_;
  std::vector<Entry> of_dof_;
};

}  // namespace uzawa
