/// SubADMM: its time by the number of bodies, and what a second thread gives. Exit code 1 where threads change the
/// answer. (Beside the other ADMMs of [AL] Table III: uzawa bench al-table3.)
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <exception>
#include <vector>

#include "support/problem_families.hpp"
#include "support/quadrupeds.hpp"
#include "uzawa/base/timing.hpp"
#include "uzawa/solver/admm/subadmm_iteration.hpp"

namespace {

using namespace uzawa;
using bench::median;

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Median time of a step.
double step_time(const Problem& problem, int rounds, int steps, ThreadPool* pool, std::vector<double>& impulses) {
  PreparedProblem prepared(problem);
  const std::vector<double> cold(static_cast<std::size_t>(problem.rows), 0.0);
  SubAdmmIteration iteration;
  iteration.prepare(prepared, {}, cold, Splitting::Bodies, pool);
  std::vector<double> seconds;
  for (int round = 0; round < rounds; ++round) {
    const double start = wall_seconds();
    for (int i = 0; i < steps; ++i) iteration.step(problem);
    seconds.push_back((wall_seconds() - start) / steps);
  }
  const std::span<const double> last = iteration.impulses(problem);
  impulses.assign(last.begin(), last.end());
  return median(seconds);
}

void run_scaling() {
  fmt::print("time of an iteration by the number of free bodies\n");
  std::vector<double> sizes, times, unused;
  for (int bodies = 10; bodies <= 10000; bodies *= 10) {
    const Problem problem = test::scattered_bodies(bodies, 1);
    const double seconds = step_time(problem, 31, std::max(2, 20000 / bodies), nullptr, unused);
    fmt::print("  {:>6} bodies {:>6} contacts {:>10.2f} us {:>8.1f} ns a contact\n", bodies, problem.contacts.size(),
               seconds * 1e6, seconds * 1e9 / problem.contacts.size());
    sizes.push_back(bodies), times.push_back(seconds);
  }
  fmt::print("  fitted exponent {:.3f} (target <= 1.1)\n", bench::fitted_exponent(sizes, times));
}

bool run_threads() {
  fmt::print("time of an iteration with two threads\n");
  bool same = true;
  ThreadPool two(2);
  for (const Problem& problem : {test::scattered_bodies(100, 1), test::scattered_bodies(1000, 1),
                                 test::scattered_bodies(10000, 1), test::quadrupeds(27, 1), test::quadrupeds(270, 1)}) {
    std::vector<double> impulses1, impulses2;
    const int steps = std::max(5, 100000 / problem.n());
    double alone = 1e300, both = 1e300;
    for (int i = 0; i < 3; ++i) {  // in turns, for the machine may be busy at one time and idle at another
      alone = std::min(alone, step_time(problem, 15, steps, nullptr, impulses1));
      both = std::min(both, step_time(problem, 15, steps, &two, impulses2));
    }
    same = same && impulses1 == impulses2;
    fmt::print("  {:<24} {:>9.2f} us -> {:>9.2f} us: {:>5.2f} x{}\n", problem.name, alone * 1e6, both * 1e6,
               alone / both, impulses1 == impulses2 ? "" : "  and not the same answer");
  }
  return same;
}

}  // namespace

int main() {
  try {
    run_scaling();
    return run_threads() ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
