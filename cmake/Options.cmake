# Compiler flags of every target, as two interface targets: uzawa_abi goes to users of the installed library as well,
# uzawa_options (warnings, sanitizers) stays in the house.
add_library(uzawa_abi INTERFACE)
add_library(uzawa_options INTERFACE)
target_link_libraries(uzawa_options INTERFACE uzawa_abi)
target_compile_features(uzawa_abi INTERFACE cxx_std_20)

# Vec3 has four double lanes with fused multiply-add (AVX2; pairs of SSE registers below), and SubADMM's loops
# have as many as a register has room for (eight with AVX-512). The flag is part of the interface because it decides the ABI of both.
set(UZAWA_MARCH "" CACHE STRING "Instruction set (-march) of everything; empty: the best of x86-64-v4, -v3 and -v2 that runs here")
include(CheckCXXSourceRuns)
function(uzawa_check_march level variable)
  set(supported "1")
  foreach(feature ${ARGN})
    string(APPEND supported " && __builtin_cpu_supports(\"${feature}\")")
  endforeach()
  set(CMAKE_REQUIRED_FLAGS "-march=${level}")
  check_cxx_source_runs("int main() { return ${supported} ? 0 : 1; }" ${variable})
endfunction()
set(UZAWA_CHOSEN_MARCH "${UZAWA_MARCH}")
if(NOT UZAWA_CHOSEN_MARCH)
  uzawa_check_march(x86-64-v4 UZAWA_CPU_HAS_AVX512 avx2 fma avx512f avx512dq avx512bw avx512vl avx512cd)
  uzawa_check_march(x86-64-v3 UZAWA_CPU_HAS_AVX2 avx2 fma)
  uzawa_check_march(x86-64-v2 UZAWA_CPU_HAS_SSE4 sse4.2 popcnt)
  if(UZAWA_CPU_HAS_AVX512)
    set(UZAWA_CHOSEN_MARCH x86-64-v4)
  elseif(UZAWA_CPU_HAS_AVX2)
    set(UZAWA_CHOSEN_MARCH x86-64-v3)
  elseif(UZAWA_CPU_HAS_SSE4)
    set(UZAWA_CHOSEN_MARCH x86-64-v2)
  endif()
endif()
if(UZAWA_CHOSEN_MARCH)
  target_compile_options(uzawa_abi INTERFACE -march=${UZAWA_CHOSEN_MARCH})
endif()
if(NOT UZAWA_CHOSEN_MARCH STREQUAL "x86-64-v3" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # False alarms of GCC 12 in its own header of AVX-512 intrinsics, which Eigen uses (GCC bug 105593). At -O1, as with
  # sanitizers and in tests, it is sure of them.
  target_compile_options(uzawa_options INTERFACE -Wno-maybe-uninitialized -Wno-uninitialized)
endif()

target_compile_options(uzawa_abi INTERFACE
  -Wno-psabi              # notes about passing vector types, which follow from the line above
  -ffp-contract=fast)     # use the fused multiply-adds; the same binary still gives the same bits
target_compile_options(uzawa_options INTERFACE
  -Wall -Wextra -Wshadow -Wconversion -Werror
  -Wno-missing-field-initializers  # designated initialisers leave the rest at its default on purpose
  -Wno-restrict            # false alarms of GCC 12 on string + to_string (GCC bug 105651)
  -fno-math-errno -fno-trapping-math)

if(UZAWA_SANITIZE)
  target_compile_options(uzawa_options INTERFACE -fsanitize=${UZAWA_SANITIZE} -fno-sanitize-recover=all
                                                 -fno-omit-frame-pointer)
  target_link_options(uzawa_options INTERFACE -fsanitize=${UZAWA_SANITIZE})
  if(UZAWA_SANITIZE MATCHES "thread")
    # ThreadSanitizer does not see fences, and GCC says so of Asio's. Asio's queue has a mutex beside them, which it sees.
    target_compile_options(uzawa_options INTERFACE -Wno-tsan)
  endif()
endif()

# ccache where it is installed; paths below the project are hashed relative to it, so that clones share their objects.
find_program(UZAWA_CCACHE ccache)
if(UZAWA_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros ${UZAWA_CCACHE})
endif()
