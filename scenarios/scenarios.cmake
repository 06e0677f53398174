# Named scenes: a room above src/.
uzawa_add_room(scenarios
  SOURCES bolt_nut.cpp bolt_nut_assembly.cpp box_stack.cpp builders.cpp card_house.cpp catalog.cpp dish_piling.cpp
          dish_piling_robot.cpp dish_sliding.cpp dishes.cpp door_handle.cpp fasteners.cpp findings.cpp franka_box.cpp
          heavy_on_light.cpp herd.cpp laikago_drop.cpp manipulation.cpp measure.cpp merge.cpp models.cpp
          newton_cradle.cpp pinch.cpp pouring.cpp push_box.cpp quadruped_drop.cpp scene.cpp sphere_pile.cpp spinning_coin.cpp
  DEPENDS sim io control)
target_compile_definitions(uzawa_scenarios PRIVATE UZAWA_MODELS_FOLDER="${PROJECT_SOURCE_DIR}/models")
