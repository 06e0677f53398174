/// Degenerate linear complementarity problems from contact: who solves what, in which time. Every answer is checked
/// here, by |min(z, M z + q)|; what a method says of itself does not count.
///
///     benchmark_lcp [number of problems, 10000] [every how many-th others get, 20]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "siconos_lcp.hpp"
#include "support/stacked_plates.hpp"
#include "uzawa/base/timing.hpp"
#include "uzawa/solver/lcp/polyhedral_form.hpp"

namespace uzawa {
namespace {

constexpr double kSolved = 1e-9;    // natural residual in scaled units
constexpr double kPaper = 1e-3;     // [LCP]: e_max
constexpr double kCapSeconds = 10;  // a problem, for other projects' methods

struct Row {
  std::string name;
  int problems = 0, solved = 0, roughly = 0;  ///< to 1e-9, to 1e-3
  int no_solution = 0, cycle = 0, error = 0, other = 0;
  long pivots = 0, nodes = 0;
  double worst = 0, slowest = 0;  ///< error of the solved; s
  std::vector<double> seconds;
};

/// M of a problem as a dense matrix, row-major.
std::vector<double> dense_matrix(const LcpMatrix& matrix) {
  const auto n = static_cast<std::size_t>(matrix.size());
  std::vector<double> out(n * n), column(n);
  for (int j = 0; j < matrix.size(); ++j) {
    std::fill(column.begin(), column.end(), 0.0);
    const double one = 1;
    matrix.add_product({&j, 1}, {&one, 1}, column);
    for (std::size_t i = 0; i < n; ++i) out[i * n + static_cast<std::size_t>(j)] = column[i];
  }
  return out;
}

double natural_error(const std::vector<double>& m, std::span<const double> q, const std::vector<double>& z) {
  if (z.size() != q.size()) return HUGE_VAL;
  double worst = 0;
  for (std::size_t i = 0; i < q.size(); ++i) {
    double w = q[i];
    for (std::size_t j = 0; j < q.size(); ++j) w += m[i * q.size() + j] * z[j];
    const double error = std::abs(std::min(z[i], w));
    worst = error <= worst ? worst : error;
  }
  return worst;
}

void count(double error, double seconds, Row& row) {
  ++row.problems;
  row.solved += error <= kSolved ? 1 : 0;
  row.roughly += error <= kPaper ? 1 : 0;
  if (error <= kSolved) row.worst = std::max(row.worst, error);
  row.seconds.push_back(seconds);
  row.slowest = std::max(row.slowest, seconds);
}

void count_end(const LcpAnswer& answer, Row& row) {
  row.pivots += answer.counts.pivots;
  row.nodes += answer.counts.nodes;
  switch (answer.end) {
    case LcpEnd::Solved: break;
    case LcpEnd::NoSolution: ++row.no_solution; break;
    case LcpEnd::Cycle: ++row.cycle; break;
    case LcpEnd::Error: ++row.error; break;
    default: ++row.other;
  }
}

struct Ours {
  const char* name;
  LcpOptions options;
  bool rare;  ///< on every so many-th problem only
};

std::vector<Ours> our_methods() {
  LcpOptions usual;
  usual.limits.nodes = 20000;
  usual.limits.bytes = 1'000'000'000;
  const auto with = [&](LcpMethod method, double tie, double tolerance) {
    LcpOptions out = usual;
    out.method = method;
    out.tableau = {method == LcpMethod::Lexicographic, tie};
    out.tolerance = tolerance;
    return out;
  };
  LcpOptions cold = usual;
  cold.two_step = false;
  LcpOptions written = with(LcpMethod::Search, 0, kPaper);
  written.search = {true, 1e-3, 0, kPaper};
  return {{"lcp", usual, false},
          {"lcp, cold", cold, true},
          {"lcp-search", with(LcpMethod::Search, 0, kSolved), true},
          {"search as written", written, true},
          {"Lemke, tableau", with(LcpMethod::Lemke, 0, kPaper), true},
          {"lexicographic, 0", with(LcpMethod::Lexicographic, 0, kPaper), true},
          {"lexicographic, 1e-8", with(LcpMethod::Lexicographic, 1e-8, kPaper), true},
          {"lexicographic, 1e-6", with(LcpMethod::Lexicographic, 1e-6, kPaper), true},
          {"lexicographic, 1e-4", with(LcpMethod::Lexicographic, 1e-4, kPaper), true}};
}

void print(const Row& row) {
  if (row.problems == 0) return;
  std::vector<double> sorted = row.seconds;
  std::sort(sorted.begin(), sorted.end());
  fmt::print("{:<20} {:>6} {:>8} {:>8} {:>8} {:>6} {:>6} {:>6} {:>8.1f} {:>9.3f} {:>9.2f} {:>9.1e}\n", row.name,
             row.problems, row.solved, row.roughly, row.no_solution, row.cycle, row.error, row.other,
             static_cast<double>(row.pivots) / row.problems, 1e3 * sorted[sorted.size() / 2], 1e3 * row.slowest,
             row.worst);
}

int run(int problems, int every) {
  const std::vector<Ours> ours = our_methods();
  const std::vector<std::string> siconos = bench::siconos_lcp_methods();
  std::vector<Row> rows(ours.size() + siconos.size());
  for (std::size_t k = 0; k < ours.size(); ++k) rows[k].name = ours[k].name;
  for (std::size_t k = 0; k < siconos.size(); ++k) rows[ours.size() + k].name = siconos[k];
  LcpSolver solver;
  LcpAnswer answer;
  PolyhedralForm form;
  for (int p = 1; p <= problems; ++p) {
    const Problem problem = test::stacked_plates(static_cast<unsigned>(p));
    PreparedProblem prepared(problem);
    if (!form.build(prepared, {}, {})) return 1;
    const ScaledLcp lcp = form.lcp();
    const std::vector<double> m = dense_matrix(*lcp.matrix);
    for (std::size_t k = 0; k < ours.size(); ++k) {
      if (ours[k].rare && p % every != 0) continue;
      const double start = bench::cpu_seconds();
      solver.solve(lcp, ours[k].options, answer);
      const double seconds = bench::cpu_seconds() - start;
      const double error = answer.frictionless ? HUGE_VAL : natural_error(m, lcp.q, answer.z);
      count(error, seconds, rows[k]);
      count_end(answer, rows[k]);
      if (k == 0 && !(error <= kSolved)) fmt::print("problem {}: {}, error {:.1e}\n", p, to_string(answer.end), error);
    }
    for (std::size_t k = 0; k < siconos.size() && p % every == 0; ++k) {
      const bench::SiconosLcpRun run = bench::run_siconos_lcp(static_cast<int>(k), m, lcp.q, kCapSeconds);
      count(natural_error(m, lcp.q, run.z), run.seconds, rows[ours.size() + k]);
    }
  }
  fmt::print("{:<20} {:>6} {:>8} {:>8} {:>8} {:>6} {:>6} {:>6} {:>8} {:>9} {:>9} {:>9}\n", "method", "of", "to 1e-9",
             "to 1e-3", "no sol.", "cycle", "error", "other", "pivots", "med. ms", "max. ms", "error");
  for (const Row& row : rows) print(row);
  return rows[0].solved == rows[0].problems ? 0 : 1;
}

}  // namespace
}  // namespace uzawa

int main(int count, char** arguments) {
  const int problems = count > 1 ? std::atoi(arguments[1]) : 10000, every = count > 2 ? std::atoi(arguments[2]) : 20;
  if (problems < 1 || every < 1) {
    fmt::print(stderr, "benchmark_lcp [problems] [every]: positive numbers\n");
    return 2;
  }
  return uzawa::run(problems, every);
}
