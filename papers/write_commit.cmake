cmake_minimum_required(VERSION 3.25)
# Writes the header FILE with the commit of the tree SOURCE; run at every build, and nothing is rebuilt where it stays.
execute_process(COMMAND git describe --always --dirty --abbrev=12 WORKING_DIRECTORY "${SOURCE}"
                OUTPUT_VARIABLE commit ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT commit)
  set(commit unknown)
endif()
file(CONFIGURE OUTPUT "${FILE}" CONTENT "#define UZAWA_BUILD_COMMIT \"@commit@\"\n" @ONLY)
