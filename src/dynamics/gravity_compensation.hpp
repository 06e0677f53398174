#pragma once

#include <span>

#include "uzawa/dynamics/data.hpp"

namespace uzawa {

/// tau += the lift of every body that compensates gravity; needs forward_kinematics.
void add_gravity_compensation(const Model& model, const DynamicsData& data, std::span<double> tau);

}  // namespace uzawa
