#include "siconos_lcp.hpp"

#include <LinearComplementarityProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsVerbose.h>
#include <SolverOptions.h>
#include <lcp_cst.h>

#include <algorithm>

#include "child_answer.hpp"
#include "uzawa/base/timing.hpp"

namespace uzawa::bench {

namespace {

struct Method {
  const char* label;
  int id;
};
/// Its pivoting methods, its path search (made of NCP steps), the semismooth Newton methods, and relaxation. The
/// package has no interior-point method for LCPs, and PATH and GAMS only as interfaces to programs that are not free.
constexpr Method kMethods[] = {{"Siconos Lemke", SICONOS_LCP_LEMKE},
                               {"Siconos pivot", SICONOS_LCP_PIVOT},
                               {"Siconos Murty", SICONOS_LCP_MURTY},
                               {"Siconos Bard", SICONOS_LCP_BARD},
                               {"Siconos path search", SICONOS_LCP_PATHSEARCH},
                               {"Siconos Cao-Ferris", SICONOS_LCP_AVI_CAOFERRIS},
                               {"Siconos Newton-min", SICONOS_LCP_NEWTONMIN},
                               {"Siconos Newton-min LS", SICONOS_LCP_NEWTON_MIN_FBLSA},
                               {"Siconos Newton-FB", SICONOS_LCP_NEWTON_FB_FBLSA},
                               {"Siconos PGS", SICONOS_LCP_PGS},
                               {"Siconos RPGS", SICONOS_LCP_RPGS}};
constexpr double kTolerance = 1e-10;
constexpr int kIterations = 20000;

void answer(const Method& method, std::span<const double> m, std::span<const double> q, int pipe) {
  numerics_set_verbose(0);
  use_one_blas_thread();
  const int n = static_cast<int>(q.size());
  NumericsMatrix* matrix = NM_create(NM_DENSE, n, n);
  for (std::size_t i = 0; i < q.size(); ++i) {
    for (std::size_t j = 0; j < q.size(); ++j) matrix->matrix0[j * q.size() + i] = m[i * q.size() + j];
  }
  std::vector<double> right(q.begin(), q.end()), z(q.size(), 0.0), w(q.size(), 0.0);
  LinearComplementarityProblem problem{n, matrix, right.data()};
  SolverOptions* options = solver_options_create(method.id);
  options->dparam[SICONOS_DPARAM_TOL] = kTolerance;
  options->iparam[SICONOS_IPARAM_MAX_ITER] = kIterations;
  const double start = cpu_seconds();
  const int status = linearComplementarity_driver(&problem, z.data(), w.data(), options);
  const double seconds[2] = {static_cast<double>(status), cpu_seconds() - start};
  write_all(pipe, seconds, sizeof seconds);
  write_all(pipe, z.data(), z.size() * sizeof(double));
}

}  // namespace

std::vector<std::string> siconos_lcp_methods() {
  std::vector<std::string> labels;
  for (const Method& method : kMethods) labels.emplace_back(method.label);
  return labels;
}

SiconosLcpRun run_siconos_lcp(int method, std::span<const double> m, std::span<const double> q, double cap) {
  std::vector<char> bytes;
  SiconosLcpRun out;
  out.seconds = cap;
  const bool in_time = answer_of_child(
      cap, [&](int pipe) { answer(kMethods[method], m, q, pipe); }, bytes);
  double head[2];
  if (!in_time || bytes.size() != sizeof head + q.size() * sizeof(double)) return out;
  std::copy_n(bytes.data(), sizeof head, reinterpret_cast<char*>(head));
  out.answered = head[0] == 0;
  out.seconds = head[1];
  out.z.resize(q.size());
  std::copy_n(bytes.data() + sizeof head, q.size() * sizeof(double), reinterpret_cast<char*>(out.z.data()));
  return out;
}

}  // namespace uzawa::bench
