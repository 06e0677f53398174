#pragma once

#include <array>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "uzawa/math/nodal/nodal_matrix.hpp"

namespace uzawa {

/// Pieces that a soft body or rod is cut into ([SUB] section III-A). Every element belongs to one piece, and a piece
/// has the nodes of its elements: nodes on a cut have a copy in each piece around them.
struct NodalPieceLayout {
  struct Piece {
    std::vector<int> node;      ///< per node of the piece: node of the whole, ascending
    std::vector<double> share;  ///< per node: of what no element has (mass, impulse); its copies' shares add up to 1
    std::shared_ptr<const NodalPattern> pattern;
    std::vector<int> place;  ///< per block of the pattern: its block in the pattern of the whole

    /// Where a node of the whole is among the piece's; -1: it has no copy here.
    int find(int node_of_whole) const;
  };
  std::vector<Piece> pieces;
  std::vector<int> first;  ///< per node of the whole: the first piece that has it
};

/// `couples`: per piece, the pairs of nodes of the whole that its elements couple, possibly more than once; a node of
/// the whole that no element has goes to the first piece. A copy's share is in proportion to the pairs it is in.
/// `whole` must have all pairs.
NodalPieceLayout make_piece_layout(const NodalPattern& whole,
                                   std::span<const std::vector<std::pair<int, int>>> couples);

/// A matrix as the sum of its pieces, A = sum R_p^T A_p R_p with R_p from the nodes of the whole to those of piece p.
/// Each A_p is positive definite if it is made of elements and of positive masses.
struct NodalPieces {
  std::shared_ptr<const NodalPieceLayout> layout;
  std::vector<NodalMatrix> part;  ///< per piece
  std::vector<std::array<double, 9>> scratch;

  /// All zero.
  void clear(const std::shared_ptr<const NodalPieceLayout>& of);
};

/// `whole` += the pieces.
void add_pieces(const NodalPieces& pieces, NodalMatrix& whole);
/// Adds to the diagonal blocks what the pieces lack of those of `whole`, by shares: masses, say.
void share_diagonal(const NodalMatrix& whole, NodalPieces& pieces);

}  // namespace uzawa
