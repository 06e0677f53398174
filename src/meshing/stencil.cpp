#include "uzawa/meshing/stencil.hpp"

#include "uzawa/meshing/kuhn.hpp"

namespace uzawa {

namespace {

using Corners = std::array<std::size_t, 4>;

bool is_long_edge(const BccLattice::Place& a, const BccLattice::Place& b) { return ((a[0] ^ b[0]) & 1) == 0; }

/// The face of corners `first` and `second`, inside, and `out`, outside, is cut to a trapezoid. Neighbouring tetrahedra
/// must split it alike, so the rule looks at nothing but the face. True: the diagonal runs from `first` to the cut
/// beside `second`.
bool diagonal_from_first(const CutTet& tet, std::size_t first, std::size_t second, std::size_t out) {
  const BccLattice::Place &a = tet.places[first], &b = tet.places[second], &c = tet.places[out];
  // A face has one long edge. Where it is cut, the diagonal ends at that cut.
  if (is_long_edge(b, c)) return true;
  if (is_long_edge(a, c)) return false;
  // Else both cut edges are short, and parity decides: just one of the two has an even number of coordinates above c.
  const int above = (a[0] > c[0]) + (a[1] > c[1]) + (a[2] > c[2]);
  return above % 2 == 0;
}

/// Three tetrahedra between the triangles a and b. diagonal[k] is that of the wall between edges k and k + 1: true from
/// a[k] to b[k + 1], false from a[k + 1] to b[k]. They must not form a cycle: some a[k] has two of them.
void fill_prism(TetMesh& mesh, const std::array<int, 3>& a, const std::array<int, 3>& b,
                const std::array<bool, 3>& diagonal) {
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t next = (k + 1) % 3, last = (k + 2) % 3;
    if (!diagonal[k] || diagonal[last]) continue;  // not both walls beside a[k] have their diagonal there
    add_tet(mesh, {a[k], b[0], b[1], b[2]});
    const std::size_t low = diagonal[next] ? next : last, high = diagonal[next] ? last : next;  // a[low] to b[high]
    add_tet(mesh, {a[k], a[low], a[high], b[high]});
    add_tet(mesh, {a[k], a[low], b[high], b[low]});
    return;
  }
}

/// Two corners inside, two outside: a prism along the edge between the first two.
void fill_two_inside(TetMesh& mesh, const CutTet& tet, const Corners& in, const Corners& out) {
  const std::array<int, 3> a = {tet.nodes[in[0]], tet.cuts[in[0]][out[0]], tet.cuts[in[0]][out[1]]};
  const std::array<int, 3> b = {tet.nodes[in[1]], tet.cuts[in[1]][out[0]], tet.cuts[in[1]][out[1]]};
  const bool first = diagonal_from_first(tet, in[0], in[1], out[0]);
  const bool second = diagonal_from_first(tet, in[0], in[1], out[1]);
  // The wall on the isosurface has no neighbour. In a cycle there would be no way to fill the prism; where both ways
  // are open, the shorter diagonal.
  const auto length = [&](int from, int to) {
    return norm(mesh.nodes[static_cast<std::size_t>(from)] - mesh.nodes[static_cast<std::size_t>(to)]);
  };
  const bool free = first == second;
  const bool outer = free ? length(a[1], b[2]) <= length(a[2], b[1]) : second;
  fill_prism(mesh, a, b, {first, outer, !second});
}

void fill_three_inside(TetMesh& mesh, const CutTet& tet, const Corners& in, std::size_t out) {
  std::array<int, 3> a{}, b{};
  std::array<bool, 3> diagonal{};
  for (std::size_t k = 0; k < 3; ++k) {
    a[k] = tet.nodes[in[k]];
    b[k] = tet.cuts[in[k]][out];
    diagonal[k] = diagonal_from_first(tet, in[k], in[(k + 1) % 3], out);
  }
  fill_prism(mesh, a, b, diagonal);
}

/// Two corners inside, one on the surface: a pyramid over the trapezoid of the opposite face.
void fill_pyramid(TetMesh& mesh, const CutTet& tet, Corners in, std::size_t on, std::size_t out) {
  if (!diagonal_from_first(tet, in[0], in[1], out)) std::swap(in[0], in[1]);
  const int from = tet.nodes[in[0]], to = tet.cuts[in[1]][out];
  add_tet(mesh, {tet.nodes[on], from, tet.nodes[in[1]], to});
  add_tet(mesh, {tet.nodes[on], from, to, tet.cuts[in[0]][out]});
}

}  // namespace

void fill_cut_tet(TetMesh& mesh, const CutTet& tet) {
  Corners in{}, on{}, out{};
  std::size_t inside = 0, surface = 0, outside = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    if (tet.side[k] > 0) in[inside++] = k;
    if (tet.side[k] == 0) on[surface++] = k;
    if (tet.side[k] < 0) out[outside++] = k;
  }
  if (inside == 0) return;
  if (outside == 0) {
    add_tet(mesh, tet.nodes);
  } else if (inside == 1) {
    std::array<int, 4> corner = tet.nodes;
    for (std::size_t k = 0; k < outside; ++k) corner[out[k]] = tet.cuts[in[0]][out[k]];
    add_tet(mesh, corner);
  } else if (inside == 3) {
    fill_three_inside(mesh, tet, in, out[0]);
  } else if (outside == 2) {
    fill_two_inside(mesh, tet, in, out);
  } else {
    fill_pyramid(mesh, tet, in, on[0], out[0]);
  }
}

}  // namespace uzawa
