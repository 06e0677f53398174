#pragma once

#include "uzawa/problem/problem.hpp"

namespace uzawa::test {

/// Degenerate contact: one to eight plates with masses of up to 1 : 1000, each on the one below or on the floor by
/// patches of 4 to 12 coplanar points, most of them redundant; 4 to 60 contacts. A third is at rest under gravity, a
/// third slides, a third flies about. Normals may be inclined; friction from 0.1 to 1. The same for the same seed.
Problem stacked_plates(unsigned seed);

}  // namespace uzawa::test
