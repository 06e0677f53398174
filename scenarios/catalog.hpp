#pragma once

#include "uzawa/scenarios/scene.hpp"

/// One function a scene, each in the file of its name. A new scene is declared here and listed in catalog.cpp.
namespace uzawa::scenarios {

Description beam_insertion();
Description bolt_nut();
Description bolt_nut_assembly();
Description box_anisotropic();
Description box_sliding();
Description box_stack();
Description cable_carry();
Description cable_winding();
Description cantilever();
Description capstan();
Description card_house();
Description dish_piling();
Description dish_piling_robot();
Description dish_sliding();
Description door_handle();
Description franka_box();
Description granular_stir();
Description hanging_cable();
Description heavy_on_light();
Description hoist();
Description humanoid_squat();
Description humanoid_tap_dance();
Description jelly_stack();
Description laikago_drop();
Description net();
Description newton_cradle();
Description pinch();
Description pouring();
Description push_box();
Description quadruped_drop();
Description ring();
Description rope_pile();
Description soft_ball();
Description soft_ball_pinch();
Description soft_cube_slope();
Description soft_gripper();
Description soft_mat();
Description sphere_pile();
Description spinning_coin();

}  // namespace uzawa::scenarios
