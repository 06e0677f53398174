/// Problems of other projects' simulations.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "build_folders.hpp"
#include "small_problems.hpp"
#include "uzawa/problem_io/problem_file.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa {
namespace {

namespace fs = std::filesystem;

TEST(StoredProblemsTest, CanalSolvesThemAll) {
  const fs::path folder = fs::path(UZAWA_SHARED_DATA) / "fc3d";
  if (!fs::exists(folder)) GTEST_SKIP() << "not there: " << folder;
  int problems = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".json" && entry.path().extension() != ".hdf5") continue;
    const Problem problem = read_problem(entry.path());
    Workspace workspace;
    Result result;
    find_solver("canal").solve(problem, {}, workspace, result);
    EXPECT_EQ(result.status, SolveStatus::Converged) << entry.path();
    EXPECT_LE(result.verdict.siconos, 1e-8) << entry.path();
    ++problems;
  }
  EXPECT_GT(problems, 10);
}

/// A method may give up, but what it calls converged must be.
TEST(StoredProblemsTest, NoMethodClaimsMoreThanItHas) {
  const fs::path folder = fs::path(UZAWA_SHARED_DATA) / "fc3d";
  if (!fs::exists(folder)) GTEST_SKIP() << "not there: " << folder;
  constexpr int kLargest = 100;  // contacts: the ablations factorise dense matrices hundreds of times
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    const Problem problem = read_problem(entry.path());
    if (problem.contacts.size() > kLargest) continue;
    for (const Solver& solver : solvers()) {
      Settings settings;
      settings.max_iterations = std::min(300, test::enough_iterations(solver.name));
      Workspace workspace;
      Result result;
      solve_islands(solver, problem, settings, workspace, result);
      const bool solved = std::max(result.verdict.residual, result.verdict.siconos) <= settings.tolerance;
      EXPECT_TRUE(solved || result.status != SolveStatus::Converged) << solver.name << ", " << entry.path();
    }
  }
}

}  // namespace
}  // namespace uzawa
