/// A and b of the Problem are those of the joint-space dynamics, in other coordinates; oracle: discretize.
#include <gtest/gtest.h>

#include "support/random_model.hpp"
#include "support/simple_models.hpp"
#include "support/soft_models.hpp"
#include "uzawa/assembly/assembler.hpp"
#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/problem/judge.hpp"

namespace uzawa {
namespace {

constexpr double kRounding = 1e-9;  // of velocities of size 1 to 100, through two factorisations

/// v_{k+1} without constraints, by the Problem's blocks.
std::vector<double> by_problem(const Model& model, const State& state, const std::vector<double>& control,
                               const ThetaRule& rule, Assembler& assembler) {
  DynamicsData data(model);
  IntegratorWorkspace workspace(model);
  start_step(model, state, {}, control, {}, rule, data, workspace);
  assembler.assemble(workspace.state, workspace.start_v, control, rule, data, workspace.impulse, {});
  validate(assembler.problem());
  const PreparedProblem prepared(assembler.problem());
  Judge judge;
  const std::vector<double> no_impulse(static_cast<std::size_t>(assembler.problem().rows), 0.0);
  judge.evaluate(prepared, no_impulse);
  std::vector<double> v(state.v.size());
  assembler.joint_velocity(data, judge.velocity(), v);
  return v;
}

std::vector<double> by_dynamics(const Model& model, const State& state, const std::vector<double>& control,
                                const ThetaRule& rule) {
  DynamicsData data(model);
  IntegratorWorkspace workspace(model);
  discretize(model, state, control, {}, rule, data, workspace);
  EXPECT_TRUE(workspace.factor.factorize(workspace.system.a));
  std::vector<double> v = workspace.system.b;
  workspace.factor.solve(v);
  const std::vector<double>& before = workspace.state.v;  // at the pose in the middle of the step
  for (std::size_t d = 0; d < v.size(); ++d) v[d] = (v[d] - rule.theta * before[d]) / (1 - rule.theta);
  return v;
}

TEST(SystemTest, RandomForestsMoveAsTheDynamicsSay) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 50; ++i) {
    ModelSpec spec = test::random_spec(random, {.bodies = 2 + i % 9});
    spec.options.limits = spec.options.friction_loss = false;
    const Model model(std::move(spec));
    const State state = test::random_state_of(model, random);
    const std::vector<double> control(static_cast<std::size_t>(model.nu()), 0.3);
    for (const double theta : {0.0, 0.4}) {
      Assembler assembler(model);
      const std::vector<double> expected = by_dynamics(model, state, control, {0.005, theta});
      const std::vector<double> found = by_problem(model, state, control, {0.005, theta}, assembler);
      for (std::size_t d = 0; d < expected.size(); ++d) {
        EXPECT_NEAR(found[d], expected[d], kRounding * (1 + std::abs(expected[d]))) << "model " << i << ", dof " << d;
      }
    }
  }
}

/// Of trees, of a free body whose centre of mass is off its origin, of a soft body and of a rod.
TEST(SystemTest, VelocitiesGoToTheProblemAndBack) {
  std::mt19937_64 random(9);
  std::vector<ModelSpec> specs = {test::random_spec(random, {.bodies = 8}), test::free_body(), {}, {}};
  specs[1].bodies[1].com = {0.3, -0.2, 0.1};
  const TetMesh mesh = test::box_mesh(2, 2, 2, {0.1, 0.1, 0.1});
  test::add_soft_body(specs[2], "cube", mesh.nodes, 0.001, {1, 1, 1, 1}).tets = mesh.tets;
  test::add_rod(specs[3], "rod", {{0, 0, 0}, {0.1, 0, 0}, {0.2, 0.1, 0}}, 0.01, {1, 1, 1, 1});
  for (ModelSpec& spec : specs) {
    const Model model(std::move(spec));
    const State state = test::random_state_of(model, random);
    DynamicsData data(model);
    forward_kinematics(model, state.q, data);
    link_velocities(model, state.v, data);
    const Assembler assembler(model);
    std::vector<double> v(assembler.problem().b.size()), back(state.v.size());
    assembler.problem_velocity(data, state.v, v);
    assembler.joint_velocity(data, v, back);
    for (std::size_t d = 0; d < back.size(); ++d) EXPECT_NEAR(back[d], state.v[d], 1e-12) << "dof " << d;
  }
}

TEST(SystemTest, FreeBodyWithOffsetCentreOfMass) {
  std::mt19937_64 random(5);
  ModelSpec spec = test::free_body();
  spec.bodies[1].com = {0.3, -0.2, 0.1};
  const Model model(std::move(spec));
  Assembler assembler(model);
  ASSERT_EQ(assembler.problem().blocks[0].kind, BlockKind::FreeBody);
  const State state = test::random_state_of(model, random);
  const std::vector<double> expected = by_dynamics(model, state, {}, {0.005, 0});
  const std::vector<double> found = by_problem(model, state, {}, {0.005, 0}, assembler);
  for (std::size_t d = 0; d < 6; ++d) EXPECT_NEAR(found[d], expected[d], kRounding);
}

TEST(SystemTest, WhatIsStatedAlongAFreeJointMakesItATree) {
  for (int what = 0; what < 4; ++what) {
    ModelSpec spec = test::free_body();
    if (what == 0) spec.joints[0].armature = 0.1;
    if (what == 1) spec.joints[0].damping = 0.1;
    if (what == 2) spec.joints[0].friction_loss = 0.1;
    if (what == 3) spec.actuators.push_back({.name = "thruster"});
    const Model model(std::move(spec));
    EXPECT_EQ(Assembler(model).problem().blocks[0].kind, BlockKind::Tree) << what;
  }
}

/// Which trees are of one kind is told by their topology: SubADMM solves four of a kind at a time.
TEST(SystemTest, TreesOfOneKindShareTheirTopology) {
  ModelSpec spec = test::pendulum();
  for (const int parent : {0, 0, 3}) {  // two more pendulums, and a third that hangs on the last
    BodySpec body = spec.bodies[1];
    body.name += std::to_string(spec.bodies.size());
    body.parent = parent;
    JointSpec joint = spec.joints[0];
    joint.name += std::to_string(spec.bodies.size());
    joint.body = static_cast<int>(spec.bodies.size());
    spec.bodies.push_back(body);
    spec.joints.push_back(joint);
  }
  const Model model(std::move(spec));
  const Assembler assembler(model);
  const std::vector<TreeInertia>& trees = assembler.problem().trees;
  ASSERT_EQ(trees.size(), 3U);
  EXPECT_EQ(trees[0].topology, trees[1].topology);
  EXPECT_NE(trees[0].topology, trees[2].topology);
}

TEST(SystemTest, KeysStayAndDiffer) {
  EXPECT_EQ(constraint_key(ConstraintSource::Limit, 3), constraint_key(ConstraintSource::Limit, 3));
  EXPECT_NE(constraint_key(ConstraintSource::Limit, 3), constraint_key(ConstraintSource::Limit, 4));
  EXPECT_NE(constraint_key(ConstraintSource::Limit, 3), constraint_key(ConstraintSource::TendonLimit, 3));
  EXPECT_NE(constraint_key(ConstraintSource::Equality, 3, 1), constraint_key(ConstraintSource::Equality, 3, 2));
}

}  // namespace
}  // namespace uzawa
