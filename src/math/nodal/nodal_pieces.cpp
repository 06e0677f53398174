#include "uzawa/math/nodal/nodal_pieces.hpp"

#include <algorithm>
#include <array>

#include "uzawa/base/at.hpp"

namespace uzawa {

int NodalPieceLayout::Piece::find(int node_of_whole) const {
  const auto found = std::lower_bound(node.begin(), node.end(), node_of_whole);
  return found != node.end() && *found == node_of_whole ? static_cast<int>(found - node.begin()) : -1;
}

NodalPieceLayout make_piece_layout(const NodalPattern& whole,
                                   std::span<const std::vector<std::pair<int, int>>> couples) {
  NodalPieceLayout out;
  out.first.assign(at(whole.nodes()), -1);
  std::vector<double> total(at(whole.nodes()), 0.0);
  std::vector<int> count(at(whole.nodes()), 0), local(at(whole.nodes()), -1);
  for (const auto& of_piece : couples) {
    for (const auto& [i, j] : of_piece) ++total[at(i)], ++total[at(j)];
  }
  for (std::size_t p = 0; p < couples.size(); ++p) {
    NodalPieceLayout::Piece& piece = out.pieces.emplace_back();
    for (const auto& [i, j] : couples[p]) piece.node.insert(piece.node.end(), {i, j});
    for (int n = 0; p == 0 && n < whole.nodes(); ++n) {
      if (total[at(n)] == 0) piece.node.push_back(n);
    }
    std::sort(piece.node.begin(), piece.node.end());
    piece.node.erase(std::unique(piece.node.begin(), piece.node.end()), piece.node.end());
    for (const auto& [i, j] : couples[p]) ++count[at(i)], ++count[at(j)];
    for (std::size_t n = 0; n < piece.node.size(); ++n) {
      const std::size_t node = at(piece.node[n]);
      piece.share.push_back(total[node] == 0 ? 1 : count[node] / total[node]);
      count[node] = 0;
      local[node] = static_cast<int>(n);
      if (out.first[node] < 0) out.first[node] = static_cast<int>(p);
    }
    std::vector<std::pair<int, int>> own;
    for (const auto& [i, j] : couples[p]) own.emplace_back(local[at(i)], local[at(j)]);
    NodalPattern pattern = make_nodal_pattern(static_cast<int>(piece.node.size()), std::move(own));
    for (int row = 0; row < pattern.nodes(); ++row) {
      for (int k = pattern.start[at(row)]; k < pattern.start[at(row) + 1]; ++k) {
        const int column = pattern.column[at(k)];
        piece.place.push_back(static_cast<int>(whole.place(piece.node[at(row)], piece.node[at(column)])));
      }
    }
    piece.pattern = std::make_shared<const NodalPattern>(std::move(pattern));
  }
  return out;
}

void NodalPieces::clear(const std::shared_ptr<const NodalPieceLayout>& of) {
  layout = of;
  part.resize(of->pieces.size());
  for (std::size_t p = 0; p < part.size(); ++p) {
    part[p].pattern = of->pieces[p].pattern;
    part[p].clear();
  }
}

void add_pieces(const NodalPieces& pieces, NodalMatrix& whole) {
  for (std::size_t p = 0; p < pieces.part.size(); ++p) {
    const std::vector<int>& place = pieces.layout->pieces[p].place;
    for (std::size_t k = 0; k < place.size(); ++k) {
      const double* from = pieces.part[p].block(k);
      double* to = whole.block(at(place[k]));
      for (std::size_t i = 0; i < 9; ++i) to[i] += from[i];
    }
  }
}

void share_diagonal(const NodalMatrix& whole, NodalPieces& pieces) {
  const auto for_each = [&](auto&& visit) {
    for (std::size_t p = 0; p < pieces.part.size(); ++p) {
      const NodalPieceLayout::Piece& piece = pieces.layout->pieces[p];
      for (std::size_t n = 0; n < piece.node.size(); ++n) {
        visit(at(piece.node[n]), piece.share[n], pieces.part[p].block(piece.pattern->diagonal(static_cast<int>(n))));
      }
    }
  };
  std::vector<std::array<double, 9>>& lack = pieces.scratch;
  lack.resize(at(whole.nodes()));
  for (int n = 0; n < whole.nodes(); ++n) {
    std::copy_n(whole.block(whole.pattern->diagonal(n)), 9, lack[at(n)].begin());
  }
  for_each([&](std::size_t node, double, const double* block) {
    for (std::size_t i = 0; i < 9; ++i) lack[node][i] -= block[i];
  });
  for_each([&](std::size_t node, double share, double* block) {
    for (const auto& [upper, lower] : {std::pair{0, 0}, {4, 4}, {8, 8}, {1, 3}, {2, 6}, {5, 7}}) {
      const double mean = 0.5 * (block[upper] + block[lower] + share * (lack[node][at(upper)] + lack[node][at(lower)]));
      block[upper] = block[lower] = mean;
    }
  });
}

}  // namespace uzawa
