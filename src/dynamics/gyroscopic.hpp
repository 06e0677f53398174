#pragma once

#include "uzawa/math/spatial.hpp"

namespace uzawa {

/// Angular velocity w' of a free body after a step of h seconds, in axes that turn with it: I (w' - w) = -h m x I m
/// with m = (w + w')/2, the implicit midpoint rule. It keeps w I w and |I w| exactly, where the explicit -h w x I w
/// adds energy in every step.
Vec3 turned_velocity(const Sym3& inertia, const Vec3& w, double h);

}  // namespace uzawa
