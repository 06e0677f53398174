# Headers of the standard library take about half of a room's compile time. They are compiled once: by the room base, whose
# result the other rooms use, because the flags of all are the same. No header of a room or of another library is among
# them, so a room still sees only what it may see.
# Presets other than release do without, which finds the #include that is missing.
option(UZAWA_PCH "Compile the standard library's headers once for all rooms" ON)
set(UZAWA_PCH_HEADERS <algorithm> <array> <cmath> <cstdint> <filesystem> <fstream> <functional> <immintrin.h> <limits> <map>
    <memory> <numeric> <optional> <set> <span> <sstream> <string> <string_view> <utility> <variant> <vector>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # ccache asks for the first. The others: the false alarms on string + to_string (Options.cmake) by other names, because GCC
  # forgets that precompiled headers are the system's.
  set(UZAWA_PCH_OPTIONS -fpch-preprocess -Wno-array-bounds -Wno-stringop-overflow)
endif()

# uzawa_precompile(USER OWNER [headers...]): target USER uses the headers as compiled for OWNER, which is itself or a target of
# the same flags. `headers` come on top of the standard library's.
function(uzawa_precompile USER OWNER)
  if(NOT UZAWA_PCH)
    return()
  endif()
  target_compile_options(${USER} PRIVATE ${UZAWA_PCH_OPTIONS})
  if(USER STREQUAL OWNER)
    target_precompile_headers(${USER} PRIVATE ${UZAWA_PCH_HEADERS} ${ARGN})
  else()
    target_precompile_headers(${USER} REUSE_FROM ${OWNER})
  endif()
endfunction()
