#pragma once

#include <string>
#include <vector>

#include "uzawa/io/mujoco_compat.hpp"
#include "uzawa/model/spec.hpp"

/// MuJoCo's cables: bodies on ball joints that the plugin mujoco.elasticity.cable makes resist bending and twist.
/// Internal to this room. Legacy MuJoCo has none.
namespace uzawa::mujoco {

/// Lets the compiler read files that use this plugin or those that are refused by name (mujoco.pid), without the
/// libraries that simulate them.
void register_plugins();

/// Gives the ball joints of cables their springs.
void add_cables(const mjModel* m, ModelSpec& spec);

/// Names plugins that are no cables, and cables that are no chains of ball joints.
void survey_plugins(const mjModel* m, std::vector<std::string>& errors);

}  // namespace uzawa::mujoco
