#include "uzawa/model/model.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/random_model.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/math/spatial.hpp"

namespace uzawa {
namespace {

BodySpec ball(const std::string& name, int parent, const Vec3& position, double mass) {
  BodySpec body;
  body.name = name;
  body.parent = parent;
  body.position = position;
  body.mass = mass;
  body.principal_inertia = Vec3{1, 1, 1} * (0.4 * mass * 0.01);
  return body;
}

JointSpec joint(const std::string& name, JointType type, int body) {
  JointSpec out;
  out.name = name;
  out.type = type;
  out.body = body;
  return out;
}

ModelSpec dumbbell() {
  ModelSpec spec;
  spec.bodies.push_back(ball("left", 0, {0, 0, 1}, 2));
  spec.bodies.push_back(ball("right", 1, {1, 0, 0}, 2));
  spec.joints.push_back(joint("base", JointType::Free, 1));
  return spec;
}

TEST(ModelTest, FixedBodiesBecomePartOfTheirLink) {
  const Model model(dumbbell());
  ASSERT_EQ(model.links().size(), 1u);
  const Link& link = model.links()[0];
  EXPECT_EQ(link.mass, 4);
  EXPECT_LE(norm(link.com - Vec3{0.5, 0, 0}), 1e-15);
  // Two spheres 1 m apart: 2/5 m r^2 along, plus m d^2/4 each across.
  std::array<double, 3> moments = {link.principal_inertia.x(), link.principal_inertia.y(), link.principal_inertia.z()};
  std::sort(moments.begin(), moments.end());
  EXPECT_NEAR(moments[0], 0.016, 1e-14);
  EXPECT_NEAR(moments[1], 1.016, 1e-14);
  EXPECT_NEAR(moments[2], 1.016, 1e-14);
  EXPECT_EQ(model.body_link(2), 0);
  EXPECT_LE(norm(model.body_pose(2).position - Vec3{1, 0, 0}), 1e-15);
}

/// Two trees whose bodies are listed in turns, and a free body.
TEST(ModelTest, SubsystemsAreTheTrees) {
  ModelSpec spec;
  spec.bodies.push_back(ball("a", 0, {0, 0, 1}, 1));
  spec.bodies.push_back(ball("b", 0, {1, 0, 1}, 1));
  spec.bodies.push_back(ball("a2", 1, {0, 0, 1}, 1));
  spec.bodies.push_back(ball("free", 0, {2, 0, 1}, 1));
  spec.bodies.push_back(ball("b2", 2, {0, 0, 1}, 1));
  const JointType types[] = {JointType::Hinge, JointType::Ball, JointType::Slide, JointType::Free, JointType::Hinge};
  for (int i = 0; i < 5; ++i) spec.joints.push_back(joint("j" + std::to_string(i), types[i], i + 1));
  const Model model(spec);
  ASSERT_EQ(model.subsystems().size(), 3u);
  const Subsystem &a = model.subsystems()[0], &b = model.subsystems()[1], &flying = model.subsystems()[2];
  EXPECT_EQ(a.kind, SubsystemKind::Tree);
  EXPECT_EQ(a.links, (std::vector{0, 2}));
  EXPECT_EQ(a.joints, (std::vector{0, 2}));
  EXPECT_EQ(a.dofs, (std::vector{0, 4}));
  EXPECT_EQ(b.dofs, (std::vector{1, 2, 3, 11}));
  EXPECT_EQ(flying.kind, SubsystemKind::FreeBody);
  EXPECT_EQ(flying.dofs, (std::vector{5, 6, 7, 8, 9, 10}));
  EXPECT_EQ(model.dof_subsystem(11), 1);
  EXPECT_EQ(model.local_dof(11), 3);
  EXPECT_EQ(model.local_link(4), 1);
  EXPECT_EQ(model.link_side(4).subsystem, 1);
  EXPECT_EQ(model.link_side(4).feature, 4);
  EXPECT_EQ(model.link_side(-1).subsystem, -1);
}

/// Forces along a free joint's own dofs need these dofs: such a body is a tree.
TEST(ModelTest, FreeBodiesWithJointForcesAreTrees) {
  const auto kind = [](auto&& change) {
    ModelSpec spec = dumbbell();
    change(spec);
    return Model(spec).subsystems()[0].kind;
  };
  EXPECT_EQ(kind([](ModelSpec&) {}), SubsystemKind::FreeBody);
  EXPECT_EQ(kind([](ModelSpec& s) { s.joints[0].damping = 1; }), SubsystemKind::Tree);
  EXPECT_EQ(kind([](ModelSpec& s) { s.joints[0].armature = 1; }), SubsystemKind::Tree);
  EXPECT_EQ(kind([](ModelSpec& s) { s.joints[0].friction_loss = 1; }), SubsystemKind::Tree);
}

TEST(ModelTest, AddressesFollowMuJoCo) {
  ModelSpec spec = dumbbell();
  spec.bodies.push_back(ball("arm", 2, {0, 0, 0.1}, 1));
  spec.joints.push_back(joint("shoulder", JointType::Ball, 3));
  spec.bodies.push_back(ball("hand", 3, {0, 0, 0.1}, 1));
  spec.joints.push_back(joint("slider", JointType::Slide, 4));
  spec.joints.push_back(joint("wrist", JointType::Hinge, 4));
  const Model model(std::move(spec));
  EXPECT_EQ(model.nq(), 7 + 4 + 1 + 1);
  EXPECT_EQ(model.nv(), 6 + 3 + 1 + 1);
  EXPECT_EQ(model.joint_q(model.joint("wrist")), 12);
  EXPECT_EQ(model.joint_v(model.joint("slider")), 9);
  EXPECT_EQ(model.topology()->trees(), 1);
  // The reference state puts the free joint at its body's pose and all rotations at one.
  const State state = model.reference_state();
  EXPECT_EQ(state.q[2], 1);
  EXPECT_EQ(state.q[3], 1);
  EXPECT_EQ(state.q[7], 1);
}

TEST(ModelTest, NamesThatDoNotExistAreNamed) {
  const Model model(dumbbell());
  EXPECT_EQ(model.body("right"), 2);
  try {
    (void)model.joint("elbow");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("joint"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("elbow"), std::string::npos);
  }
}

RC_GTEST_PROP(ModelTest, MergingKeepsMassAndFirstMoment, (unsigned seed)) {
  std::mt19937_64 random(seed);
  const ModelSpec spec = test::random_spec(random, {.bodies = 10});
  const Model model(spec);
  double mass = 0;
  for (const Link& link : model.links()) mass += link.mass;
  double expected = 0;
  for (std::size_t b = 1; b < spec.bodies.size(); ++b) {
    if (model.body_link(static_cast<int>(b)) >= 0) expected += spec.bodies[b].mass;
  }
  RC_ASSERT(std::abs(mass - expected) <= 1e-12 * expected);
  RC_ASSERT(std::abs(model.total_mass() - expected) <= 1e-12 * expected);
}

}  // namespace
}  // namespace uzawa
