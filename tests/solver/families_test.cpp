/// Generated families (tests/support/problem_families.hpp): how many cases each method solves, and how well.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/problem_families.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa {
namespace {

constexpr int kCases = 20;  // of the 100; benchmarks run them all

class FamilyTest : public testing::TestWithParam<test::Family> {};
INSTANTIATE_TEST_SUITE_P(Families, FamilyTest, testing::ValuesIn(test::families()), [](const auto& family) {
  std::string name = family.param.name;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

TEST_P(FamilyTest, CanalIsExactAndFirstOrderMethodsComeNear) {
  int exact = 0, failures = 0;
  double subadmm = 0, pgs = 0;
  for (int i = 0; i < kCases; ++i) {
    const Problem problem = GetParam()(i);
    Workspace workspace;
    Result result;
    Settings settings;
    find_solver("canal").solve(problem, settings, workspace, result);
    exact += result.verdict.residual <= 1e-8 ? 1 : 0;
    failures += result.stats.inner_failures;
    settings.max_iterations = 100;
    find_solver("subadmm").solve(problem, settings, workspace, result);
    subadmm += std::log10(std::max(1e-16, result.verdict.residual)) / kCases;
    find_solver("pgs").solve(problem, settings, workspace, result);
    pgs += std::log10(std::max(1e-16, result.verdict.residual)) / kCases;
  }
  EXPECT_EQ(exact, kCases);
  EXPECT_EQ(failures, 0);
  EXPECT_LE(subadmm, -3.3);
  EXPECT_LE(pgs, -3.0);
}

TEST(WarmStartTest, SavesWorkForEveryMethod) {
  for (const char* name : {"canal", "subadmm", "pgs"}) {
    const Problem problem = test::dish_stack(3, true, 0);
    Problem next = problem;
    for (double& b : next.b) b *= 1.01;  // the next step of a simulation
    Workspace workspace;
    Result first, cold, warm;
    Settings settings;
    settings.tolerance = 1e-6;
    settings.max_iterations = 20000;
    find_solver(name).solve(problem, settings, workspace, first);
    find_solver(name).solve(next, settings, workspace, cold);
    workspace.start = first.lambda;
    find_solver(name).solve(next, settings, workspace, warm);
    EXPECT_LE(warm.verdict.residual, 1e-6) << name;
    EXPECT_LT(warm.stats.iterations + warm.stats.inner_iterations, cold.stats.iterations + cold.stats.inner_iterations)
        << name;
  }
}

TEST(AgreementTest, AllMethodsGiveTheSameVelocities) {
  const Problem problem = test::dish_stack(4, true, 0);
  Settings settings;
  settings.max_iterations = 200000;
  Workspace workspace;
  Result canal, subadmm, pgs;
  find_solver("canal").solve(problem, settings, workspace, canal);
  find_solver("subadmm").solve(problem, settings, workspace, subadmm);
  find_solver("pgs").solve(problem, settings, workspace, pgs);
  ASSERT_EQ(canal.status, SolveStatus::Converged);
  ASSERT_EQ(subadmm.status, SolveStatus::Converged);
  ASSERT_EQ(pgs.status, SolveStatus::Converged);
  for (std::size_t i = 0; i < canal.v.size(); ++i) {
    EXPECT_NEAR(canal.v[i], subadmm.v[i], 1e-5);
    EXPECT_NEAR(canal.v[i], pgs.v[i], 1e-5);
  }
}

}  // namespace
}  // namespace uzawa
