#pragma once

#include <span>

#include "uzawa/dynamics/data.hpp"

namespace uzawa {

/// Change of the angular momentum of a free body within a step of h seconds, in axes that turn with it: I (w' - w) =
/// -h m x I m with m = (w + w')/2, the implicit midpoint rule. It keeps w I w and |I w| exactly, where the explicit
/// -h w x I w adds energy in every step.
Vec3 gyroscopic_impulse(const Sym3& inertia, const Vec3& w, double h);

/// impulse += for every free body without children, the above in place of the gyroscopic part of -h bias. Needs
/// forward_kinematics and link_velocities.
void add_gyroscopic_correction(const Model& model, const DynamicsData& data, double h, std::span<double> impulse);

/// Sets the angular part of v to zero for every free body without children.
void clear_turns_of_lone_flyers(const Model& model, std::span<double> v);

}  // namespace uzawa
