#pragma once

#include <span>

#include "uzawa/math/pose.hpp"
#include "uzawa/model/spec.hpp"

/// What builders share that add bodies to a spec.
namespace uzawa {

/// Pose of a body in the world at the reference configuration.
Pose reference_pose(const ModelSpec& spec, int body);

/// Appends a joint; configurations that the spec has written down (reference, springs, keyframes) are extended by the
/// joint's reference q and by zero velocity.
void append_joint(ModelSpec& spec, const JointSpec& joint, std::span<const double> reference_q);

}  // namespace uzawa
