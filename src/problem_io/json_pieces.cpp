#include "uzawa/problem_io/json_pieces.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "uzawa/base/at.hpp"
#include "uzawa/math/nodal/nodal_rows.hpp"
#include "uzawa/problem_io/json_matrix.hpp"
#include "uzawa/problem_io/triplets.hpp"

namespace uzawa {

namespace {

bool has_block(const NodalPattern& pattern, int row, int column) {
  const auto begin = pattern.column.begin();
  return std::binary_search(begin + pattern.start[at(row)], begin + pattern.start[at(row) + 1], column);
}

NodalMatrix read_piece(const JsonElement& element, const NodalPattern& whole, NodalPieceLayout::Piece& piece) {
  element.require_keys({"nodes", "shares", "A"});
  piece.node = element["nodes"].integers(0, whole.nodes() - 1);
  const auto not_ascending = std::adjacent_find(piece.node.begin(), piece.node.end(), std::greater_equal<>());
  if (piece.node.empty() || not_ascending != piece.node.end())
    element["nodes"].fail("must be nodes in ascending order");
  piece.share = element["shares"].numbers(piece.node.size());
  const JsonElement a = element["A"];
  const int size = 3 * static_cast<int>(piece.node.size());
  NodalMatrix part = nodal_from_lower(lower_triangle(read_matrix(a, size, size), a.source(), a.path()));
  piece.pattern = part.pattern;
  for (int row = 0; row < part.nodes(); ++row) {
    for (int k = piece.pattern->start[at(row)]; k < piece.pattern->start[at(row) + 1]; ++k) {
      const int i = piece.node[at(row)], j = piece.node[at(piece.pattern->column[at(k)])];
      if (!has_block(whole, i, j)) {
        a.fail("couples nodes " + std::to_string(i) + " and " + std::to_string(j) + ", which the block does not");
      }
      piece.place.push_back(static_cast<int>(whole.place(i, j)));
    }
  }
  return part;
}

}  // namespace

NodalPieces read_pieces(const JsonElement& list, const NodalPattern& whole) {
  NodalPieceLayout layout;
  NodalPieces out;
  layout.first.assign(at(whole.nodes()), -1);
  std::vector<double> shares(at(whole.nodes()), 0.0);
  for (std::size_t p = 0; p < list.size(); ++p) {
    NodalPieceLayout::Piece& piece = layout.pieces.emplace_back();
    out.part.push_back(read_piece(list[p], whole, piece));
    for (std::size_t n = 0; n < piece.node.size(); ++n) {
      int& first = layout.first[at(piece.node[n])];
      if (first < 0) first = static_cast<int>(p);
      shares[at(piece.node[n])] += piece.share[n];
    }
  }
  constexpr double kRounding = 1e-9;
  for (int node = 0; node < whole.nodes(); ++node) {
    if (!(std::abs(shares[at(node)] - 1) <= kRounding)) {
      list.fail("have shares of node " + std::to_string(node) + " that do not add up to 1");
    }
  }
  out.layout = std::make_shared<const NodalPieceLayout>(std::move(layout));
  return out;
}

}  // namespace uzawa
