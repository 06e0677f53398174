/// A repeated solve of a soft body by COND allocates nothing, on one thread or two.
#include <gtest/gtest.h>

#include "support/allocations.hpp"
#include "support/soft_problems.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa::test {
namespace {

void expect_none(const Problem& problem) {
  for (const int threads : {1, 2}) {
    for (const CondAcceleration acceleration : {CondAcceleration::Fista, CondAcceleration::Anderson}) {
      Settings settings{.max_iterations = 60, .threads = threads};
      settings.cond.acceleration = acceleration;
      Workspace workspace;
      Result result;
      for (int i = 0; i < 2; ++i) find_solver("cond").solve(problem, settings, workspace, result);
      workspace.start = result.lambda;
      workspace.start_velocity = result.v;
      find_solver("cond").solve(problem, settings, workspace, result);
      const long before = allocations();
      find_solver("cond").solve(problem, settings, workspace, result);
      EXPECT_EQ(allocations() - before, 0) << threads << " threads";
    }
  }
}

TEST(CondAllocationTest, SoftBodyAgain) {
  expect_none(soft_problem({.x = 8, .y = 8, .z = 4, .plate = true, .faces = true}, 1));
}

/// From 512 nodes on that nothing touches, a second level of 192 motions comes in.
TEST(CondAllocationTest, SecondLevelAgain) { expect_none(soft_problem({.x = 11, .y = 11, .z = 10}, 1)); }

}  // namespace
}  // namespace uzawa::test
