/// What checks measure, and how they say it.
#include "uzawa/scenarios/measure.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "uzawa/scenarios/findings.hpp"

namespace uzawa::scenarios {
namespace {

StepReport report(StepStatus status, double residual = 0, int constraints = 1) {
  StepReport out;
  out.status = status;
  out.residual = residual;
  out.constraints = constraints;
  return out;
}

TEST(StepWatchTest, OnlyWhatIsWithinTheToleranceIsSolved) {
  for (const StepStatus status :
       {StepStatus::Solved, StepStatus::Capped, StepStatus::LeastViolation, StepStatus::Relaxed, StepStatus::Failed}) {
    StepWatch steps;
    steps.add(report(StepStatus::Solved));
    steps.add(report(status));
    EXPECT_EQ(steps.all_solved(), is_solved(status)) << to_string(status);
    EXPECT_EQ(steps.none_failed(), status != StepStatus::Failed) << to_string(status);
  }
}

TEST(StepWatchTest, SaysWhatHappened) {
  StepWatch steps;
  EXPECT_EQ(steps.text(), "all steps solved");
  steps.add(report(StepStatus::Solved));
  EXPECT_EQ(steps.text(), "all steps solved");
  steps.add(report(StepStatus::Relaxed));
  steps.add(report(StepStatus::Capped));
  EXPECT_EQ(steps.text(), "2 of 3 steps not solved");
  steps.add(report(StepStatus::Failed));
  EXPECT_EQ(steps.text(), "1 steps failed");
}

TEST(StepWatchTest, ResidualsOfStepsWithConstraints) {
  StepWatch steps;
  EXPECT_EQ(steps.residual(1), 0);
  for (int i = 0; i < 10; ++i) steps.add(report(StepStatus::Solved, 0, 0));  // in the air
  for (const double residual : {3e-9, 1e-9, 2e-4, 2e-9, 4e-9}) steps.add(report(StepStatus::Capped, residual));
  EXPECT_EQ(steps.residual(1), 2e-4);
  EXPECT_EQ(steps.residual(0.75), 4e-9);
  EXPECT_EQ(steps.residual(0.5), 3e-9);
  EXPECT_EQ(steps.residual(0), 1e-9);
}

TEST(StepWatchTest, DeepestPenetration) {
  StepWatch steps;
  for (const double depth : {0.0, 2e-3, 1e-3}) {
    StepReport one = report(StepStatus::Solved);
    one.penetration = depth;
    steps.add(one);
  }
  EXPECT_EQ(steps.penetration(), 2e-3);
}

TEST(TiltTest, IsTheAngleOfTheAxis) {
  for (const double tilt : {0.0, 1e-9, 0.3, M_PI / 2, 3.0, M_PI}) {
    for (const double heading : {0.0, 2.0}) {
      double q[7] = {1, 2, 3};
      const Quat turn = exp_rotation(Vec3{std::cos(heading), std::sin(heading), 0} * tilt) * exp_rotation({0, 0, 1.3});
      turn.store(q + 3);
      EXPECT_NEAR(tilt_of(q), tilt, 1e-14) << heading;
    }
  }
}

/// Quaternions are of length one to rounding only; upside down must not become no number.
TEST(TiltTest, ForgivesRounding) {
  const double longer = 1 + 1e-12;
  const double upright[7] = {0, 0, 0, longer, 0, 0, 0}, upside_down[7] = {0, 0, 0, 0, longer, 0, 0};
  EXPECT_NEAR(tilt_of(upright), 0, 1e-11);
  EXPECT_NEAR(tilt_of(upside_down), M_PI, 1e-11);
}

TEST(FindingsTest, SayWhatIsComparedWithItsBound) {
  const Outcome outcome = Findings()
                              .below("drift", 2e-6, 1e-5, kMicrometres)
                              .at_least("share", 0.9, 0.95, kPercent)
                              .near("turned by", 1.01, 1, 0.05, {"turns"})
                              .require(false, "in order", "out of order")
                              .all("stand", 3, 3)
                              .note("7 contacts")
                              .outcome();
  EXPECT_FALSE(outcome.holds);
  EXPECT_EQ(outcome.expected, "drift < 10 um, share >= 95 %, turned by 1 +- 0.05 turns, in order, all stand");
  EXPECT_EQ(outcome.measured, "drift 2 um, share 90 %, turned by 1.01 turns, out of order, 3 of 3 stand, 7 contacts");
  EXPECT_EQ(outcome.wrong, "share, out of order");
}

TEST(FindingsTest, NoNumberIsWithinNoBound) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(Findings().below("a", nan, 1, kRadians).outcome().holds);
  EXPECT_FALSE(Findings().at_least("a", nan, 1, kRadians).outcome().holds);
  EXPECT_FALSE(Findings().near("a", nan, 1, 1, kRadians).outcome().holds);
  EXPECT_TRUE(Findings().outcome().holds);
}

/// Of 100 steps, `late` are worse than the others.
bool is_well_solved(double usual, int late, double worse, StepStatus status = StepStatus::Capped) {
  StepWatch steps;
  for (int i = 0; i < 100; ++i) steps.add(report(status, i < late ? worse : usual));
  return Findings().well_solved(steps).outcome().holds;
}

TEST(FindingsTest, ResidualsAreBounded) {
  EXPECT_TRUE(is_well_solved(0.9 * kMedianResidual, 20, 0.9 * kMostResidual));
  EXPECT_FALSE(is_well_solved(1.1 * kMedianResidual, 0, 0));
  EXPECT_FALSE(is_well_solved(1e-9, 20, 1.1 * kMostResidual));
  EXPECT_TRUE(is_well_solved(1e-9, 3, 1.1 * kMostResidual)) << "impacts";
  EXPECT_FALSE(is_well_solved(1e-9, 0, 0, StepStatus::Failed));
}

}  // namespace
}  // namespace uzawa::scenarios
