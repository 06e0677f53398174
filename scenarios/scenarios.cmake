# Named scenes: a room above src/.
uzawa_add_room(scenarios DEPENDS sim io control meshing)
# A property of the one file that asks, so that a compiler cache shares the others between clones.
set_source_files_properties(scenarios/models.cpp PROPERTIES COMPILE_DEFINITIONS UZAWA_MODELS_FOLDER="${PROJECT_SOURCE_DIR}/models")
