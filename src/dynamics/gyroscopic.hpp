#pragma once

#include "uzawa/math/spatial.hpp"

namespace uzawa {

/// Change of the angular momentum of a free body within a step of h seconds, in axes that turn with it: I (w' - w) =
/// -h m x I m with m = (w + w')/2, the implicit midpoint rule. It keeps w I w and |I w| exactly, where the explicit
/// -h w x I w adds energy in every step.
Vec3 gyroscopic_impulse(const Sym3& inertia, const Vec3& w, double h);

}  // namespace uzawa
