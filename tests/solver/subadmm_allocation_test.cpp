/// SubADMM's iteration by itself: the second time around it allocates nothing.
#include <gtest/gtest.h>

#include "support/allocations.hpp"
#include "support/problem_families.hpp"
#include "support/quadrupeds.hpp"
#include "uzawa/solver/admm/subadmm_iteration.hpp"

namespace uzawa {
namespace {

TEST(SubAdmmAllocationTest, NothingTheSecondTime) {
  ThreadPool pool(2);
  for (const Problem& problem :
       {test::dish_stack(2, true, 0), test::quadrupeds(8, 1), test::scattered_bodies(2000, 1)}) {
    PreparedProblem prepared(problem);
    const std::vector<double> cold(static_cast<std::size_t>(problem.rows), 0.0);
    for (const AdmmPenaltyRule rule : {AdmmPenaltyRule::Masses, AdmmPenaltyRule::Traces}) {
      const SubAdmmSettings settings{.penalty_rule = rule, .theta = 1e-30};
      SubAdmmIteration iteration;
      long before = 0;
      for (int round = 0; round < 2; ++round) {
        before = test::allocations();
        iteration.prepare(prepared, settings, cold, Splitting::Bodies, &pool);
        for (int i = 0; i < 100; ++i) iteration.step(problem);
        iteration.impulses(problem);
      }
      EXPECT_EQ(test::allocations() - before, 0) << problem.name;
      EXPECT_EQ(iteration.factorizations() > 1, rule == AdmmPenaltyRule::Masses) << problem.name;
    }
  }
}

}  // namespace
}  // namespace uzawa
