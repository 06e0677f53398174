/// Implicit springs, dampers and servos of the theta rule.
#include <gtest/gtest.h>

#include <cmath>

#include "support/dense.hpp"
#include "support/random_model.hpp"
#include "support/simple_models.hpp"
#include "uzawa/dynamics/inertia.hpp"
#include "uzawa/dynamics/integrators.hpp"
#include "uzawa/dynamics/kinematics.hpp"

namespace uzawa {
namespace {

State step(const Model& model, State state, const ThetaRule& rule, std::vector<double> control = {}, int count = 1) {
  control.resize(static_cast<std::size_t>(model.nu()));
  DynamicsData data(model);
  IntegratorWorkspace workspace(model);
  for (int i = 0; i < count; ++i) EXPECT_TRUE(theta_step(model, control, {}, rule, data, workspace, state));
  return state;
}

TEST(ThetaRuleTest, DampingIsImplicit) {
  ModelSpec spec = test::slider(2);
  spec.joints[0].damping = 1e6;  // explicit damping would blow up by a factor 5e3 a step
  const Model model(std::move(spec));
  State state = model.reference_state();
  state.v[0] = 1;
  const double h = 0.01;
  EXPECT_NEAR(step(model, state, {h, 0}).v[0], 1 / (1 + h * 1e6 / 2), 1e-12);
}

TEST(ThetaRuleTest, SpringFollowsTheFormulaOfTheNotes) {
  // lambda = -h K e - (h^2 K + h D) vhat, A = m/(1-theta).
  ModelSpec spec = test::slider(2);
  spec.joints[0].stiffness = 300;
  spec.joints[0].damping = 7;
  spec.spring_q = {0.1};
  const Model model(std::move(spec));
  State state = model.reference_state();
  state.q[0] = 0.4;
  state.v[0] = -0.6;
  const double h = 0.02;
  for (const double theta : {0.0, 0.5}) {
    const double a = 2 / (1 - theta);
    const double vhat = (a * -0.6 - h * 300 * 0.3) / (a + h * h * 300 + h * 7);
    const State after = step(model, state, {h, theta});
    EXPECT_NEAR(after.q[0], 0.4 + h * vhat, 1e-14);
    EXPECT_NEAR(after.v[0], (vhat - theta * -0.6) / (1 - theta), 1e-13);
  }
}

TEST(ThetaRuleTest, StiffServoIsStableAtAnyStep) {
  ModelSpec spec = test::pendulum();
  spec.actuators.push_back({.name = "servo", .gain = {1e7, 0, 0}, .bias = {0, -1e7, -1e4}});
  const Model model(std::move(spec));
  const State after = step(model, model.reference_state(), {1.0 / 30, 0}, {0.5}, 200);
  EXPECT_NEAR(after.q[0], 0.5, 1e-5);  // gravity m g l sin q / kp
  EXPECT_NEAR(after.v[0], 0, 1e-9);
}

TEST(ThetaRuleTest, SaturatedServoPushesWithItsLimitOnly) {
  ModelSpec spec = test::slider(2);
  spec.actuators.push_back(
      {.name = "servo", .gain = {1e5, 0, 0}, .bias = {0, -1e5, -1e3}, .force_range = Range{-4, 4}});
  const Model model(std::move(spec));
  const State after = step(model, model.reference_state(), {0.01, 0}, {10}, 10);
  EXPECT_NEAR(after.v[0], 4.0 / 2 * 0.1, 1e-12);  // constant force, no implicit drag
}

/// Two sliders on different branches coupled by a tendon: the product k r r^T has no place in the tree's sparsity.
ModelSpec coupled_sliders(double stiffness, double damping) {
  ModelSpec spec = test::slider(1);
  spec.bodies.push_back(spec.bodies[1]);
  spec.joints.push_back(spec.joints[0]);
  spec.joints[1].body = 2;
  spec.tendons.push_back(
      {.name = "cord", .joints = {0, 1}, .coefficients = {1, -1}, .stiffness = stiffness, .damping = damping});
  return spec;
}

TEST(ThetaRuleTest, TendonAcrossBranchesIsStable) {
  const Model model(coupled_sliders(1e8, 1e5));
  State state = model.reference_state();
  state.q = {0.1, -0.1};
  const State after = step(model, state, {0.01, 0}, {}, 2000);
  EXPECT_LE(std::abs(after.q[0]), 0.1 + 1e-9);
  EXPECT_NEAR(after.q[0] + after.q[1], 0, 1e-9);  // momentum is kept
  EXPECT_TRUE(std::isfinite(after.v[0]));
}

TEST(ThetaRuleTest, TendonAcrossBranchesIsConsistent) {
  // Soft enough to resolve: both sliders swing about the middle with omega^2 = 2 k / m.
  const Model model(coupled_sliders(50, 0));
  State state = model.reference_state();
  state.q = {0.1, -0.1};
  const double time = 1;
  const auto error = [&](int steps) {
    return step(model, state, {time / steps, 0}, {}, steps).q[0] - 0.1 * std::cos(std::sqrt(2 * 50.0) * time);
  };
  EXPECT_NEAR(error(4000) / error(8000), 2, 0.05);  // first order in the step, and towards the closed form
  EXPECT_LE(std::abs(error(8000)), 1e-3);
}

TEST(ThetaRuleTest, TendonWithinAChainIsExactlyImplicit) {
  // Rows along one path fit the sparsity: A must be M + k r r^T to the last digit.
  ModelSpec spec = test::pendulum();
  BodySpec second = spec.bodies[1];
  second.parent = 1;
  second.position = {0, 0, -1};
  spec.bodies.push_back(second);
  JointSpec joint = spec.joints[0];
  joint.body = 2;
  spec.joints.push_back(joint);
  spec.tendons.push_back({.name = "cord", .joints = {0, 1}, .coefficients = {2, -3}, .stiffness = 40, .damping = 5});
  spec.tendons[0].spring_length = {0, 0};
  const Model model(std::move(spec));
  State state = model.reference_state();
  state.q = {0.75, 0.5};  // exact in binary, so that the length below is exactly zero
  state.v = {0.5, -0.4};
  DynamicsData data(model);
  IntegratorWorkspace workspace(model);
  const double h = 0.01;
  const Eigen::Vector2d r(2, -3);
  const auto expect_gain = [&](double k) {
    discretize(model, state, {}, {}, {h, 0}, data, workspace);
    mass_matrix(data);
    const Eigen::Matrix2d expected = test::dense(data.mass) + k * r * r.transpose();
    EXPECT_LE((test::dense(workspace.system.a) - expected).norm(), 1e-13);
  };
  expect_gain(h * 5);  // length 2 * 0.75 - 3 * 0.5 = 0: at rest, the spring does not act
  state.q[1] = 0.1;
  expect_gain(h * h * 40 + h * 5);
}

TEST(ThetaRuleTest, RepeatedJointInATendonAddsUp) {
  ModelSpec spec = test::slider(1);
  spec.tendons.push_back({.name = "loop", .joints = {0, 0}, .coefficients = {1, 2}, .damping = 10});
  const Model model(std::move(spec));
  State state = model.reference_state();
  state.v[0] = 1;
  EXPECT_NEAR(step(model, state, {0.1, 0}).v[0], 1 / (1 + 0.1 * 10 * 9), 1e-14);  // (1 + 2)^2
}

TEST(ThetaRuleTest, ExternalForceIsAnImpulse) {
  const Model model(test::slider(2));
  DynamicsData data(model);
  IntegratorWorkspace workspace(model);
  State state = model.reference_state();
  const std::vector<double> external = {6};
  ASSERT_TRUE(theta_step(model, {}, external, {0.1, 0.5}, data, workspace, state));
  EXPECT_NEAR(state.v[0], 6.0 / 2 * 0.1, 1e-15);
  EXPECT_NEAR(state.time, 0.1, 1e-15);
}

TEST(ThetaRuleTest, QuaternionsStayOfUnitLength) {
  std::mt19937_64 random(5);
  const Model model(test::random_spec(random));
  State state = test::random_state_of(model, random);
  state = step(model, state, {0.01, 0.5}, {}, 200);
  for (const JointFrame& joint : model.joint_frames()) {
    if (joint.type != JointType::Ball && joint.type != JointType::Free) continue;
    const Quat q = Quat::from(&state.q[static_cast<std::size_t>(joint.q + (joint.type == JointType::Free ? 3 : 0))]);
    EXPECT_NEAR(q.w * q.w + dot(q.v, q.v), 1, 1e-14);
  }
}

}  // namespace
}  // namespace uzawa
