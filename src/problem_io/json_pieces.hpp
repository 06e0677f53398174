#pragma once

#include "uzawa/math/nodal/nodal_pieces.hpp"
#include "uzawa/problem_io/json_element.hpp"

namespace uzawa {

/// The list "pieces" of a block of nodes: for each piece its "nodes" (of the block, ascending), their "shares" and "A",
/// its part of the block's matrix, whose pattern is `whole`.
NodalPieces read_pieces(const JsonElement& list, const NodalPattern& whole);

}  // namespace uzawa
