#include "uzawa/collision/distance/screw_thread.hpp"

#include <gtest/gtest.h>

#include "sdf_samples.hpp"
#include "uzawa/collision/distance/sdf_lanes.hpp"

/// The ISO metric thread against its definition.
namespace uzawa::test {
namespace {

/// A point of the thread's surface from the definition: radius over the height above the crest's middle at angle 0.
Vec3 on_thread(double diameter, double pitch, double along, double angle) {
  const double p = pitch, big_h = std::sqrt(3.) / 2 * p, depth = 5. / 8 * big_h;
  const double u = std::abs(along - p * std::round(along / p));
  const double fall = std::clamp((u - p / 16) / std::tan(M_PI / 6), 0., depth);
  const double radius = diameter / 2 - fall;
  return {radius * std::cos(angle), radius * std::sin(angle), along + p * angle / (2 * M_PI)};
}

TEST(Thread, DiametersOfM48AreThoseOfTheStandard) {
  const ThreadHelix helix(0.048, 0.005);
  // ISO 724: M48 x 5 has pitch diameter 44.752 and minor diameter 42.587 mm.
  EXPECT_NEAR(2 * helix.minor_radius(), 0.042587, 5e-7);
  const Vec3 on_pitch_line{0.044752 / 2, 0, 0.005 / 4};
  EXPECT_NEAR(helix.evaluate4(broadcast(on_pitch_line)).distance[0], 0, 3e-7);
}

struct Size {
  double diameter, pitch;
};
class ThreadOfSize : public testing::TestWithParam<Size> {};
INSTANTIATE_TEST_SUITE_P(Sizes, ThreadOfSize,
                         testing::Values(Size{0.048, 0.005}, Size{0.006, 0.001}, Size{0.0016, 0.00035},
                                         Size{0.1, 0.001}, Size{0.03, 0.01}));

TEST_P(ThreadOfSize, IsZeroOnTheSurface) {
  const auto [diameter, pitch] = GetParam();
  const ThreadHelix helix(diameter, pitch);
  Random random(1);
  for (int i = 0; i < 20'000; ++i) {
    const Vec3 point = on_thread(diameter, pitch, random.uniform(-3, 3) * pitch, random.uniform(-M_PI, M_PI));
    EXPECT_NEAR(helix.evaluate4(broadcast(point)).distance[0], 0, 1e-12);
  }
}

TEST_P(ThreadOfSize, IsTheDistanceToTheNearestOfManyPoints) {
  const auto [diameter, pitch] = GetParam();
  const ThreadHelix helix(diameter, pitch);
  Random random(2);
  for (int i = 0; i < 200; ++i) {
    const Vec3 base = on_thread(diameter, pitch, random.uniform(0, 1) * pitch, 0.3);
    const Vec3 point = base + random.uniform(0, pitch / 4) * random.direction();
    // All points of the surface nearby, in smaller and smaller windows around the nearest.
    double along = 0, angle = 0, nearest = 1e9, window_along = pitch, window_angle = pitch / diameter;
    for (int round = 0; round < 8; ++round) {
      const double centre_along = round == 0 ? point.z() - pitch * 0.3 / (2 * M_PI) : along;
      const double centre_angle = round == 0 ? 0.3 : angle;
      for (int a = -60; a <= 60; ++a) {
        for (int b = -20; b <= 20; ++b) {
          const double at = centre_along + window_along * a / 60, turn = centre_angle + window_angle * b / 20;
          const double d = norm(on_thread(diameter, pitch, at, turn) - point);
          if (d < nearest) nearest = d, along = at, angle = turn;
        }
      }
      window_along /= 5;
      window_angle /= 5;
    }
    const double value = std::abs(helix.evaluate4(broadcast(point)).distance[0]);
    // Sharp corners of the profile apart, the search has converged to 1e-9.
    EXPECT_NEAR(value, nearest, helix.relative_error() * nearest + 1e-3 * pitch * pitch / diameter + 1e-8);
    EXPECT_NEAR(value, nearest, 1e-4);
  }
}

TEST_P(ThreadOfSize, TurnsIntoItself) {
  const auto [diameter, pitch] = GetParam();
  const ThreadHelix helix(diameter, pitch);
  Random random(3);
  for (int i = 0; i < 5000; ++i) {
    const double turn = random.uniform(-10, 10);
    const Vec3 point = random.in({{-diameter, -diameter, -pitch}, {diameter, diameter, pitch}});
    const Vec3 turned = rotate(exp_rotation({0, 0, turn}), point) + Vec3{0, 0, pitch * turn / (2 * M_PI)};
    EXPECT_NEAR(helix.evaluate4(broadcast(point)).distance[0], helix.evaluate4(broadcast(turned)).distance[0], 1e-12);
  }
}

/// The nut on the bolt, at any place along it: neither touches the other, and the gap is what the clearance leaves.
TEST(Thread, NutFitsBolt) {
  const ThreadSdf bolt(m48_bolt()), nut(m48_nut());
  const Surface surface = surface_of(nut, {.chord_error = 1e-5});
  // Both diameters give way by 0.2 mm: 0.1 mm of radius each, half of that across a flank of 30 degrees.
  constexpr double kGap = 2e-4 * 0.5;
  for (const double height : {0.02, 0.0512, 0.0777}) {
    const Pose pose = Pose::from({0, 0, height}, exp_rotation({0, 0, 2 * M_PI * height / 0.005}));
    double least = 1;
    for (const Vec3& vertex : surface.vertices) least = std::min(least, bolt.evaluate(pose * vertex).distance);
    EXPECT_NEAR(least, kGap, 2e-5);
  }
}

TEST(Thread, HeadAndTipAreWhereTheSpecSays) {
  const ThreadSdf bolt(m48_bolt());
  EXPECT_NEAR(bolt.evaluate({0, 0, 0.101}).distance, 0.001, 1e-12);            // above the tip
  EXPECT_NEAR(bolt.evaluate({0.0385, 0, -0.01}).distance, 0.001, 1e-12);       // beside a flat of the head
  EXPECT_NEAR(bolt.evaluate({0.03, 0, 0.002}).distance, 0.002, 1e-12);         // above the head
  EXPECT_NEAR(bolt.evaluate({0, 0, -0.033}).distance, 0.003, 1e-12);           // below it
  EXPECT_NEAR(bolt.evaluate({0.0375 + 3e-3, 0, 4e-3}).distance, 5e-3, 1e-12);  // off the head's edge
  const ThreadSdf nut(m48_nut());
  EXPECT_NEAR(nut.evaluate({0.03, 0, 0.021}).distance, 0.002, 1e-12);
  EXPECT_NEAR(nut.evaluate({0.0405, 0, 0}).distance, 0.003, 1e-12);
  EXPECT_GT(nut.evaluate({0, 0, 0}).distance, 0.02);
}

TEST(Thread, AngleIsTheLibrarys) {
  Random random(4);
  for (int i = 0; i < 100'000; ++i) {
    const double x = random.uniform(-1, 1), y = random.uniform(-1, 1);
    EXPECT_NEAR(angle_of(broadcast(x), broadcast(y))[0], std::atan2(y, x), 3e-14);
  }
  for (const double x : {-1., 0., 1.}) {
    for (const double y : {-1., 0., 1.}) EXPECT_NEAR(angle_of(broadcast(x), broadcast(y))[0], std::atan2(y, x), 3e-14);
  }
}

}  // namespace
}  // namespace uzawa::test
