#pragma once

#include "step_scenes.hpp"

namespace uzawa::bench {

/// Scenes with single steps that are much harder than the others: impacts on walls, dominoes and heaps; and robots from
/// their keyframes, which are left out with a message where they are not there.
std::vector<Scene> worst_scenes();

}  // namespace uzawa::bench
