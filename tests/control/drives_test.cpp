/// Kinds of drives, and the gripper that pushes by force.
#include "uzawa/control/drives.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/simple_models.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/control/gripper.hpp"
#include "uzawa/dynamics/integrators.hpp"

namespace uzawa {
namespace {

/// A slide of 2 kg with a motor of at most 30 N.
ModelSpec driven_slider() {
  ModelSpec spec = test::slider(2);
  spec.actuators.push_back({.name = "motor", .control_range = Range{-1, 1}, .force_range = Range{-30, 30}});
  return spec;
}

State run(const Model& model, std::vector<double> control, int steps) {
  State state = model.reference_state();
  DynamicsData data(model);
  IntegratorWorkspace workspace(model);
  for (int i = 0; i < steps; ++i) {
    EXPECT_TRUE(theta_step(model, control, {}, {.h = 0.01, .theta = 0}, data, workspace, state));
  }
  return state;
}

TEST(DrivesTest, AnImpedanceIsASpringAndADamper) {
  ModelSpec spec = driven_slider();
  set_impedance(spec, "motor", 50, 20);  // critically damped
  const State state = run(Model(std::move(spec)), {3}, 1000);
  EXPECT_NEAR(state.q[0], 3, 1e-9) << "the control range of the motor must be gone";
}

TEST(DrivesTest, AForceDrivePushesWithItsForce) {
  ModelSpec spec = driven_slider();
  set_force_drive(spec, "motor", 0);
  const Model model(std::move(spec));
  EXPECT_NEAR(run(model, {4}, 100).v[0], 4.0 / 2, 1e-12);
  EXPECT_NEAR(run(model, {400}, 100).v[0], 30.0 / 2, 1e-12) << "beyond its force range";
}

TEST(DrivesTest, DampingBoundsTheSpeedOfAForceDrive) {
  ModelSpec spec = driven_slider();
  set_force_drive(spec, "motor", 10);
  EXPECT_NEAR(run(Model(std::move(spec)), {4}, 1000).v[0], 0.4, 1e-9);
}

TEST(DrivesTest, BadOnesAreNamed) {
  ModelSpec spec = driven_slider();
  EXPECT_THROW(set_impedance(spec, "nobody", 1, 1), InputError);
  EXPECT_THROW(set_impedance(spec, "motor", 0, 1), InputError);
  EXPECT_THROW(set_impedance(spec, "motor", NAN, 1), InputError);
  EXPECT_THROW(set_force_drive(spec, "motor", -1), InputError);
  spec.actuators[0].dynamics = ActuatorDynamics::Filter;
  EXPECT_THROW(set_force_drive(spec, "motor", 0), InputError);
}

TEST(GripperTest, ForceRisesAtItsRateAndStaysThere) {
  ModelSpec spec = driven_slider();
  set_force_drive(spec, "motor", 0);
  const Model model(std::move(spec));
  Gripper gripper(model, "motor", 100);
  gripper.close(20);
  std::vector<double> control(1);
  for (int i = 1; i <= 30; ++i) {
    gripper.write(0.01, control);
    EXPECT_NEAR(control[0], -std::min(20.0, 100 * 0.01 * i), 1e-12);
  }
  gripper.open(5);
  for (int i = 1; i <= 30; ++i) gripper.write(0.01, control);
  EXPECT_NEAR(control[0], 5, 1e-12);
}

TEST(GripperTest, AServoIsRefused) {
  ModelSpec spec = driven_slider();
  set_impedance(spec, "motor", 50, 20);
  const Model model(std::move(spec));
  EXPECT_THROW(Gripper(model, "motor"), InputError);
}

}  // namespace
}  // namespace uzawa
