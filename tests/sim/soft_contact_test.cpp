/// Closed forms of contact: Hertz's ball, a strip pressed end-on.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/soft_scenes.hpp"
#include "uzawa/base/at.hpp"

namespace uzawa {
namespace {

constexpr double kRadius = 0.04, kDepth = 2e-3;

/// A ball with smaller elements towards its surface and its two poles, where the plates touch it.
TetMesh graded_ball(int layers) {
  constexpr double kToPole = 1.4, kToSurface = 1.3;
  TetMesh mesh = ball_mesh(kRadius, layers);
  for (Vec3& node : mesh.nodes) {
    const double r = norm(node), across = std::hypot(node.x(), node.y());
    if (r == 0 || across == 0) continue;
    const double angle = std::atan2(across, std::abs(node.z())) / (M_PI / 2);
    const double moved = std::pow(angle, kToPole) * M_PI / 2;
    const double radius = kRadius * (1 - std::pow(std::max(0.0, 1 - r / kRadius), kToSurface));
    node = {radius * std::sin(moved) * node.x() / across, radius * std::sin(moved) * node.y() / across,
            std::copysign(radius * std::cos(moved), node.z())};
  }
  return mesh;
}

constexpr double kYoung = 1e6, kPoisson = 0.35;

/// N, by Hertz: 4/3 E / (1 - nu^2) sqrt(R) d^1.5, 27.18 N at 2 mm.
double hertz_force(double depth) {
  return 4.0 / 3 * kYoung / (1 - kPoisson * kPoisson) * std::sqrt(kRadius) * std::pow(depth, 1.5);
}

/// Force over Hertz's of a ball between two plates that are brought nearer by 2 d:
/// E 1 MPa, nu 0.35, R 40 mm, d 2 mm. Large steps of implicit Euler, so that it comes to rest; a little
/// friction, so that it does not roll between the plates.
double hertz_ratio(int layers) {
  ModelSpec spec = test::empty_space(0.05);
  SoftBodyOptions options = test::jelly("ball", {}, 0.05);
  options.material.young = kYoung;
  options.material.poisson = kPoisson;
  options.material.averaged_dilatation = true;
  const TetMesh mesh = graded_ball(layers);
  add_soft_body(spec, mesh, options);
  const Vec3 half{0.05, 0.05, 0.01};
  test::PlateOptions plate{.half = half, .position = {0, 0, kRadius + half.z()}, .mu = 0.02};
  const int top = test::add_plate(spec, "top", plate);
  plate.position = {0, 0, -kRadius - half.z()};
  const int bottom = test::add_plate(spec, "bottom", plate);
  World world{Model(spec)};
  for (int i = 0; i < 9; ++i) {
    const double depth = kDepth * std::min(1.0, i / 3.0);
    test::run(world, 1, std::vector<double>{-depth, depth});
  }
  EXPECT_LT(test::largest_speed(world), 1e-4);
  const double force = test::force_on(world, 1).z();
  const double depth = (world.state().q[test::first_q(world, bottom)] - world.state().q[test::first_q(world, top)]) / 2;
  EXPECT_NEAR(depth, kDepth, 0.05 * kDepth);
  testing::Test::RecordProperty("ratio of " + std::to_string(mesh.nodes.size()),
                                std::to_string(force / hertz_force(depth)));
  return force / hertz_force(depth);
}

TEST(SoftContactTest, PressedBallFollowsHertz) {
  const double coarse = hertz_ratio(4), middle = hertz_ratio(6), fine = hertz_ratio(8);
  EXPECT_LT(std::abs(middle - 1), std::abs(coarse - 1));
  EXPECT_LT(std::abs(fine - 1), std::abs(middle - 1));
  EXPECT_LT(std::abs(fine - 1), 0.1);
}

/// A strip clamped at the top is pressed down on a floor until it is shorter by `shortening`; its tip then pushes
/// sideways with H and down with P. E I from E and the radius; the tip's half sphere is small beside the length.
struct Strip {
  static constexpr int kLinks = 40;
  static constexpr double kLength = 0.5, kRadius = 5e-4, kYoung = 1e9;
  static constexpr double free_length() { return kLength - 0.5 * kLength / kLinks; }
  static double bending() { return kYoung * M_PI * std::pow(kRadius, 4) / 4; }
};

/// Forces of the tip on the floor, N, and how far it has slipped, m.
struct TipForce {
  double side = 0, down = 0, slipped = 0;
};

TipForce press_strip(double shortening, double mu) {
  ModelSpec spec = test::empty_space(0.02);
  GeomSpec floor;
  floor.shape = ShapeType::Plane;
  floor.size = {1, 1, 1};
  floor.friction = {mu, 0, 0};
  spec.geoms.push_back(floor);
  test::PlateOptions clamp{.half = {0.01, 0.01, 0.01}, .position = {0, 0, Strip::kLength + Strip::kRadius + 0.01}};
  const int hand = test::add_plate(spec, "clamp", clamp);
  RodOptions options;
  options.radius = Strip::kRadius;
  options.young = Strip::kYoung;
  options.damping = 0.02;
  options.friction = test::kSmooth;
  const int rod = add_rod(
      spec, test::line({0, 0, Strip::kLength + Strip::kRadius}, {0, 0, Strip::kRadius}, Strip::kLinks), options);
  tie_rod_end(spec, rod, RodEnd::First, hand);
  World world{Model(spec)};
  std::vector<double> push(at(world.model().nv()), 0.0);
  // A sideways push in the beginning chooses the way it buckles.
  const std::size_t middle = test::first_v(world, spec.rods[0].bodies[Strip::kLinks / 2]);
  double start = 0;
  constexpr int kSteps = 400;
  for (int i = 0; i < kSteps; ++i) {
    push[middle] = i < kSteps / 10 ? 1e-4 : 0;
    const double down = shortening * Strip::free_length() * std::min(1.0, 1.5 * i / kSteps);
    world.step(std::vector<double>{-down}, push);
    if (i == 0) start = test::link_position(world, Strip::kLinks - 1).x();
  }
  const Vec3 force = test::force_on(world, 0);
  TipForce tip{std::abs(force.x()), -force.z()};
  // The tip is half a link from the last link's centre.
  const DynamicsData data = test::data_of(world);
  const std::size_t last = data.link_pose.size() - 1;
  tip.slipped = std::abs((data.link_pose[last] * Vec3{0, 0, 0.5 * Strip::kLength / Strip::kLinks}).x() - start);
  return tip;
}

TEST(SoftContactTest, StripPressedEndOnSticksUpToItsThreshold) {
  const double table[][3] = {{0.05, 20.573, 0.1035}, {0.1, 20.959, 0.1528}, {0.2, 21.721, 0.2378}};
  for (const auto& [shortening, load, ratio] : table) {
    const TipForce held = press_strip(shortening, 1);
    EXPECT_NEAR(held.side / held.down, ratio, 0.03 * ratio);
    EXPECT_NEAR(held.down * Strip::free_length() * Strip::free_length() / Strip::bending(), load, 0.03 * load);
    EXPECT_LT(press_strip(shortening, 1.03 * ratio).slipped, 1e-3);
    EXPECT_GT(press_strip(shortening, 0.97 * ratio).slipped, 1e-2);
  }
}

}  // namespace
}  // namespace uzawa
