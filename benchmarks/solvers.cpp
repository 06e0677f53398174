/// The contact solvers on generated families (100 cases each) and on stored problems of other projects: who solves
/// what, how well, in which time. Usage: benchmark_solvers [families|stored]; exit code 1 where CANAL leaves a stored
/// problem unsolved.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "support/problem_families.hpp"
#include "uzawa/problem/problem_file.hpp"
#include "uzawa/solver/solver.hpp"

namespace {

using namespace uzawa;

/// A method with the settings under which it is compared.
struct Contender {
  std::string label;
  const char* solver;
  Settings settings;
};

std::vector<Contender> contenders() {
  std::vector<Contender> out;
  out.push_back({"CANAL", "canal", {}});
  out.push_back({"CANAL as published, 10 loops", "canal", {.max_iterations = 10, .canal = {.polish = false}}});
  for (const int iterations : {30, 100, 1000}) {
    out.push_back({fmt::format("SubADMM, {}", iterations), "subadmm", {.max_iterations = iterations}});
  }
  for (const int iterations : {30, 100, 1000}) {
    out.push_back({fmt::format("PGS, {}", iterations), "pgs", {.max_iterations = iterations}});
  }
  return out;
}

struct Tally {
  int cases = 0, solved = 0, failures = 0;
  double log_residual = 0, worst = 1e-16, iterations = 0, inner = 0, milliseconds = 0;

  void add(const Result& result) {
    const double residual = std::max(1e-16, result.verdict.residual);
    ++cases;
    solved += residual <= 1e-8 ? 1 : 0;
    failures += result.stats.inner_failures;
    log_residual += std::log10(residual);
    worst = std::max(worst, residual);
    iterations += result.stats.iterations;
    inner += result.stats.inner_iterations;
    milliseconds += result.stats.seconds * 1e3;
  }
  void print(const std::string& label) const {
    fmt::print("  {:<30} {:>5.0f} % {:>8.2f} {:>9.1e} {:>8.1f} {:>8.1f} {:>5} {:>9.3f}\n", label,
               100.0 * solved / cases, log_residual / cases, worst, iterations / cases, inner / cases, failures,
               milliseconds / cases);
  }
};

void run_families() {
  for (const test::Family& family : test::families()) {
    fmt::print("{}\n  {:<30} {:>7} {:>8} {:>9} {:>8} {:>8} {:>5} {:>9}\n", family.name, "", "<= 1e-8", "mean log",
               "worst", "loops", "Newton", "fail", "ms");
    for (const Contender& contender : contenders()) {
      Tally tally;
      Workspace workspace;
      Result result;
      for (int i = 0; i < family.cases; ++i) {
        find_solver(contender.solver).solve(family(i), contender.settings, workspace, result);
        tally.add(result);
      }
      tally.print(contender.label);
    }
  }
}

bool run_stored() {
  const std::filesystem::path folder = std::filesystem::path(UZAWA_SHARED_DATA) / "fc3d";
  if (!std::filesystem::exists(folder)) {
    fmt::print("stored problems: skipped, the folder is not there\n");
    return true;
  }
  fmt::print("{:<30} {:>8} {:>7} {:>8} | {:<16} {:>8} {:>9} | {:>9} {:>9}\n", "stored problem", "contacts", "n",
             "islands", "CANAL", "Siconos", "ms", "SubADMM", "PGS 1000");
  bool all = true;
  double total = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    const Problem problem = read_problem(entry.path());
    Workspace workspace;
    Result canal, subadmm, pgs;
    solve_islands(find_solver("canal"), problem, {}, workspace, canal);
    solve_islands(find_solver("subadmm"), problem, {.max_iterations = 1000}, workspace, subadmm);
    solve_islands(find_solver("pgs"), problem, {.max_iterations = 1000}, workspace, pgs);
    const bool solved = canal.status == SolveStatus::Converged && canal.verdict.siconos <= 1e-8;
    all = all && solved;
    total += canal.stats.seconds * 1e3;
    fmt::print("{:<30} {:>8} {:>7} {:>8} | {:<16} {:>8.1e} {:>9.2f} | {:>9.1e} {:>9.1e}\n",
               entry.path().stem().string(), problem.contacts.size(), problem.n(), canal.stats.islands,
               to_string(canal.status), canal.verdict.siconos, canal.stats.seconds * 1e3, subadmm.verdict.siconos,
               pgs.verdict.siconos);
  }
  fmt::print("CANAL, all together: {:.1f} ms\n", total);
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::string what = argc > 1 ? argv[1] : "";
    if (what.empty() || what == "families") run_families();
    return (what == "families" || run_stored()) ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
