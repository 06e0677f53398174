# The papers' tables and figures: a room above the scenes.
uzawa_add_room(papers
  DEPENDS scenarios plot
  LIBRARIES Eigen3::Eigen fmt::fmt nlohmann_json::nlohmann_json)

# The commit that the program is built from, found at every build.
set(commit_header "${PROJECT_BINARY_DIR}/papers/uzawa_build_commit.hpp")
add_custom_target(uzawa_commit BYPRODUCTS "${commit_header}"
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DFILE=${commit_header}
          -P ${CMAKE_CURRENT_LIST_DIR}/write_commit.cmake VERBATIM)
add_dependencies(uzawa_papers uzawa_commit)
target_include_directories(uzawa_papers PRIVATE "${PROJECT_BINARY_DIR}/papers")
target_compile_definitions(uzawa_papers PRIVATE UZAWA_BUILD_MARCH="${UZAWA_CHOSEN_MARCH}")
