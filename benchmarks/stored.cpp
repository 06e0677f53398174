/// Stored problems of other projects: CANAL, SubADMM and PGS beside the solvers of Siconos, in the same run.
#include "stored.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "build_folders.hpp"
#include "siconos.hpp"
#include "uzawa/base/timing.hpp"
#include "uzawa/problem/judge.hpp"
#include "uzawa/problem_io/problem_file.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa::bench {

namespace {

constexpr double kTolerance = 1e-8;
constexpr double kCap = 20;  // s for one Siconos method on one problem
/// Both sides stop at the tolerance; the same measure computed from q and from A, b, J differs in rounding.
constexpr double kSlack = 1.1;
constexpr int kMostRuns = 9;          // of quick problems, for the median
constexpr double kEnoughTime = 0.25;  // s, for all runs of one problem

/// Repeats CANAL; adds to `times`.
void run_canal(const Problem& problem, Result& result, std::vector<double>& times) {
  double total = 0;
  for (int i = 0; i < kMostRuns && total < kEnoughTime; ++i) {
    Workspace workspace;
    const double start = cpu_seconds();
    solve_islands(find_solver("canal"), problem, {}, workspace, result);
    times.push_back(cpu_seconds() - start);
    total += times.back();
  }
}

struct Row {
  double canal_seconds = 0;
  std::vector<SiconosRun> siconos;
  std::vector<bool> solved;  ///< by the judge's word on their lambda
};

std::string cell(const SiconosRun& run, bool solved, double error) {
  if (run.end == SiconosRun::End::Capped) return fmt::format("{:>8} {:>10}", "capped", ">20000");
  if (run.lambda.empty()) return fmt::format("{:>8} {:>10}", "crashed", "-");
  return fmt::format("{}{:>7.0e} {:>10.2f}", solved ? ' ' : 'x', error, run.seconds * 1e3);
}

/// One line of the table; CANAL's runs come before and after those of Siconos.
Row run_problem(const std::string& name, const Problem& problem, bool& canal_solved) {
  Row row;
  Result canal, subadmm, pgs;
  std::vector<double> times;
  run_canal(problem, canal, times);
  std::string cells;
  if (siconos_is_installed()) {
    const SiconosProblem other(problem);
    const PreparedProblem prepared(problem);
    Judge judge;
    for (std::size_t k = 0; k < siconos_methods().size(); ++k) {
      row.siconos.push_back(other.run(static_cast<int>(k), kTolerance, kCap));
      const SiconosRun& run = row.siconos.back();
      const double error = run.lambda.empty() ? 1 : judge.evaluate(prepared, run.lambda).siconos;
      row.solved.push_back(run.end == SiconosRun::End::Solved && error <= kSlack * kTolerance);
      cells += "  " + cell(run, row.solved.back(), error);
    }
    run_canal(problem, canal, times);
  }
  Workspace workspace;
  solve_islands(find_solver("subadmm"), problem, {.max_iterations = 1000}, workspace, subadmm);
  solve_islands(find_solver("pgs"), problem, {.max_iterations = 1000}, workspace, pgs);
  row.canal_seconds = median(times);
  canal_solved = canal.status == SolveStatus::Converged && canal.verdict.siconos <= kTolerance;
  fmt::print("{:<24} {:>8} {:>6} {:>7} | {}{:>7.0e} {:>8.2f} | {:>7.0e} {:>7.0e} |{}\n", name, problem.contacts.size(),
             problem.n(), canal.stats.islands, canal_solved ? ' ' : 'x', canal.verdict.siconos, row.canal_seconds * 1e3,
             subadmm.verdict.siconos, pgs.verdict.siconos, cells);
  std::fflush(stdout);
  return row;
}

/// Sums over the problems that one Siconos method solves.
struct Comparison {
  int solved = 0;
  double canal = 0, siconos = 0, log_ratio = 0;

  void add(double canal_seconds, double siconos_seconds) {
    ++solved;
    canal += canal_seconds;
    siconos += siconos_seconds;
    log_ratio += std::log(canal_seconds / siconos_seconds);
  }
  void print(const std::string& label, std::size_t problems) const {
    fmt::print(
        "{:<24} solves {:>2} of {}; on these {:>8.1f} ms, CANAL {:>6.1f} ms: ratio {:.3f}, geometric mean {:.3f}\n",
        label, solved, problems, siconos * 1e3, canal * 1e3, canal / siconos,
        std::exp(log_ratio / std::max(1, solved)));
  }
};

void summarise(const std::vector<Row>& rows) {
  double canal = 0;
  for (const Row& row : rows) canal += row.canal_seconds;
  fmt::print("CANAL, all together: {:.1f} ms\n", canal * 1e3);
  if (!siconos_is_installed()) return fmt::print("Siconos is not installed: no comparison\n");
  const std::vector<std::string> methods = siconos_methods();
  std::vector<Comparison> by_method(methods.size());
  Comparison fastest;  // per problem, of those that solve it: better than any choice that can be made beforehand
  for (const Row& row : rows) {
    double least = 1e300;
    for (std::size_t k = 0; k < methods.size(); ++k) {
      if (!row.solved[k]) continue;
      by_method[k].add(row.canal_seconds, row.siconos[k].seconds);
      least = std::min(least, row.siconos[k].seconds);
    }
    if (least < 1e300) fastest.add(row.canal_seconds, least);
  }
  for (std::size_t k = 0; k < methods.size(); ++k) by_method[k].print("Siconos " + methods[k], rows.size());
  fastest.print("fastest of them, each", rows.size());
  // Best: solves most; then takes least.
  const auto best = std::max_element(by_method.begin(), by_method.end(), [](const Comparison& a, const Comparison& b) {
    return a.solved != b.solved ? a.solved < b.solved : a.siconos > b.siconos;
  });
  fmt::print("CANAL / best single Siconos method ({}), on what it solves: {:.3f} (target <= 0.5)\n",
             methods[static_cast<std::size_t>(best - by_method.begin())], best->canal / best->siconos);
}

}  // namespace

bool run_stored() {
  const std::filesystem::path folder = std::filesystem::path(UZAWA_SHARED_DATA) / "fc3d";
  if (!std::filesystem::exists(folder)) {
    fmt::print("stored problems: skipped, the folder is not there\n");
    return true;
  }
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  fmt::print(
      "Stored problems, tolerance {:.0e}. Errors are the Siconos measure by our judge on the impulses of each; x: not\n"
      "solved. ms: median CPU time of one cold solve, one thread. CANAL's covers everything from A, b and J on "
      "(islands,\n"
      "factorisations, judging); that of Siconos its driver alone, with W = J A^-1 J^T built beforehand. SubADMM and "
      "PGS:\n"
      "1000 iterations.\n",
      kTolerance);
  fmt::print("{:<24} {:>8} {:>6} {:>7} | {:>8} {:>8} | {:>7} {:>7} |", "problem", "contacts", "n", "islands", "CANAL",
             "ms", "SubADMM", "PGS");
  for (const std::string& method : siconos_methods()) fmt::print("  {:>8} {:>10}", method, "ms");
  fmt::print("\n");
  bool all = true;
  std::vector<Row> rows;
  for (const auto& file : files) {
    bool solved = false;
    rows.push_back(run_problem(file.stem().string(), read_problem(file), solved));
    all = all && solved;
  }
  summarise(rows);
  return all;
}

}  // namespace uzawa::bench
