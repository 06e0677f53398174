#pragma once

#include <ctime>

namespace uzawa::test {

/// Processor time of this process so far, all threads, s. Bounds on it hold on a busy machine, too, where bounds on the
/// time of the clock do not.
inline double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace uzawa::test
