/// What a contact's gap is made of in a step.
#include "uzawa/assembly/settings.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "uzawa/base/error.hpp"

namespace uzawa {
namespace {

constexpr double kStep = 0.01;  // s

TEST(AssemblySettingsTest, GapsMayCloseAndOverlapsAreMadeGoodByAShare) {
  const AssemblySettings settings{.recovery_share = 0.2, .flush_speed = 0};
  EXPECT_DOUBLE_EQ(settings.gap_rate(1e-9, kStep), 1e-7);
  EXPECT_DOUBLE_EQ(settings.gap_rate(-1e-9, kStep), -2e-8);
}

TEST(AssemblySettingsTest, WhatIsFlushHasNoGap) {
  const AssemblySettings settings{.recovery_share = 0.2, .flush_speed = 1e-5};
  EXPECT_EQ(settings.gap_rate(9e-8, kStep), 0);
  EXPECT_EQ(settings.gap_rate(-9e-8, kStep), 0);
  EXPECT_DOUBLE_EQ(settings.gap_rate(1.1e-7, kStep), 1.1e-5);
  EXPECT_DOUBLE_EQ(settings.gap_rate(-1.1e-7, kStep), -2.2e-6);
}

TEST(AssemblySettingsTest, FlushMustMakeSense) {
  const Model model{ModelSpec{}};
  for (const double wrong : {-1e-9, HUGE_VAL, std::nan("")}) {
    AssemblySettings settings{.flush_speed = wrong};
    EXPECT_THROW(prepare(settings, model), InputError) << wrong;
  }
}

}  // namespace
}  // namespace uzawa
