/// Methods on soft boxes of several sizes, stiffnesses and numbers of contacts: iterations, CPU time with and without
/// the judge, and what the judge says. `benchmark_cond [methods=canal,cond] [only=mat] [name=value ...]`: settings.
#include <fmt/format.h>

#include <string>

#include "support/cpu_time.hpp"
#include "support/soft_problems.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa {
namespace {

struct Named {
  const char* name;
  test::SoftCase soft;
};

const Named kCases[] = {
    {"floor 144 nodes 0.1 MPa", {}},
    {"floor 144 nodes 1 MPa", {.young = 1e6}},
    {"floor 144 nodes 10 MPa", {.young = 1e7}},
    {"plate 144 nodes 0.1 MPa", {.plate = true}},
    {"plate 144 nodes 1 MPa", {.young = 1e6, .plate = true}},
    {"faces 144 nodes 0.1 MPa", {.plate = true, .faces = true}},
    {"pinch 216 nodes 0.1 MPa", {.z = 6, .floor = false, .pinch = true}},
    {"pinch 216 nodes 1 MPa", {.z = 6, .young = 1e6, .floor = false, .pinch = true}},
    {"pinch 216 nodes mu 2.1", {.z = 6, .mu = 2.1, .floor = false, .pinch = true}},
    {"mat 1600 nodes 0.1 MPa", {.x = 20, .y = 20, .z = 4}},
    {"cube 1728 nodes 1 MPa", {.x = 12, .y = 12, .z = 12, .young = 1e6}},
    {"pinch 1728 nodes 1 MPa", {.x = 12, .y = 12, .z = 12, .young = 1e6, .floor = false, .pinch = true}},
    {"cube 8000 nodes 0.1 MPa", {.x = 20, .y = 20, .z = 20}},
    {"mat 10000 nodes 0.1 MPa", {.x = 50, .y = 50, .z = 4}},
};

void run(const Named& named, const char* method, const Settings& settings) {
  const Problem problem = test::soft_problem(named.soft, 1);
  Workspace workspace;
  Result result;
  const Solver& solver = find_solver(method);
  solver.solve(problem, settings, workspace, result);
  const double before = test::cpu_seconds();
  solver.solve(problem, settings, workspace, result);
  const double seconds = test::cpu_seconds() - before;
  // The share of the judge is measured by the clock, as is the whole: on a busy machine only their ratio means
  // something.
  const double judged = result.stats.judging_seconds / result.stats.seconds;
  fmt::print("{:<26} {:<8} {:>6} rows {:>6} {:>4} its {:>8.2f} ms CPU {:>8.2f} without judge  {:.1e} {}\n", named.name,
             method, problem.rows, result.stats.iterations, result.stats.inner_iterations, 1e3 * seconds,
             1e3 * seconds * (1 - judged), result.verdict.residual, to_string(result.status));
  std::fflush(stdout);
}

}  // namespace
}  // namespace uzawa

int main(int argc, char** argv) {
  using namespace uzawa;
  Settings settings;
  settings.require_siconos = false;
  settings.tolerance = 1e-6;
  std::string methods = "canal subadmm cond", only;
  for (int i = 1; i < argc; ++i) {
    const std::string text = argv[i];
    const std::size_t split = text.find('=');
    if (text.starts_with("methods=")) {
      methods = text.substr(8);
    } else if (text.starts_with("only=")) {
      only = text.substr(5);
    } else if (split != std::string::npos) {
      find_setting(text.substr(0, split)).assign(settings, text.substr(split + 1));
    }
  }
  for (const Named& named : kCases) {
    if (std::string(named.name).find(only) == std::string::npos) continue;
    for (const char* method : {"canal", "subadmm", "cond", "auto"}) {
      if (methods.find(method) != std::string::npos) run(named, method, settings);
    }
  }
}
