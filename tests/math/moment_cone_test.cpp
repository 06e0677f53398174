/// The laws of rolling and torsional friction by themselves: distances and finite differences.
#include "uzawa/math/moment_cone.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

namespace uzawa {
namespace {

constexpr MomentCone kCone{0.02, 0.03, 0.05};

Vec3 random_moment(std::mt19937& random, double size) {
  std::uniform_real_distribution<double> range(-size, size);
  const double x = range(random), y = range(random);
  return {x, y, range(random)};
}

bool is_inside(const Vec3& m, double n) {
  return length(m.x() / kCone.roll1, m.y() / kCone.roll2) <= n * (1 + 1e-12) &&
         std::abs(m.z()) <= kCone.spin * n * (1 + 1e-12);
}

TEST(MomentConeTest, ProjectsOntoTheNearestMoment) {
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) {
    const Vec3 s = random_moment(random, 0.1);
    const double n = 0.1 + 0.01 * i;
    const Vec3 nearest = project_moment(kCone, s, n);
    ASSERT_TRUE(is_inside(nearest, n));
    for (int k = 0; k < 20; ++k) {
      const Vec3 other = random_moment(random, 0.05 * n);
      if (!is_inside(other, n)) continue;
      ASSERT_LE(norm(s - nearest), norm(s - other) + 1e-12);
    }
  }
}

TEST(MomentConeTest, WithoutNormalImpulseThereIsNone) {
  EXPECT_EQ(norm(project_moment(kCone, {1, 2, 3}, 0)), 0);
  EXPECT_EQ(norm(project_moment(kCone, {1, 2, 3}, -1)), 0);
}

TEST(MomentConeTest, ZeroLengthsBearNothing) {
  const Vec3 spin = project_moment({0, 0, 0.1}, {1, 1, 1}, 2);
  EXPECT_EQ(spin.x(), 0);
  EXPECT_EQ(spin.y(), 0);
  EXPECT_NEAR(spin.z(), 0.2, 1e-15);
}

/// Slopes against central differences, away from corners.
void expect_slopes(const std::function<MomentResponse(const Vec3&, double)>& law, const Vec3& s, double n) {
  constexpr double kStep = 1e-6, kClose = 2e-6;
  const MomentResponse here = law(s, n);
  for (int k = 0; k < 3; ++k) {
    const Vec3 step = Vec3::unit(k) * (0.01 * kStep);
    const Vec3 slope = (law(s + step, n).moment - law(s - step, n).moment) * (0.5 / (0.01 * kStep));
    EXPECT_LT(norm(slope - here.slope.col[k]), kClose) << "along " << k;
  }
  const Vec3 slope = (law(s, n + kStep).moment - law(s, n - kStep).moment) * (0.5 / kStep);
  EXPECT_LT(norm(slope - here.by_normal), kClose) << "along n";
}

TEST(MomentConeTest, SlopesAreDerivatives) {
  std::mt19937 random(2);
  for (int i = 0; i < 100; ++i) {
    const Vec3 s = random_moment(random, 0.1);
    expect_slopes([](const Vec3& x, double n) { return moment_response(kCone, x, n); }, s, 1.3);
    // Elliptic cones keep their corners; the round one is smooth everywhere.
    const MomentCone round{0.02, 0.02, 0.05};
    expect_slopes([&](const Vec3& x, double n) { return smoothed_moment(round, x, n, 0.1, 0.03); }, s, 0.02 * i - 1);
  }
}

TEST(MomentConeTest, RoundingVanishes) {
  const MomentCone round{0.02, 0.02, 0.05};
  const Vec3 s{0.03, -0.01, 0.2};
  EXPECT_LT(norm(smoothed_moment(round, s, 1, 1e-9, 0.03).moment - project_moment(round, s, 1)), 1e-8);
}

TEST(MomentConeTest, PowerIsTheLargestThereIs) {
  std::mt19937 random(3);
  const Vec3 w{0.3, -1.2, 0.7};
  const double most = turning_power(kCone, w);
  for (int i = 0; i < 1000; ++i) {
    const Vec3 m = project_moment(kCone, random_moment(random, 1), 1);
    ASSERT_LE(dot(m, w), most * (1 + 1e-12));
  }
  EXPECT_NEAR(dot(project_moment(kCone, w * 1e6, 1), w), most, 1e-6 * most);  // attained from far away
}

}  // namespace
}  // namespace uzawa
