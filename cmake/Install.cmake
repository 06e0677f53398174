# `cmake --install`: the rooms of src/ with their headers, for find_package(uzawa); the program and the models.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/uzawa")

# All that a program needs to load, step, control, log and solve. Rooms can be named one by one as well: uzawa::solver.
add_library(uzawa_all INTERFACE)
add_library(uzawa::uzawa ALIAS uzawa_all)
set_target_properties(uzawa_all PROPERTIES EXPORT_NAME uzawa)
set_target_properties(uzawa_abi PROPERTIES EXPORT_NAME abi)
install(TARGETS uzawa_all uzawa_abi EXPORT uzawaTargets)

# uzawa_install_room(NAME): its library as uzawa::NAME and its headers but for the INTERNAL ones.
function(uzawa_install_room NAME)
  set_target_properties(uzawa_${NAME} PROPERTIES EXPORT_NAME ${NAME})
  target_include_directories(uzawa_${NAME} INTERFACE "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  install(TARGETS uzawa_${NAME} EXPORT uzawaTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  get_property(folder GLOBAL PROPERTY UZAWA_FOLDER_OF_${NAME})
  get_property(internal GLOBAL PROPERTY UZAWA_INTERNAL_OF_${NAME})
  list(TRANSFORM internal REPLACE "(.+)" "PATTERN;\\1;EXCLUDE")
  install(DIRECTORY "${folder}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/uzawa" FILES_MATCHING PATTERN "*.hpp" ${internal})
endfunction()
foreach(room base math elastic problem problem_io solver model dynamics collision meshing io assembly sim log control)
  uzawa_install_room(${room})
  target_link_libraries(uzawa_all INTERFACE uzawa_${room})
endforeach()
install(FILES "${PROJECT_SOURCE_DIR}/src/uzawa.hpp" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/uzawa")

# MuJoCo's library is not a Debian package at our version: it comes along, in a folder of its own.
if(TARGET mujoco::wheel)
  get_target_property(mujoco_library mujoco::wheel IMPORTED_LOCATION)
  install(FILES "${mujoco_library}" DESTINATION "${CMAKE_INSTALL_LIBDIR}/uzawa")
  get_filename_component(UZAWA_INSTALLED_MUJOCO "${mujoco_library}" NAME)
endif()

set_target_properties(uzawa PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}/uzawa")
install(TARGETS uzawa RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/models" DESTINATION "${CMAKE_INSTALL_DATADIR}/uzawa")

install(EXPORT uzawaTargets NAMESPACE uzawa:: DESTINATION "${package_folder}")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/uzawaConfig.cmake.in" "${PROJECT_BINARY_DIR}/uzawaConfig.cmake"
  INSTALL_DESTINATION "${package_folder}" PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_DATADIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/uzawaConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/uzawaConfig.cmake" "${PROJECT_BINARY_DIR}/uzawaConfigVersion.cmake"
        DESTINATION "${package_folder}")
