#pragma once

#include <span>
#include <vector>

#include "uzawa/model/soft_spec.hpp"

namespace uzawa {

/// Solids of tetrahedra can be cut, where no energy is shared between the elements around a node or an edge: averaged
/// dilatation and the bending of shells are.
bool can_be_cut(const SoftBodySpec& soft);

/// Piece of each node. By number: bisected again and again across the longest side of what is left, so that the pieces
/// are compact and have equal numbers of nodes. `rest`: per node, m.
std::vector<int> pieces_of_nodes(const SoftBodySpec& soft, std::span<const Vec3> rest);
/// Piece of each link. By number: consecutive links.
std::vector<int> pieces_of_links(const RodSpec& rod);

}  // namespace uzawa
