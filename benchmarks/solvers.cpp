/// The contact solvers: who solves what, how well, in which time. Usage: benchmark_solvers [families|stored|hard]
///   families  all methods on the generated families, 100 cases each
///   stored    problems of other projects, beside the solvers of Siconos where they are installed
///   hard      250 mixed cases that are harder than the families, with and without what CANAL adds to the paper
/// Without an argument: families and stored. Exit code 1 where CANAL leaves a stored problem unsolved.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "stored.hpp"
#include "support/problem_families.hpp"
#include "uzawa/solver/solver.hpp"

namespace {

using namespace uzawa;

/// A method with the settings under which it is compared.
struct Contender {
  std::string label;
  const char* solver;
  Settings settings;
};

constexpr CanalSettings kPublished{.polish = false, .anderson = false};

std::vector<Contender> contenders() {
  std::vector<Contender> out;
  out.push_back({"CANAL", "canal", {}});
  out.push_back({"CANAL as published, 10 loops", "canal", {.max_iterations = 10, .canal = kPublished}});
  for (const int iterations : {30, 100, 1000}) {
    out.push_back({fmt::format("SubADMM, {}", iterations), "subadmm", {.max_iterations = iterations}});
  }
  for (const int iterations : {30, 100, 1000}) {
    out.push_back({fmt::format("PGS, {}", iterations), "pgs", {.max_iterations = iterations}});
  }
  out.push_back({"AL, semismooth, 10 loops", "al-semismooth", {.max_iterations = 10}});
  out.push_back({"AL, dogleg, 10 loops", "al-dogleg", {.max_iterations = 10}});
  out.push_back({"soft convex (MuJoCo)", "soft-convex", {}});
  return out;
}

struct Tally {
  int cases = 0, solved = 0, failures = 0, loops = 0;
  double log_residual = 0, worst = 1e-16, inner = 0, milliseconds = 0;

  void add(const Result& result) {
    const double residual = std::max(1e-16, result.verdict.residual);
    ++cases;
    solved += residual <= 1e-8 ? 1 : 0;
    failures += result.stats.inner_failures;
    log_residual += std::log10(residual);
    worst = std::max(worst, residual);
    loops += result.stats.iterations;
    inner += result.stats.inner_iterations;
    milliseconds += result.stats.seconds * 1e3;
  }
  void print(const std::string& label) const {
    if (cases == 0) return;
    // One inner solve a loop.
    const std::string failed = inner == 0 ? "" : fmt::format("{:.1f} %", 100.0 * failures / std::max(1, loops));
    fmt::print("  {:<30} {:>5} {:>5.0f} % {:>8.2f} {:>9.1e} {:>8.1f} {:>8.1f} {:>8} {:>9.3f}\n", label, cases,
               100.0 * solved / cases, log_residual / cases, worst, double(loops) / cases, inner / cases, failed,
               milliseconds / cases);
    std::fflush(stdout);
  }
  static void print_head(const std::string& name) {
    fmt::print("{}\n  {:<30} {:>5} {:>7} {:>8} {:>9} {:>8} {:>8} {:>8} {:>9}\n", name, "", "cases", "<= 1e-8",
               "mean log", "worst", "loops", "Newton", "failed", "ms");
  }
};

void run_families() {
  fmt::print("failed: inner solves that did not reach their tolerance, of all inner solves ([AL] Table II)\n");
  for (const test::Family& family : test::families()) {
    Tally::print_head(family.name);
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

/// A case of the hard mixture: some family, with friction from slippery to rubber and, in every other case, one body a
/// hundred times heavier or lighter.
Problem hard_case(const std::vector<test::Family>& families, int index) {
  constexpr double kMu[] = {0.1, 0.5, 0.9, 1.5, 3};
  constexpr unsigned kFirstSeed = 1001;  // none of the families' own cases
  const auto i = static_cast<std::size_t>(index);
  const test::Family& family = families[i % families.size()];
  Problem problem = family.make(kFirstSeed + static_cast<unsigned>(index), family.gaps, family.theta);
  const double mu = kMu[i / families.size() % std::size(kMu)];
  for (FrictionCone& cone : problem.contacts.cone) cone = {mu, mu};
  if (i % 2 == 1) {
    const double ratio = i % 4 == 1 ? 100 : 0.01;
    SpatialInertia& body = problem.bodies[i % problem.bodies.size()];
    const Block& block = problem.blocks[i % problem.bodies.size()];
    body.mass *= ratio;
    body.first *= ratio;
    body.rotational.diagonal *= ratio;
    body.rotational.off *= ratio;
    for (int k = 0; k < block.size; ++k) problem.b[static_cast<std::size_t>(block.offset + k)] *= ratio;
  }
  return problem;
}

void run_hard() {
  constexpr int kCases = 250;
  const std::vector<test::Family> families = test::families();
  std::vector<Contender> variants;
  variants.push_back({"CANAL as published, 10 loops", "canal", {.max_iterations = 10, .canal = kPublished}});
  variants.push_back({"CANAL as published", "canal", {.canal = kPublished}});
  variants.push_back({"with Anderson mixing", "canal", {.canal = {.polish = false}}});
  variants.push_back({"with polish", "canal", {.canal = {.anderson = false}}});
  variants.push_back({"CANAL", "canal", {}});
  Tally::print_head("250 mixed hard cases");
  for (const Contender& variant : variants) {
    Tally tally;
    Workspace workspace;
    Result result;
    for (int i = 0; i < kCases; ++i) {
      find_solver(variant.solver).solve(hard_case(families, i), variant.settings, workspace, result);
      tally.add(result);
    }
    tally.print(variant.label);
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::string what = argc > 1 ? argv[1] : "";
    if (what == "hard") return run_hard(), 0;
    if (what != "stored") run_families();
    return (what == "families" || bench::run_stored()) ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
