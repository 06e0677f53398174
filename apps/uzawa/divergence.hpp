#pragma once

#include <string>

#include "uzawa/sim/world.hpp"

namespace uzawa::cli {

/// Which joint has run away, in words: "joint velocities diverged at t = 0.004 s, joint 'elbow' of body 'arm' at 1e+12
/// rad/s". Empty where no velocity is beyond what a step resolves, so that something else must be wrong.
std::string divergence(const World& world);

}  // namespace uzawa::cli
