# Named scenes: a room above src/.
uzawa_add_room(scenarios DEPENDS sim io control meshing)
target_compile_definitions(uzawa_scenarios PRIVATE UZAWA_MODELS_FOLDER="${PROJECT_SOURCE_DIR}/models")
