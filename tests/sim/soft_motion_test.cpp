/// Closed forms of motion: frequencies and shapes at rest.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/soft_scenes.hpp"
#include "uzawa/base/at.hpp"

namespace uzawa {
namespace {

/// First bending frequency 3.516 / (2 pi) sqrt(E I / (rho A L^4)). The weld holds the first link as a whole, and each
/// joint stands for the rod from link centre to link centre: what bends begins at the centre of the first link.
TEST(SoftMotionTest, CantileverSwingsAtItsFirstFrequency) {
  constexpr int kLinks = 40;
  constexpr double kLength = 0.4, kLink = kLength / kLinks, kFree = kLength - kLink / 2;
  ModelSpec spec = test::empty_space(1e-3);
  RodOptions options;
  options.young = 1e9;
  const int rod = add_rod(spec, test::line({}, {kLength, 0, 0}, kLinks), options);
  tie_rod_end(spec, rod, RodEnd::First, 0);
  World world(Model(spec), {.theta = 0.5});
  // Velocities of the first mode: cosh - cos - 0.7341 (sinh - sin) of 1.8751 x / L.
  State state = world.state();
  for (int i = 1; i < kLinks; ++i) {
    const double s = 1.8751 * kLink * i / kFree;
    state.v[at(6 * i) + 2] = 0.01 * (std::cosh(s) - std::cos(s) - 0.7341 * (std::sinh(s) - std::sin(s)));
  }
  world.set_state(state);
  std::vector<double> crossings;  // s, times at which the tip rises through zero
  double before = 0, largest = 0;
  for (int i = 0; i < 1000; ++i) {
    test::run(world, 1);
    const double now = test::link_position(world, kLinks - 1).z();
    if (i > 0 && before < 0 && now >= 0) crossings.push_back(world.state().time - world.dt() * now / (now - before));
    before = now;
    largest = std::max(largest, now);
  }
  ASSERT_GT(crossings.size(), 4);
  EXPECT_GT(largest, 2e-5);
  EXPECT_LT(largest, 1e-3);  // small enough to be linear
  const double measured = static_cast<double>(crossings.size() - 1) / (crossings.back() - crossings.front());
  const double radius = options.radius, section = options.density * M_PI * radius * radius;
  const double bending = options.young * M_PI * std::pow(radius, 4) / 4;
  const double expected = 3.516 / (2 * M_PI) * std::sqrt(bending / (section * std::pow(kFree, 4)));
  EXPECT_NEAR(measured, expected, 0.01 * expected);
}

/// y = a cosh(x / a) of a rope of length 1.2 between supports 1 m apart: 2 a sinh(1 / (2 a)) = 1.2.
TEST(SoftMotionTest, RopeHangsInACatenary) {
  constexpr int kLinks = 40;
  constexpr double kRope = 1.2;
  double low = 0.1, high = 10;
  while (high - low > 1e-14) {
    const double a = 0.5 * (low + high);
    (2 * a * std::sinh(0.5 / a) > kRope ? low : high) = a;
  }
  const double a = low, sag = a * (std::cosh(0.5 / a) - 1);
  // Two straight halves of the same length, that fall into the curve.
  const double depth = std::sqrt(0.36 - 0.25);
  std::vector<Vec3> points = test::line({-0.5, 0, 0}, {0, 0, -depth}, kLinks / 2);
  points.pop_back();
  for (const Vec3& point : test::line({0, 0, -depth}, {0.5, 0, 0}, kLinks / 2)) points.push_back(point);
  ModelSpec spec = test::empty_space(0.01);
  spec.options.gravity = {0, 0, -9.81};
  RodOptions options;
  options.radius = 0.002;
  options.young = 1e7;  // E I / (q L^3) = 6e-4 of the weight, E A stretches it by 5e-5
  options.natural_shape = RodShape::Straight;
  options.damping = 0.01;
  const int rod = add_rod(spec, points, options);
  tie_rod_end(spec, rod, RodEnd::First, 0, EqualityType::Connect);
  tie_rod_end(spec, rod, RodEnd::Last, 0, EqualityType::Connect);
  World world(Model(spec), {.dt = 0.02});
  test::run(world, 1000);
  EXPECT_LT(test::largest_speed(world), 1e-3);
  double worst = 0;
  for (int i = 0; i < kLinks; ++i) {
    const Vec3 place = test::link_position(world, i);
    worst = std::max(worst, std::abs(place.z() - a * (std::cosh(place.x() / a) - std::cosh(0.5 / a))));
  }
  EXPECT_LT(worst, 0.01 * sag);
}

}  // namespace
}  // namespace uzawa
