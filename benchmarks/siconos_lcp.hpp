#pragma once

#include <span>
#include <string>
#include <vector>

/// Siconos's methods for w = M z + q.
namespace uzawa::bench {

/// Labels of the methods that are run; none where Siconos is not installed.
std::vector<std::string> siconos_lcp_methods();

struct SiconosLcpRun {
  bool answered = false;  ///< it came back in time, with success
  double seconds = 0;     ///< CPU time of the driver alone
  std::vector<double> z;
};
/// `m` row-major. In a process of its own, for `cap` seconds at the most.
SiconosLcpRun run_siconos_lcp(int method, std::span<const double> m, std::span<const double> q, double cap);

}  // namespace uzawa::bench
