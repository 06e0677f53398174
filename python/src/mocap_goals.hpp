#pragma once

#include <span>
#include <vector>

#include "uzawa/sim/world.hpp"

/// Goals of mocap bodies: where the next step takes them. Users have them as two arrays, MuJoCo's mocap_pos and
/// mocap_quat; here they are State::mocap's 7 numbers a body.
namespace uzawa::python {

void join_mocap(std::span<const double> position, std::span<const double> orientation, std::vector<double>& goals);
void split_mocap(std::span<const double> goals, std::span<double> position, std::span<double> orientation);

/// The bodies of `world` go to `goals` in the next step; those that are there stand still. Throws InputError that names
/// the body where a number is not finite or a quaternion has no direction.
void guide_mocap(World& world, std::span<const double> goals);
/// Throws InputError where these are not the goals of this model.
void check_mocap(const Model& model, std::span<const double> goals);

}  // namespace uzawa::python
