#include "uzawa/dynamics/forces.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/simple_models.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/dynamics/energy.hpp"
#include "uzawa/dynamics/integrators.hpp"
#include "uzawa/dynamics/kinematics.hpp"

namespace uzawa {
namespace {

/// Evaluates the actuators of a one-joint model.
double force_on(const Model& model, const State& state, double control) {
  DynamicsData data(model);
  std::vector<double> tau(state.v.size());
  forward_kinematics(model, state.q, data);
  tendon_lengths(model, state.q, data);
  actuator_force(model, state, std::vector<double>{control}, data, tau);
  return tau[0];
}

TEST(ActuatorTest, AffineGainBiasGearAndRanges) {
  ModelSpec spec = test::slider();
  spec.actuators.push_back(
      {.name = "a", .gear = {2}, .gain = {3, 0.5, 0.1}, .bias = {1, -2, -0.3}, .control_range = Range{-1, 1}});
  State state = Model(spec).reference_state();
  state.q[0] = 0.4;
  state.v[0] = -0.7;
  const double length = 0.8, velocity = -1.4;  // gear 2
  const double gain = 3 + 0.5 * length + 0.1 * velocity, bias = 1 - 2 * length - 0.3 * velocity;
  EXPECT_NEAR(force_on(Model(spec), state, 0.5), 2 * (gain * 0.5 + bias), 1e-14);
  EXPECT_NEAR(force_on(Model(spec), state, 7), 2 * (gain * 1 + bias), 1e-14);  // control clamped
  spec.actuators[0].force_range = Range{-0.5, 0.5};
  EXPECT_NEAR(force_on(Model(spec), state, 0.5), 2 * 0.5, 1e-14);
  spec.joints[0].actuator_force_range = Range{-0.2, 0.2};
  EXPECT_NEAR(force_on(Model(spec), state, 0.5), 0.2, 1e-14);
  spec.options.actuation = false;
  EXPECT_EQ(force_on(Model(spec), state, 0.5), 0);
}

TEST(ActuatorTest, NanControlNamesTheActuator) {
  ModelSpec spec = test::slider();
  spec.actuators.push_back({.name = "lift"});
  const Model model(std::move(spec));
  try {
    (void)force_on(model, model.reference_state(), std::numeric_limits<double>::quiet_NaN());
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("'lift'"), std::string::npos);
  }
}

TEST(ActuatorTest, TendonForceLimitIsShared) {
  ModelSpec spec = test::slider();
  spec.tendons.push_back({.name = "cord", .joints = {0}, .coefficients = {1}, .actuator_force_range = Range{-3, 3}});
  for (const char* name : {"a", "b"}) {
    spec.actuators.push_back({.name = name, .transmission = Transmission::Tendon, .target = 0, .gain = {4, 0, 0}});
  }
  const Model model(std::move(spec));
  DynamicsData data(model);
  const State state = model.reference_state();
  std::vector<double> tau(1);
  forward_kinematics(model, state.q, data);
  tendon_lengths(model, state.q, data);
  actuator_force(model, state, std::vector<double>{1, 0.5}, data, tau);  // 4 + 2 > 3
  EXPECT_NEAR(data.actuator_force[0], 2, 1e-14);
  EXPECT_NEAR(data.actuator_force[1], 1, 1e-14);
  EXPECT_NEAR(tau[0], 3, 1e-14);
}

TEST(ActuatorTest, ActivationsFollowTheirDynamics) {
  ModelSpec spec = test::slider();
  const auto add = [&](ActuatorDynamics dynamics) {
    spec.actuators.push_back(
        {.name = "a", .dynamics = dynamics, .time_constant = 0.2, .activation_range = Range{-0.6, 0.6}});
  };
  add(ActuatorDynamics::Integrator);
  add(ActuatorDynamics::Filter);
  add(ActuatorDynamics::FilterExact);
  const Model model(std::move(spec));
  ASSERT_EQ(model.na(), 3);
  std::vector<double> activation = {0.1, 0.1, 0.1};
  const std::vector<double> control = {1, 1, 1};
  std::vector<double> rate(3);
  activation_rate(model, activation, control, rate);
  EXPECT_NEAR(rate[0], 1, 1e-15);
  EXPECT_NEAR(rate[1], 4.5, 1e-15);
  advance_activation(model, control, 0.05, activation);
  EXPECT_NEAR(activation[0], 0.15, 1e-15);
  EXPECT_NEAR(activation[1], 0.1 + 0.05 * 4.5, 1e-15);
  EXPECT_NEAR(activation[2], 1 - 0.9 * std::exp(-0.25), 1e-15);
  advance_activation(model, control, 10, activation);
  for (const double a : activation) EXPECT_EQ(a, 0.6);  // clamped
}

TEST(PassiveTest, GravityCompensationCancelsGravity) {
  ModelSpec spec = test::pendulum(3);
  spec.bodies[1].gravity_compensation = 1;
  const Model model(std::move(spec));
  DynamicsData data(model);
  IntegratorWorkspace workspace(model);
  State state = model.reference_state();
  state.q[0] = 0.9;
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(theta_step(model, {}, {}, {0.01, 0}, data, workspace, state));
  EXPECT_NEAR(state.q[0], 0.9, 1e-13);
}

TEST(PassiveTest, DragBringsTerminalVelocity) {
  // Quadratic drag on a cube: 0.5 rho A v^2 = m g.
  const double side = 0.2, mass = 2, density = 1000;
  ModelSpec spec = test::free_body(Vec3{1, 1, 1} * (mass * side * side / 6), mass);
  spec.options.fluid_density = density;
  const Model model(std::move(spec));
  DynamicsData data(model);
  IntegratorWorkspace workspace(model);
  State state = model.reference_state();
  for (int i = 0; i < 2000; ++i) ASSERT_TRUE(theta_step(model, {}, {}, {0.002, 0}, data, workspace, state));
  EXPECT_NEAR(state.v[2], -std::sqrt(2 * mass * 9.81 / (density * side * side)), 1e-9);
}

TEST(PassiveTest, SpatialTendonPullsItsSitesTogether) {
  ModelSpec spec = test::slider(1);
  spec.sites.push_back({.name = "wall", .body = 0, .position = {0, 3, 0}});
  spec.sites.push_back({.name = "block", .body = 1});
  spec.tendons.push_back({.name = "rope", .path = {{0, 1}, {1, 1}}, .stiffness = 10, .damping = 2});
  spec.tendons[0].spring_length = {1, 2};
  const Model model(std::move(spec));
  DynamicsData data(model);
  State state = model.reference_state();
  state.q[0] = 4;  // 3-4-5 triangle
  state.v[0] = 1;
  std::vector<double> tau(1);
  forward_kinematics(model, state.q, data);
  link_velocities(model, state.v, data);
  tendon_lengths(model, state.q, data);
  EXPECT_NEAR(data.tendon_length[0], 5, 1e-15);
  EXPECT_NEAR(data.tendon_jacobian[0][0], 0.8, 1e-15);
  passive_force(model, state.q, state.v, data, tau);
  EXPECT_NEAR(tau[0], -0.8 * (10 * (5 - 2) + 2 * 0.8), 1e-13);
}

/// A body on a ball joint whose spring resists each axis of the body differently, and rests turned.
Model ball_with_spring(double isotropic) {
  ModelSpec spec;
  spec.options.gravity = {};
  spec.bodies.push_back({.name = "link", .mass = 1, .principal_inertia = {0.1, 0.2, 0.25}});
  spec.joints.push_back(
      {.name = "ball", .type = JointType::Ball, .body = 1, .stiffness = isotropic, .ball_stiffness = {2, 5, 11}});
  spec.reference_q = {1, 0, 0, 0};
  spec.spring_q.resize(4);
  exp_rotation({0.3, -0.2, 0.5}).store(spec.spring_q.data());
  return Model(std::move(spec));
}

TEST(BallSpringTest, ForceIsTheGradientOfTheEnergy) {
  const Model model = ball_with_spring(0.7);
  DynamicsData data(model);
  const std::vector<double> rest(3, 0.0);
  std::vector<double> tau(3);
  for (const Vec3& turn : {Vec3{0.4, 1.3, -0.8}, Vec3{-1.9, 0.6, 1.1}, Vec3{1e-3, 2e-3, -1e-3}}) {
    State state = model.reference_state();
    exp_rotation(turn).store(state.q.data());
    forward_kinematics(model, state.q, data);
    link_velocities(model, rest, data);
    passive_force(model, state.q, rest, data, tau);
    for (std::size_t k = 0; k < 3; ++k) {
      constexpr double kStep = 1e-5;  // central: error kStep^2 times third derivatives, and 1e-16 * energy / kStep
      double difference = 0;
      for (const double sign : {1.0, -1.0}) {
        std::vector<double> v(3, 0.0), q = state.q;
        v[k] = sign;
        integrate_position(model, v, kStep, q);
        difference += sign * spring_energy(model, q, data) / (2 * kStep);
      }
      EXPECT_NEAR(tau[k], -difference, 1e-8) << k;
    }
  }
}

TEST(BallSpringTest, EachAxisHasItsStiffness) {
  const Model model = ball_with_spring(0);
  for (int axis = 0; axis < 3; ++axis) {
    constexpr double kAngle = 0.9;
    Vec3 turn;
    turn.set(axis, kAngle);
    std::vector<double> q(4), v(3, 0.0), tau(3);
    (Quat::from(model.spec().spring_q.data()) * exp_rotation(turn)).store(q.data());
    DynamicsData data(model);
    forward_kinematics(model, q, data);
    link_velocities(model, v, data);
    passive_force(model, q, v, data, tau);
    for (int k = 0; k < 3; ++k) {
      const double expected = k == axis ? -model.spec().joints[0].ball_stiffness[k] * kAngle : 0;
      EXPECT_NEAR(tau[static_cast<std::size_t>(k)], expected, 1e-13);
    }
  }
}

/// Free motion about the rest pose: one linear oscillator an axis, which the implicit step must see per axis, too.
TEST(BallSpringTest, OscillatesAtTheFrequencyOfEachAxis) {
  const Model model = ball_with_spring(0);
  for (int axis = 0; axis < 3; ++axis) {
    const JointSpec& joint = model.spec().joints[0];
    const double frequency = std::sqrt(joint.ball_stiffness[axis] / model.spec().bodies[1].principal_inertia[axis]);
    State state = model.reference_state();
    Vec3 turn;
    turn.set(axis, 0.01);
    (Quat::from(model.spec().spring_q.data()) * exp_rotation(turn)).store(state.q.data());
    DynamicsData data(model);
    IntegratorWorkspace workspace(model);
    constexpr int kSteps = 1000;
    const double h = 2 * M_PI / frequency / kSteps;  // a period
    for (int i = 0; i < kSteps; ++i) {
      ASSERT_TRUE(theta_step(model, {}, {}, {.h = h, .theta = 0.5}, data, workspace, state));
    }
    const Vec3 end = rotation_between(Quat::from(model.spec().spring_q.data()), normalized(Quat::from(state.q.data())));
    // A spring that acts at the end of the step while the rest acts in its middle damps by (w h)^2/4 a step.
    EXPECT_NEAR(norm(end - turn * std::exp(-M_PI * M_PI / kSteps)), 0, 0.01 * 1e-4);
  }
}

}  // namespace
}  // namespace uzawa
