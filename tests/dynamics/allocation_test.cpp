#include <gtest/gtest.h>

#include <functional>

#include "support/allocations.hpp"
#include "support/random_model.hpp"
#include "uzawa/dynamics/forces.hpp"
#include "uzawa/dynamics/inertia.hpp"
#include "uzawa/dynamics/integrators.hpp"
#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/dynamics/newton_euler.hpp"

namespace uzawa {
namespace {

TEST(AllocationTest, TheCounterCounts) {
  const long before = test::allocations();
  const std::vector<Vec3> memory(3);  // over-aligned: the aligned form of new
  const std::vector<double> more(5);
  EXPECT_EQ(test::allocations() - before, 2);
}

TEST(AllocationTest, NothingAllocatesAfterConstruction) {
  std::mt19937_64 random(11);
  ModelSpec spec = test::random_spec(random, {.bodies = 12});
  spec.sites.push_back({.name = "a", .body = 2});
  spec.sites.push_back({.name = "b", .body = 9});
  spec.tendons.push_back({.name = "rope", .path = {{0, 1}, {1, 1}}, .stiffness = 10, .damping = 1});
  spec.actuators.push_back({.name = "pull", .transmission = Transmission::Tendon, .target = 0, .bias = {0, -1, -1}});
  spec.options.fluid_viscosity = 0.1;
  const Model model(std::move(spec));
  State state = test::random_state_of(model, random);
  DynamicsData data(model);
  IntegratorWorkspace workspace(model);
  const std::size_t nv = state.v.size();
  std::vector<double> tau(nv), a(nv), jacobian(3 * nv);
  const std::vector<double> control(static_cast<std::size_t>(model.nu()));
  const std::vector<PointMass> points = {{0, 100, {1, 0, 0}}, {1, 50, {0, 1, 0}}};
  const std::function<void()> all = [&] {
    forward_kinematics(model, state.q, data);
    link_velocities(model, state.v, data);
    tendon_lengths(model, state.q, data);
    mass_matrix(data);
    EXPECT_TRUE(factorize_mass(data));
    bias_force(model, state.v, data, tau);
    passive_force(model, state.q, state.v, data, tau);
    actuator_force(model, state, control, data, tau);
    EXPECT_TRUE(forward_dynamics(model, state.v, tau, data, a));
    inverse_dynamics(model, state.v, a, data, tau);
    augmented_matrix(model, 1, points, {}, data, workspace.system.a);
    point_jacobian(model, data, 0, {1, 1, 1}, jacobian);
    EXPECT_TRUE(theta_step(model, control, {}, {0.001, 0}, data, workspace, state));
    EXPECT_TRUE(rk4_step(model, control, {}, 0.001, data, workspace, state));
  };
  const long before = test::allocations();
  all();
  all();
  EXPECT_EQ(test::allocations() - before, 0);
}

}  // namespace
}  // namespace uzawa
