/// Nodes of a soft body that a robot's link carries.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/soft_scenes.hpp"
#include "uzawa/base/at.hpp"

namespace uzawa {
namespace {

constexpr double kPad = 0.04;  ///< m, edge of the pad

/// A pad on the lower side of a link that slides up and down, with a motor.
ModelSpec arm_with_pad(double damping) {
  ModelSpec spec = test::empty_space(2e-3);
  spec.options.gravity = {0, 0, -9.81};
  const int hand = test::add_finger(spec, "hand", {0.03, 0.03, 0.01}, {0, 0, 0.5}, {0, 0, 1}, 0.5);
  const TetMesh mesh = box_mesh({kPad, kPad, kPad}, {2, 2, 2});
  SoftBodyOptions options = test::jelly("pad", {0, 0, 0.49 - kPad / 2}, damping);
  options.carried = carried_by(hand, select_nodes(mesh.nodes, [](const Vec3& n) { return n.z() > kPad / 2 - 1e-9; }));
  add_soft_body(spec, mesh, options);
  return spec;
}

double weight_of(const World& world) {
  double mass = 0;
  for (const BodySpec& body : world.model().spec().bodies) mass += body.mass;
  return 9.81 * mass;
}

TEST(SoftCarriedTest, ThePadFollowsItsLinkExactly) {
  World world(Model(arm_with_pad(1e-3)));
  const std::vector<int> nodes = select_nodes(box_mesh({kPad, kPad, kPad}, {2, 2, 2}).nodes,
                                              [](const Vec3& n) { return n.z() > kPad / 2 - 1e-9; });
  ASSERT_EQ(nodes.size(), 9U);
  for (int i = 0; i < 200; ++i) {
    test::run(world, 1, std::vector<double>{weight_of(world) + std::sin(0.1 * i)});
    for (const int node : nodes) {
      const Vec3 place = test::node_position(world, node);
      EXPECT_NEAR(place.z(), 0.49 + world.state().q[0], 1e-12);
    }
  }
}

/// At rest the motor carries the pad as well; in the problem the ties of the carried nodes hand its weight on.
TEST(SoftCarriedTest, ItsWeightLoadsTheLink) {
  // What a solve leaves adds up to momentum, so it is asked for less than that.
  World world(Model(arm_with_pad(5e-3)), {.solve = {.tolerance = 1e-10}});
  const std::vector<double> hold = {weight_of(world)};
  test::run(world, 1000, hold);
  // The pad has sagged and swung, and the sum of all momentum has stayed zero.
  EXPECT_LT(test::largest_speed(world), 1e-4);
  EXPECT_LT(norm(test::momentum_of(world).linear), 1e-9);
  // With 0.1 N less it falls with the missing force over the mass of link and pad; 1 s later:
  World falling(Model(arm_with_pad(5e-3)));
  const double missing = 0.1;
  test::run(falling, 500, std::vector<double>{weight_of(falling) - missing});
  const double expected = -missing / (weight_of(falling) / 9.81);
  EXPECT_NEAR(test::momentum_of(falling).linear.z() / (weight_of(falling) / 9.81), expected, 1e-6);
  EXPECT_NEAR(falling.state().v[0], expected, 2e-3 * std::abs(expected));
}

/// A pad on a link that turns: its carried nodes turn, and the joint feels the moment of its weight.
TEST(SoftCarriedTest, APadOnATurningLinkLoadsTheJoint) {
  ModelSpec spec = test::empty_space(2e-3);
  spec.options.gravity = {0, 0, -9.81};
  BodySpec beam{.name = "beam", .mass = 0.1, .com = {0.1, 0, 0}, .principal_inertia = {1e-4, 1e-3, 1e-3}};
  spec.bodies.push_back(beam);
  spec.joints.push_back(JointSpec{.name = "hinge", .body = 1, .axis = {0, 1, 0}});
  ActuatorSpec motor;
  motor.name = "motor";
  spec.actuators.push_back(motor);
  const TetMesh mesh = box_mesh({kPad, kPad, kPad}, {2, 2, 2});
  SoftBodyOptions options = test::jelly("pad", {0.3, 0, -kPad / 2}, 5e-3);
  options.material.young = 1e7;
  const std::vector<int> top = select_nodes(mesh.nodes, [](const Vec3& n) { return n.z() > kPad / 2 - 1e-9; });
  options.carried = carried_by(1, top);
  add_soft_body(spec, mesh, options);
  World world{Model(spec)};
  // Moment of gravity about the hinge, of the reference shape: what the motor needs to hold.
  double moment = 0;
  for (std::size_t i = 1; i < world.model().spec().bodies.size(); ++i) {
    const BodySpec& body = world.model().spec().bodies[i];
    moment += 9.81 * body.mass * (body.position + body.com).x();
  }
  test::run(world, 100, std::vector<double>{-moment});
  EXPECT_NEAR(world.state().q[0], 0, 1e-4);
  EXPECT_LT(std::abs(world.state().v[0]), 1e-3);
}

}  // namespace
}  // namespace uzawa
