# siconos::numerics, where Debian's libsiconos-numerics-dev is installed: the other project's solvers that
# benchmark_solvers compares with, and a test of rolling friction. Nothing else uses it.
find_path(UZAWA_SICONOS_INCLUDE NonSmoothDrivers.h PATH_SUFFIXES siconos/numerics)
find_path(UZAWA_SICONOS_CONFIG SiconosConfig.h PATH_SUFFIXES siconos)
find_library(UZAWA_SICONOS_NUMERICS siconos_numerics)
find_library(UZAWA_SICONOS_EXTERNALS siconos_externals)
find_path(UZAWA_SUITESPARSE_INCLUDE SuiteSparse_config.h PATH_SUFFIXES suitesparse)
if(UZAWA_SICONOS_INCLUDE AND UZAWA_SICONOS_CONFIG AND UZAWA_SICONOS_NUMERICS AND UZAWA_SICONOS_EXTERNALS AND
   UZAWA_SUITESPARSE_INCLUDE)
  add_library(siconos::numerics INTERFACE IMPORTED)
  target_include_directories(siconos::numerics SYSTEM INTERFACE
    "${UZAWA_SICONOS_INCLUDE}" "${UZAWA_SICONOS_CONFIG}" "${UZAWA_SUITESPARSE_INCLUDE}")
  target_link_libraries(siconos::numerics INTERFACE "${UZAWA_SICONOS_NUMERICS}" "${UZAWA_SICONOS_EXTERNALS}")
else()
  message(STATUS "Siconos is not installed: benchmark_solvers runs without it")
endif()
