#pragma once

#include <vector>

#include "uzawa/model/rod_builder.hpp"
#include "uzawa/sim/world.hpp"

namespace uzawa::scenarios {

/// A rod of `strands` thin ones side by side that slide along each other freely: as hard to stretch as a solid one of
/// that section, and 1 / strands as hard to bend and to twist. Returns the index of the rod.
int add_rope(ModelSpec& spec, const std::vector<Vec3>& points, const RodOptions& options, double strands);

/// The ends of the links of a rod as they are in a state, m: one more than it has links. Where joints have given way
/// the middle between two links' ends is taken.
std::vector<Vec3> axis_of_rod(const Model& model, int rod, const State& state);

/// The angle (rad, counter-clockwise) about a vertical axis through `middle` from the first to the last of the points
/// of a cable that are within `reach` (m) of it, as far as they follow each other without a gap.
double angle_on_cylinder(const std::vector<Vec3>& points, const Vec3& middle, double reach);

/// Of the centre of the fastest link, m/s.
double speed_of_rod(const Model& model, int rod, const State& state);

}  // namespace uzawa::scenarios
