/// Balls against signed distances: every wall of a hollow has its contact.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "uzawa/collision/contacts/contact.hpp"
#include "uzawa/collision/distance/revolved.hpp"
#include "uzawa/collision/distance/sdf_primitives.hpp"
#include "uzawa/collision/distance/sdf_union.hpp"
#include "uzawa/collision/sdf/sdf_contacts.hpp"

namespace uzawa::test {
namespace {

constexpr double kRadius = 0.005, kWall = 0.003;        // m
constexpr double kPotRadius = 0.03, kPotHeight = 0.05;  // m, of the middle of the wall

Pose at(const Vec3& position) { return {Mat3::identity(), position}; }

std::vector<SurfaceContact> contacts_of(const SignedDistance& shape, const Vec3& centre, double margin,
                                        double radius = kRadius, const Pose& pose = {}) {
  SdfContactFinder finder;
  const auto found = finder.find_ball(radius, at(pose * centre), {&shape, pose}, margin);
  return {found.begin(), found.end()};
}

TEST(SdfBall, OneContactOnAPlane) {
  const PlaneSdf plane;
  const auto found = contacts_of(plane, {1, 2, 0.004}, 1e-3);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].gap, -0.001, 1e-15);
  EXPECT_NEAR(found[0].point.z(), -0.001, 1e-15);
  EXPECT_TRUE(contacts_of(plane, {0, 0, kRadius + 2e-3}, 1e-3).empty());
}

/// Floor and wall at once, whichever is nearer, in a vessel that stands anywhere.
TEST(SdfBall, TwoContactsInTheCornerOfAVessel) {
  const RevolvedSdf vessel(pot(kPotRadius, kPotHeight, kWall));
  const Pose somewhere = Pose::from({1, -2, 0.5}, exp_rotation({0.3, 1.1, -0.4}));
  for (const double floor_gap : {-1e-4, 0., 3e-4}) {
    for (const double wall_gap : {-2e-4, 0., 1e-4}) {
      for (const double angle : {0., 0.7, 2.5, 4.}) {
        const double r = kPotRadius - kWall / 2 - kRadius - wall_gap;
        const Vec3 outwards{std::cos(angle), std::sin(angle), 0};
        const Vec3 centre = r * outwards + Vec3{0, 0, kWall / 2 + kRadius + floor_gap};
        const auto found = contacts_of(vessel, centre, 1e-3, kRadius, somewhere);
        ASSERT_EQ(found.size(), 2U) << floor_gap << " " << wall_gap << " " << angle;
        for (const SurfaceContact& contact : found) {
          const Vec3 normal = transpose_times(somewhere.rotation, contact.normal);
          const bool floor = normal.z() > 0.5;
          EXPECT_NEAR(dot(normal, floor ? Vec3{0, 0, 1} : -outwards), 1, 1e-8);
          EXPECT_NEAR(contact.gap, floor ? floor_gap : wall_gap, 1e-9);
          EXPECT_NEAR(norm(contact.point - (somewhere * centre - kRadius * contact.normal)), 0, 1e-15);
        }
        EXPECT_NE(found[0].feature, found[1].feature);
      }
    }
  }
}

/// Three boxes that meet in a corner: a contact with each; nothing of what is beyond the margin.
TEST(SdfBall, ThreeContactsInTheCornerOfARoom) {
  std::vector<UnionSdf::Member> walls;
  for (int axis = 0; axis < 3; ++axis) {
    Vec3 half{0.1, 0.1, 0.1};
    half.set(axis, 0.01);
    Vec3 place{0.1, 0.1, 0.1};
    place.set(axis, -0.01);
    walls.push_back({std::make_shared<const BoxSdf>(half), at(place)});
  }
  const UnionSdf room(std::move(walls));
  const auto found = contacts_of(room, {kRadius - 1e-5, kRadius, kRadius + 2e-5}, 1e-4);
  ASSERT_EQ(found.size(), 3U);
  for (const SurfaceContact& contact : found) {
    const double gap = contact.normal.x() > 0.9 ? -1e-5 : contact.normal.y() > 0.9 ? 0 : 2e-5;
    EXPECT_NEAR(contact.gap, gap, 1e-12);
  }
  EXPECT_EQ(contacts_of(room, {kRadius, kRadius, kRadius + 2e-3}, 1e-4).size(), 2U);
}

/// One contact on what is convex seen from the ball: a rim, the outside of a wall, a wide bowl.
TEST(SdfBall, OneContactWhereThereIsOneWall) {
  const RevolvedSdf vessel(pot(kPotRadius, kPotHeight, kWall));
  EXPECT_EQ(contacts_of(vessel, {kPotRadius + 1e-3, 0, kPotHeight + kWall / 2 + kRadius - 3e-4}, 1e-3).size(), 1U);
  EXPECT_EQ(contacts_of(vessel, {0, kPotRadius + kWall / 2 + kRadius, 0.02}, 1e-3).size(), 1U);
  const RevolvedSdf wide(bowl(0.1, 0.1, kWall));
  EXPECT_EQ(contacts_of(wide, {0, 0, kWall / 2 + kRadius}, 1e-3).size(), 1U);
}

/// Points of the ball around this one are farther from the shape.
bool is_minimum(const SignedDistance& shape, const Vec3& centre, const Vec3& towards) {
  const Mat3 frame = contact_frame(towards);
  const double here = shape.evaluate(centre + kRadius * towards).distance;
  for (int i = 0; i < 8; ++i) {
    const double angle = i * M_PI / 4, tilt = 0.1;
    const Vec3 aside = std::cos(angle) * frame.col[0] + std::sin(angle) * frame.col[1];
    const Vec3 there = std::cos(tilt) * towards + std::sin(tilt) * aside;
    if (shape.evaluate(centre + kRadius * there).distance <= here) return false;
  }
  return true;
}

/// What is reported is a minimum of the distance over the ball's surface, with its value and gradient; and none is
/// missed that is lower than its surroundings by far. Oracle: 20,000 points of the surface.
TEST(SdfBall, AgreesWithDenseSamplesOfItsSurface) {
  const RevolvedSdf vessel(bottle(0.022, 0.12, 0.017, 0.015, kWall));
  std::mt19937 random(5);
  std::uniform_real_distribution<double> across(-0.017, 0.017), up(0, 0.12);
  constexpr int kSamples = 20'000;
  constexpr double kMargin = 1e-3;
  int several = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Vec3 centre{across(random), across(random), trial % 2 == 0 ? up(random) : kWall / 2 + kRadius};
    if (vessel.evaluate(centre).distance < kRadius - 1e-3)
      continue;  // deeper, and the other side of the wall is nearer
    const auto found = contacts_of(vessel, centre, kMargin);
    several += found.size() > 1 ? 1 : 0;
    for (const SurfaceContact& contact : found) {
      const SignedDistance::Sample sample = vessel.evaluate(contact.point);
      EXPECT_NEAR(sample.distance, contact.gap, 1e-7);
      EXPECT_GT(dot(sample.gradient, contact.normal), 1 - 1e-4);
    }
    double least = 1, missed = 1;
    for (int i = 0; i < kSamples; ++i) {  // a spiral of equal areas
      const double z = 1 - (2 * i + 1.) / kSamples, r = std::sqrt(1 - z * z), angle = i * M_PI * (3 - std::sqrt(5.));
      const Vec3 towards{r * std::cos(angle), r * std::sin(angle), z};
      const SignedDistance::Sample sample = vessel.evaluate(centre + kRadius * towards);
      least = std::min(least, sample.distance);
      if (dot(sample.gradient, towards) > -0.9999) continue;  // not a place of its own
      const bool known = std::any_of(found.begin(), found.end(), [&](const SurfaceContact& contact) {
        return dot(contact.normal, towards) < -0.9;
      });
      if (!known && is_minimum(vessel, centre, towards)) missed = std::min(missed, sample.distance);
    }
    if (least < kMargin) {
      ASSERT_FALSE(found.empty());
      EXPECT_NEAR(found.front().gap, least, 2e-6) << trial;
    }
    EXPECT_GT(missed, kMargin) << trial << ": " << centre.x() << " " << centre.y() << " " << centre.z();
  }
  EXPECT_GT(several, 10);
}

/// Impulses are handed on by the feature: it stays while a ball rolls a little.
TEST(SdfBall, FeaturesLast) {
  const RevolvedSdf vessel(pot(kPotRadius, kPotHeight, kWall));
  const double r = kPotRadius - kWall / 2 - kRadius;
  const auto features = [&](double angle, double lift) {
    std::vector<std::uint32_t> list;
    const Vec3 centre{r * std::cos(angle), r * std::sin(angle), kWall / 2 + kRadius + lift};
    for (const SurfaceContact& contact : contacts_of(vessel, centre, 1e-3)) list.push_back(contact.feature);
    std::sort(list.begin(), list.end());
    return list;
  };
  const auto first = features(0.4, -1e-6);
  ASSERT_EQ(first.size(), 2U);
  EXPECT_EQ(features(0.4, 1e-6), first);  // the wall is nearer now, and still the other one
  EXPECT_EQ(features(0.405, 1e-6), first);
}

}  // namespace
}  // namespace uzawa::test
