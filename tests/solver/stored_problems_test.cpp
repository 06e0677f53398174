/// Problems of other projects' simulations.
#include <gtest/gtest.h>

#include <filesystem>

#include "uzawa/problem/problem_file.hpp"
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

}  // namespace
}  // namespace uzawa
