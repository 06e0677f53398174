# Named scenes: a room above src/.
uzawa_add_room(scenarios DEPENDS sim io control meshing)
# One file has the folder's name: the objects of the others are the same in every clone, and ccache finds them.
set_source_files_properties("${PROJECT_SOURCE_DIR}/scenarios/models.cpp" PROPERTIES
  COMPILE_DEFINITIONS UZAWA_MODELS_FOLDER="${PROJECT_SOURCE_DIR}/models")
