#include "uzawa/model/piece_choice.hpp"

#include <algorithm>
#include <numeric>

#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

// As in [SUB] section IV: a beam of 1591 nodes has 20 pieces, a cable four links a piece.
constexpr int kNodesPerPiece = 80, kLinksPerPiece = 4;

/// As asked for, or by size; never more than there are nodes or links.
int piece_count(const PieceSpec& pieces, std::size_t size, int per_piece) {
  const int most = static_cast<int>(size);
  const int wanted = pieces.count > 0 ? pieces.count : (most + per_piece / 2) / per_piece;
  return std::clamp(wanted, 1, std::max(1, most));
}

void bisect(std::span<const Vec3> x, std::span<int> nodes, int first, int count, std::vector<int>& piece) {
  if (count == 1) {
    for (const int n : nodes) piece[at(n)] = first;
    return;
  }
  Vec3 low = x[at(nodes[0])], high = low;
  for (const int n : nodes) {
    for (int k = 0; k < 3; ++k) {
      low.set(k, std::min(low[k], x[at(n)][k]));
      high.set(k, std::max(high[k], x[at(n)][k]));
    }
  }
  const Vec3 size = high - low;
  const int axis = size.x() >= size.y() && size.x() >= size.z() ? 0 : size.y() >= size.z() ? 1 : 2;
  const int left = count / 2;
  const std::size_t middle = nodes.size() * at(left) / at(count);
  std::sort(nodes.begin(), nodes.end(),
            [&](int a, int b) { return x[at(a)][axis] != x[at(b)][axis] ? x[at(a)][axis] < x[at(b)][axis] : a < b; });
  bisect(x, nodes.first(middle), first, left, piece);
  bisect(x, nodes.subspan(middle), first + left, count - left, piece);
}

}  // namespace

bool can_be_cut(const SoftBodySpec& soft) {
  return soft.triangles.empty() && !soft.tets.empty() && !soft.material.averaged_dilatation;
}

std::vector<int> pieces_of_nodes(const SoftBodySpec& soft, std::span<const Vec3> rest) {
  if (!soft.pieces.of.empty()) return soft.pieces.of;
  std::vector<int> piece(rest.size(), 0);
  const int count = can_be_cut(soft) ? piece_count(soft.pieces, rest.size(), kNodesPerPiece) : 1;
  if (count == 1) return piece;
  std::vector<int> nodes(rest.size());
  std::iota(nodes.begin(), nodes.end(), 0);
  bisect(rest, nodes, 0, count, piece);
  return piece;
}

std::vector<int> pieces_of_links(const RodSpec& rod) {
  if (!rod.pieces.of.empty()) return rod.pieces.of;
  const std::size_t links = rod.bodies.size(), count = at(piece_count(rod.pieces, links, kLinksPerPiece));
  std::vector<int> piece(links);
  for (std::size_t k = 0; k < links; ++k) piece[k] = static_cast<int>(k * count / links);
  return piece;
}

}  // namespace uzawa
