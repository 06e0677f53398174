#include "uzawa/scenarios/catalog.hpp"

#include <algorithm>
#include <array>

#include "uzawa/base/spelling.hpp"

namespace uzawa::scenarios {

std::span<const Description> scenes() {
  static const std::array list = {box_stack(),
                                  heavy_on_light(),
                                  push_box(),
                                  pinch(),
                                  card_house(),
                                  sphere_pile(),
                                  quadruped_drop(),
                                  newton_cradle(),
                                  spinning_coin(),
                                  bolt_nut(),
                                  bolt_nut_assembly(),
                                  dish_piling(),
                                  dish_piling_robot(),
                                  dish_sliding(),
                                  laikago_drop(),
                                  door_handle(),
                                  franka_box(),
                                  pouring(),
                                  soft_cube_slope(),
                                  soft_ball_pinch(),
                                  jelly_stack(),
                                  cantilever(),
                                  hanging_cable(),
                                  capstan(),
                                  rope_pile(),
                                  box_sliding(),
                                  box_anisotropic(),
                                  soft_ball(),
                                  cable_winding(),
                                  soft_mat(),
                                  soft_gripper(),
                                  granular_stir(),
                                  cable_carry(),
                                  beam_insertion(),
                                  humanoid_squat(),
                                  humanoid_tap_dance(),
                                  hoist(),
                                  ring(),
                                  net()};
  return list;
}

const Description* find_scene(std::string_view name) {
  const std::span<const Description> all = scenes();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Description& scene) { return scene.name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::string_view nearest_scene(std::string_view name) { return nearest_name(scenes(), name); }

}  // namespace uzawa::scenarios
