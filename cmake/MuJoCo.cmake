# MuJoCo, from one or both of its sources:
#   mujoco::wheel   the pinned release, unpacked from its Python wheel by scripts/setup.sh
#   mujoco::debian  Debian's libmujoco-dev
# UZAWA_MUJOCO is the one that the program uses: the wheel where it is there.
set(UZAWA_MUJOCO_VERSION 3.17.0)  # scripts/setup.sh reads this line

set(wheel "${UZAWA_DEPS}/mujoco-${UZAWA_MUJOCO_VERSION}")
if(EXISTS "${wheel}/libmujoco.so.${UZAWA_MUJOCO_VERSION}")
  # A copy with a name of its own. The loader takes two libraries of one name for one, and in a process that imports
  # Python's mujoco, too, the two would share MuJoCo's table of plugins, where both register theirs: MuJoCo ends the process.
  set(UZAWA_MUJOCO_COPY "${PROJECT_BINARY_DIR}/mujoco/libuzawam.so.${UZAWA_MUJOCO_VERSION}")  # as long a name as the old one
  if("${wheel}/libmujoco.so.${UZAWA_MUJOCO_VERSION}" IS_NEWER_THAN "${UZAWA_MUJOCO_COPY}")
    file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/mujoco")
    execute_process(COMMAND "${CMAKE_COMMAND}" -E env LC_ALL=C sed "s/libmujoco[.]so/libuzawam.so/g" "${wheel}/libmujoco.so.${UZAWA_MUJOCO_VERSION}"
                    OUTPUT_FILE "${UZAWA_MUJOCO_COPY}" COMMAND_ERROR_IS_FATAL ANY)
  endif()
  add_library(mujoco::wheel SHARED IMPORTED)
  set_target_properties(mujoco::wheel PROPERTIES
    IMPORTED_LOCATION "${UZAWA_MUJOCO_COPY}"
    INTERFACE_INCLUDE_DIRECTORIES "${wheel}/include")
endif()

find_library(UZAWA_DEBIAN_MUJOCO NAMES mujoco PATHS /usr/lib/x86_64-linux-gnu /usr/lib/aarch64-linux-gnu NO_DEFAULT_PATH)
if(UZAWA_DEBIAN_MUJOCO)
  add_library(mujoco::debian SHARED IMPORTED)
  set_target_properties(mujoco::debian PROPERTIES IMPORTED_LOCATION "${UZAWA_DEBIAN_MUJOCO}")
endif()

if(TARGET mujoco::wheel)
  set(UZAWA_MUJOCO mujoco::wheel)
elseif(TARGET mujoco::debian)
  set(UZAWA_MUJOCO mujoco::debian)
  message(STATUS "MuJoCo ${UZAWA_MUJOCO_VERSION} is not there; using Debian's, which loads fewer robots")
else()
  message(FATAL_ERROR "MuJoCo not found: run scripts/setup.sh")
endif()
