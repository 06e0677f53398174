# Compiler flags shared by every target, as one interface target.
add_library(uzawa_options INTERFACE)

# Vec3 and the inner loops are written for four double lanes with fused multiply-add (AVX2). The flag is part of the
# interface because it decides the ABI of Vec3.
include(CheckCXXSourceRuns)
set(CMAKE_REQUIRED_FLAGS "-march=x86-64-v3")
check_cxx_source_runs("int main() { return __builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\") ? 0 : 1; }"
                      UZAWA_CPU_HAS_AVX2)
unset(CMAKE_REQUIRED_FLAGS)
if(UZAWA_CPU_HAS_AVX2)
  target_compile_options(uzawa_options INTERFACE -march=x86-64-v3)
endif()

target_compile_options(uzawa_options INTERFACE
  -Wall -Wextra -Wshadow -Wconversion -Werror
  -Wno-psabi              # notes about passing vector types, which follow from the line above
  -Wno-missing-field-initializers  # designated initialisers leave the rest at its default on purpose
  -Wno-restrict            # false alarms of GCC 12 on string + to_string (GCC bug 105651)
  -ffp-contract=fast      # use the fused multiply-adds; the same binary still gives the same bits
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
