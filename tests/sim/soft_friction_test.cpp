/// Coulomb friction of ropes, strips and soft solids: they hold up to their thresholds without creep.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/soft_scenes.hpp"
#include "uzawa/base/at.hpp"

namespace uzawa {
namespace {

/// A rope over half of a cylinder: `kWrap` links touch it, each at its middle, where the rope turns by phi / 2 on
/// either side, and two hang down at either end.
constexpr int kWrap = 36;
constexpr double kMu = 0.3, kCylinder = 0.5, kRope = 5e-4;

ModelSpec capstan() {
  ModelSpec spec = test::empty_space(1e-3);
  GeomSpec cylinder;
  cylinder.shape = ShapeType::Cylinder;
  cylinder.size = {kCylinder, 0.1, 0};
  cylinder.orientation = {std::cos(M_PI / 4), {std::sin(M_PI / 4), 0, 0}};
  cylinder.friction = {kMu, 0, 0};
  spec.geoms.push_back(cylinder);
  const double phi = M_PI / kWrap, corner = (kCylinder + kRope) / std::cos(phi / 2),
               link = 2 * corner * std::sin(phi / 2);
  std::vector<Vec3> points;
  for (int i = 2; i > 0; --i) points.push_back({corner, 0, -i * link});
  for (int i = 0; i <= kWrap; ++i) points.push_back({corner * std::cos(i * phi), 0, corner * std::sin(i * phi)});
  for (int i = 1; i < 3; ++i) points.push_back({-corner, 0, -i * link});
  RodOptions options;
  options.radius = kRope;
  options.young = 1e9;  // E I / (R^2 T) = 2e-4, and T / (E A) = 1e-3
  options.natural_shape = RodShape::Straight;
  options.damping = 1e-3;
  options.friction = test::kSmooth;
  add_rod(spec, points, options);
  return spec;
}

/// Speed (m/s) of the middle of the rope after it was loaded by 1 N on one side and `ratio` times that on the other.
double speed_at(double ratio, int steps) {
  World world{Model(capstan())};
  std::vector<double> force(at(world.model().nv()), 0.0);
  const std::vector<int>& bodies = world.model().spec().rods[0].bodies;
  const std::size_t heavy = test::first_v(world, bodies.front()) + 2, light = test::first_v(world, bodies.back()) + 2;
  for (int i = 0; i < steps; ++i) {
    const double ramp = std::min(1.0, 2.0 * i / steps);
    force[light] = -1;
    force[heavy] = -1.0 * (1 + ramp * (ratio - 1));
    world.step({}, force);
    EXPECT_NE(world.report().status, StepStatus::Failed);
  }
  return norm(test::link_velocity(world, kWrap / 2));
}

TEST(SoftFrictionTest, CapstanHoldsUpToTheDiscreteFormula) {
  const double phi = M_PI / kWrap, t = kMu * std::tan(phi / 2);
  const double threshold = std::pow((1 + t) / (1 - t), kWrap);
  EXPECT_NEAR(threshold, 2.56801, 1e-5);
  EXPECT_LT(speed_at(0.98 * threshold, 300), 1e-6);
  EXPECT_LT(speed_at(0.995 * threshold, 300), 1e-6);
  EXPECT_GT(speed_at(1.005 * threshold, 300), 1e-3);
}

/// A soft cube of 125 nodes on a slope of 0.3 rad, mu 0.5.
TEST(SoftFrictionTest, SoftCubeRestsOnASlope) {
  ModelSpec spec = test::ground(0.5, 0);
  spec.options.gravity = {9.81 * std::sin(0.3), 0, -9.81 * std::cos(0.3)};
  SoftBodyOptions options = test::jelly("cube", {0, 0, 0.02}, 1e-3);
  options.mass = 0.064;
  add_soft_body(spec, box_mesh({0.04, 0.04, 0.04}, {4, 4, 4}), options);
  World world{Model(spec)};
  test::run(world, 250);
  const State before = world.state();
  double deepest = 0;
  for (int i = 0; i < 250; ++i) {
    test::run(world, 1);
    deepest = std::max(deepest, world.report().penetration);
  }
  double creep = 0;
  for (std::size_t d = 0; d < before.q.size(); ++d) {
    creep = std::max(creep, std::abs(world.state().q[d] - before.q[d]) / 0.5);
  }
  EXPECT_LT(creep, 1e-6);
  EXPECT_LT(deepest, 1e-5);
}

/// Between two plates that press with 2 N each; it weighs 0.33 N, and friction of 0.5 on either side holds up to 2 N.
TEST(SoftFrictionTest, PinchedBallDoesNotCreep) {
  ModelSpec spec = test::empty_space(5e-3);
  spec.options.gravity = {0, 0, -9.81};
  SoftBodyOptions options = test::jelly("ball", {}, 2e-3);
  add_soft_body(spec, ball_mesh(0.02, 3), options);
  test::add_finger(spec, "left", {0.01, 0.03, 0.03}, {-0.031, 0, 0}, {1, 0, 0}, 0.5);
  test::add_finger(spec, "right", {0.01, 0.03, 0.03}, {0.031, 0, 0}, {-1, 0, 0}, 0.5);
  World world{Model(spec)};
  const std::vector<double> push = {2, 2};
  test::run(world, 200, push);
  EXPECT_GT(world.report().contacts, 6);
  const Vec3 before = test::node_position(world, 0);
  test::run(world, 400, push);
  const double creep = norm(test::node_position(world, 0) - before) / 2;
  EXPECT_LT(creep, 1e-7);
  EXPECT_GT(before.z(), -0.02);  // it is held, not dropped
}

}  // namespace
}  // namespace uzawa
