#pragma once

#include "uzawa/collision/convex/epa.hpp"

namespace uzawa {

/// Distance or penetration of two convex cores, to rounding: GJK where they are apart, EPA where they overlap, Newton's
/// method on the normal where their surfaces are curved (GJK and EPA alone converge linearly there). Far where the gap
/// of the cores exceeds `limit`.
Proximity proximity(const ConvexPair& pair, double limit, Epa& epa);

/// Newton's method on the support function h of A - B over unit normals, whose minimum is minus the gap, from a normal
/// near it. True where it has converged.
bool refine(const ConvexPair& pair, Proximity& found);

}  // namespace uzawa
