#pragma once

#include "uzawa/scenarios/builders.hpp"
#include "uzawa/sim/world.hpp"

/// Scenes small enough for closed forms, from the pieces that the named scenes are made of.
namespace uzawa::test {

using scenarios::add_ball;
using scenarios::add_box;
using scenarios::add_finger;
using scenarios::ground;
using scenarios::kGravity;

/// Three rods on hinges, the last across the others, that hang from `top`.
void add_triple_pendulum(ModelSpec& spec, const Vec3& top);

/// Kinetic energy and that of gravity, J.
double energy(const World& world);

/// Steps `count` times, with the same control and force; every step must be solved.
void run(World& world, int count, std::span<const double> control = {}, std::span<const double> external = {});

}  // namespace uzawa::test
