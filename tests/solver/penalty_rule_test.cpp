/// CANAL's penalty rule on given sequences of |J v - z|: numbers that are exact in binary, so that bounds are met
/// exactly.
#include "uzawa/solver/canal/penalty_rule.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace uzawa {
namespace {

constexpr double kFirst = 2, kGrowth = 4, kRequired = 0.25;
const CanalSettings kSettings{.penalty_growth = kGrowth, .penalty_bound = 100, .required_decrease = kRequired};

/// Beta after each of the loops.
std::vector<double> betas(const std::vector<double>& gaps, const CanalSettings& settings = kSettings) {
  PenaltyRule rule(settings, kFirst);
  std::vector<double> out;
  for (const double gap : gaps) {
    rule.end_of_loop(gap);
    out.push_back(rule.beta());
  }
  return out;
}

TEST(PenaltyRuleTest, FirstLoopHasNothingToBeComparedWith) {
  for (const double gap : {0.0, 1e-300, 1.0, 1e300}) EXPECT_EQ(betas({gap}), std::vector<double>{kFirst}) << gap;
}

TEST(PenaltyRuleTest, GrowsWhereALoopHasNotReducedTheGapEnough) {
  EXPECT_EQ(betas({1, 0.5}), (std::vector<double>{kFirst, kGrowth * kFirst}));
  EXPECT_EQ(betas({1, 0.25}), (std::vector<double>{kFirst, kFirst})) << "just enough";
  EXPECT_EQ(betas({1, 0.2500001}).back(), kGrowth * kFirst) << "just not enough";
  EXPECT_EQ(betas({1, 8}).back(), kGrowth * kFirst) << "worse than before";
  // Each loop is compared with the one before it, not with the first or the best.
  EXPECT_EQ(betas({1, 0.125, 0.0625, 0.015625, 1}),
            (std::vector<double>{kFirst, kFirst, kGrowth * kFirst, kGrowth * kFirst, kGrowth * kGrowth * kFirst}));
}

TEST(PenaltyRuleTest, NeverFallsAndNeverPassesItsBound) {
  // 100 is no power of 4: the last growth is cut.
  EXPECT_EQ(betas({1, 1, 1, 1, 1, 1, 1}), (std::vector<double>{1 * kFirst, 4 * kFirst, 16 * kFirst, 64 * kFirst,
                                                               100 * kFirst, 100 * kFirst, 100 * kFirst}));
  EXPECT_EQ(betas({1, 1, 0, 0, 0}).back(), kGrowth * kFirst) << "a gap of nothing asks for no more";
  const CanalSettings constant{.penalty_growth = 4, .penalty_bound = 1, .required_decrease = 0.25};
  EXPECT_EQ(betas({1, 1, 1}, constant), (std::vector<double>{kFirst, kFirst, kFirst}));
}

TEST(PenaltyRuleTest, RemembersTheFirstPenalty) {
  PenaltyRule rule(kSettings, kFirst);
  for (int i = 0; i < 5; ++i) rule.end_of_loop(1);
  EXPECT_EQ(rule.first_beta(), kFirst);
  EXPECT_GT(rule.beta(), kFirst);
}

/// constant_loops after each of the loops.
std::vector<int> constant_loops(const std::vector<double>& gaps, double tolerance) {
  PenaltyRule rule(kSettings, kFirst);
  std::vector<int> out;
  for (const double gap : gaps) {
    rule.end_of_loop(gap);
    out.push_back(rule.constant_loops(tolerance));
  }
  return out;
}

TEST(PenaltyRuleTest, CountsLoopsInARowWithTheSameGap) {
  EXPECT_EQ(constant_loops({1, 1, 1, 1}, 1e-8), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(constant_loops({1, 1, 0.5, 0.5, 0.5}, 1e-8), (std::vector<int>{0, 1, 0, 1, 2})) << "it starts over";
  // Relative: the same step in the eighth digit counts for a small gap, too; in the sixth it does for none.
  for (const double size : {1e-6, 1.0, 1e6}) {
    EXPECT_EQ(constant_loops({size, size * (1 + 1e-8), size}, 1e-8), (std::vector<int>{0, 1, 2})) << size;
    EXPECT_EQ(constant_loops({size, size * (1 + 1e-6), size}, 1e-8), (std::vector<int>{0, 0, 0})) << size;
  }
}

TEST(PenaltyRuleTest, AGapWithinTheToleranceIsNoContradiction) {
  EXPECT_EQ(constant_loops({1e-9, 1e-9, 1e-9}, 1e-8), (std::vector<int>{0, 0, 0}));
  EXPECT_EQ(constant_loops({0, 0, 0}, 1e-8), (std::vector<int>{0, 0, 0}));
  EXPECT_EQ(constant_loops({1e-7, 1e-7, 1e-7}, 1e-8), (std::vector<int>{0, 1, 2}));
}

TEST(PenaltyRuleTest, GapStaysWithinTheShareThatIsAskedFor) {
  PenaltyRule rule(kSettings, kFirst);
  rule.end_of_loop(1);
  EXPECT_FALSE(rule.gap_stays(1e-8, 0.5)) << "nothing came before it";
  rule.end_of_loop(1.25);
  EXPECT_TRUE(rule.gap_stays(1e-8, 0.25));  // changed by a fifth of what it is now
  EXPECT_FALSE(rule.gap_stays(1e-8, 0.125));
  EXPECT_FALSE(rule.gap_stays(2, 0.25));  // within the tolerance
}

}  // namespace
}  // namespace uzawa
