# A room is a folder of src/ (scenarios/ is one beside it) and a library. Its headers are included as
# "uzawa/ROOM/header.hpp" and are found only by rooms that name it, directly or through another, in DEPENDS: a forbidden
# include does not compile. To that end each room gets an include root of its own, which holds nothing but a link to its
# folder.

# Libraries that leave nothing to link: users of the installed rooms need not have them.
set(UZAWA_HEADER_ONLY Eigen3::Eigen nlohmann_json::nlohmann_json Boost::headers)

# uzawa_add_room(NAME [DEPENDS rooms...] [LIBRARIES libs...] [INTERNAL headers...] [TARGET name])
# All .cpp files of the folder NAME and of its sub-folders are its sources. LIBRARIES are private: no other library's header
# reaches the rooms above. INTERNAL headers do include them, and are not installed.
function(uzawa_add_room NAME)
  cmake_parse_arguments(ROOM "" "TARGET" "DEPENDS;LIBRARIES;INTERNAL" ${ARGN})
  set(target uzawa_${NAME})
  if(ROOM_TARGET)
    set(target ${ROOM_TARGET})
  endif()
  set(include_root "${PROJECT_BINARY_DIR}/rooms/${NAME}")
  file(MAKE_DIRECTORY "${include_root}/uzawa")
  file(CREATE_LINK "${CMAKE_CURRENT_SOURCE_DIR}/${NAME}" "${include_root}/uzawa/${NAME}" SYMBOLIC)

  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${NAME}/*.cpp")
  add_library(${target} STATIC ${sources})
  target_include_directories(${target} PUBLIC "$<BUILD_INTERFACE:${include_root}>")
  target_link_libraries(${target} PUBLIC uzawa_abi PRIVATE $<BUILD_INTERFACE:uzawa_options>)
  uzawa_precompile(${target} uzawa_base)
  foreach(room ${ROOM_DEPENDS})
    target_link_libraries(${target} PUBLIC uzawa_${room})
  endforeach()
  foreach(library ${ROOM_LIBRARIES})
    if(library IN_LIST UZAWA_HEADER_ONLY)
      target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:${library}>)
    else()
      target_link_libraries(${target} PRIVATE ${library})
    endif()
  endforeach()
  set_property(GLOBAL APPEND PROPERTY UZAWA_ROOMS ${NAME})
  set_property(GLOBAL PROPERTY UZAWA_FOLDER_OF_${NAME} "${CMAKE_CURRENT_SOURCE_DIR}/${NAME}")
  set_property(GLOBAL APPEND PROPERTY UZAWA_INTERNAL_OF_${NAME} ${ROOM_INTERNAL})
endfunction()
