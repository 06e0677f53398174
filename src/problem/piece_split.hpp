#pragma once

#include <span>
#include <vector>

#include "uzawa/problem/problem.hpp"

namespace uzawa {

/// A problem with its soft bodies and rods in pieces, each a block of its own ([SUB] section III-A): with v_p the
/// velocities of piece p, A = sum R_p^T A_p R_p, and shares b_p of b,
///
///     A_p v_p = b_p + J_p^T lambda + T_p^T tau,        sum T_p v_p = 0
///
/// where the rows T tie the copies of a node on a cut to each other, one row a dof and a pair of copies. The two
/// problems have the same v and the same lambda, exactly. Rows of the whole keep their places; ties follow them.
///
/// [SUB] does not say how stiffness and mass of nodes on a cut are divided, nor on which copy a constraint acts: here
/// each element's stiffness goes to its own piece, masses and b by the share of a piece in the elements around a node,
/// and constraints act on a piece that has all of their nodes, the first of several. [SUB] couples groups of links of
/// a cable by soft rows; here the last joint of a group has a copy of the next group's link, which is tied to it, so
/// that rods and solids are cut in one way.
class PieceSplit {
 public:
  /// False where no block has pieces: nothing to do. Otherwise `problem` is the problem in pieces.
  [[nodiscard]] bool split(const Problem& whole);
  const Problem& problem() const { return split_; }
  int ties() const { return static_cast<int>(ties_.size()); }  ///< rows

  /// Impulses of the problem in pieces, with those of the ties that make all copies move with v. `v` solves the whole
  /// problem with impulses `lambda`; `rows`: J of the problem in pieces.
  void split_impulses(const Problem& whole, const SparseRows& rows, std::span<const double> lambda,
                      std::span<const double> v, std::span<double> out);
  /// v of the whole, from velocities of the pieces: of a node with copies, the mean by shares.
  void merge_velocity(const Problem& whole, std::span<const double> v_of_pieces, std::span<double> v) const;

 private:
  /// A copy of a node: which block here, which node of it.
  struct Copy {
    int block = -1, node = 0;
  };
  /// A tie between a dof of two copies.
  struct Tie {
    int first, second;  ///< dofs of the problem in pieces
    double weight;      ///< coefficient of the row
  };
  /// Where a block of the whole went.
  struct Source {
    const BlockPieces* pieces = nullptr;  ///< null: it is taken over as it is
    int block = 0;                        ///< its (first) block here
  };

  void split_blocks(const Problem& whole);
  void copy_constraints(const Problem& whole);
  void attach(const Problem& whole, const Attachment& from);
  void attach_nodes(const Attachment& from, const Source& to);
  void attach_rows(const SparseRows& rows, const Attachment& from, const Source& to);
  void add_ties(const Problem& whole);
  void tie(const Copy& first, const Copy& second);
  double tie_weight(const Copy& first, const Copy& second) const;
  double diagonal_mean(const Copy& copy) const;
  template <typename Visit>
  void for_each_copy(const Problem& whole, std::size_t block, Visit&& visit) const;

  Problem split_;
  std::vector<Source> sources_;             ///< per block of the whole
  std::vector<Tie> ties_;                   ///< in the order of their rows
  std::size_t explicit_rows_ = 0;           ///< of split_.attachment_rows in use
  std::vector<double> block_mean_;          ///< per block here, if it is a piece: of the diagonal
  std::vector<Copy> last_copy_;             ///< per node of a block, scratch
  std::vector<Attachment> sides_;           ///< of one constraint, scratch
  std::vector<int> piece_of_entry_, used_;  ///< scratch of attach_rows
  std::vector<double> copies_v_, rest_;     ///< scratch of split_impulses
};

}  // namespace uzawa
