#pragma once

#include <tinyxml2.h>

#include <map>
#include <string>
#include <vector>

/// Repairs of what URDF files of others often have wrong and other simulators let pass. Each is told in a line that
/// names the link and what was done. Internal to this room.
namespace uzawa::mujoco {

/// Makes every inertia one that a body can have, and gives links that move but weigh nothing a small mass. `free_base`:
/// the root moves, too.
void repair_inertias(tinyxml2::XMLElement* robot, bool free_base, std::vector<std::string>& warnings);

/// Takes out shapes without an extent, and visual ones of kinds that URDF does not have.
void drop_empty_shapes(tinyxml2::XMLElement* robot, std::vector<std::string>& warnings);

/// Commas between numbers become spaces.
void drop_commas(tinyxml2::XMLElement* robot, std::vector<std::string>& warnings);

/// Vectors of more than three numbers keep the first three, joints the first of elements that they can have once.
void drop_surplus(tinyxml2::XMLElement* robot, std::vector<std::string>& warnings);

}  // namespace uzawa::mujoco
