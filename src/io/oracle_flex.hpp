#pragma once

#include <vector>

#include "uzawa/io/mujoco_compat.hpp"
#include "uzawa/math/vec3.hpp"

/// What a comparison with MuJoCo's flexes needs. Internal to this room.
namespace uzawa::mujoco {

/// Shells of the model do not resist bending any more.
void remove_flex_bending(mjModel* m);
/// Places of the vertices in the world, m.
std::vector<Vec3> flex_vertices(const mjModel* m, const mjData* d);

}  // namespace uzawa::mujoco
