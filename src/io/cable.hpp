#pragma once

#include <string>
#include <vector>

#include "uzawa/io/mujoco_compat.hpp"
#include "uzawa/model/spec.hpp"

/// MuJoCo's cables: bodies on ball joints that the plugin mujoco.elasticity.cable makes resist bending and twist.
/// Internal to this room. Legacy MuJoCo has none.
namespace uzawa::mujoco {

/// Lets the compiler read files that use the plugin, without the library that simulates it.
void register_cable_plugin();

/// Gives the ball joints of cables their springs.
void add_cables(const mjModel* m, ModelSpec& spec);

/// Names plugins that are no cables, and cables that are no chains of ball joints.
void survey_plugins(const mjModel* m, std::vector<std::string>& errors);

}  // namespace uzawa::mujoco
