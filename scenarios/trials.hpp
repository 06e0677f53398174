#pragma once

#include "uzawa/scenarios/scene.hpp"

namespace uzawa::scenarios {

/// Ranges that [COND] draws the material of a trial from.
struct MaterialRanges {
  Range young, poisson, mu;  ///< Pa, -, -
};

/// For scenes with parameters young, poisson, mu and `random`: where that is 1, the seed chooses the other three.
Parameters drawn(Parameters parameters, const MaterialRanges& ranges, std::uint64_t seed);

/// The parameter that asks for it.
inline constexpr Parameter kRandomMaterial{"random", 0, 0, 1, "1: the seed draws young, poisson and mu", true};

}  // namespace uzawa::scenarios
