#include "sim/scenes.hpp"

#include <gtest/gtest.h>

#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/dynamics/newton_euler.hpp"

namespace uzawa::test {

void add_triple_pendulum(ModelSpec& spec, const Vec3& top) {
  const double length[] = {0.5, 0.4, 0.3};
  for (std::size_t i = 0; i < 3; ++i) {
    const double mass = 2 * length[i], inertia = mass * length[i] * length[i] / 12;
    const int parent = i == 0 ? 0 : static_cast<int>(spec.bodies.size()) - 1;
    BodySpec body{.name = "rod " + std::to_string(i), .parent = parent, .mass = mass};
    body.position = i == 0 ? top : Vec3{0, 0, -length[i - 1]};
    body.com = {0, 0, -length[i] / 2};
    body.principal_inertia = {inertia, inertia, 0.01 * inertia};
    spec.bodies.push_back(body);
    JointSpec joint{.name = "hinge " + std::to_string(i), .body = static_cast<int>(spec.bodies.size()) - 1};
    joint.axis = i == 2 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    spec.joints.push_back(joint);
  }
}

double energy(const World& world) {
  const Model& model = world.model();
  DynamicsData data(model);
  forward_kinematics(model, world.state().q, data);
  link_velocities(model, world.state().v, data);
  return kinetic_energy(model, world.state().v, data) + potential_energy(model, data);
}

void run(World& world, int count, std::span<const double> control, std::span<const double> external) {
  for (int i = 0; i < count; ++i) {
    const StepReport& report = world.step(control, external);
    ASSERT_EQ(report.status, StepStatus::Solved)
        << "step " << i << ": " << to_string(report.solve_status) << ", residual " << report.residual;
  }
}

}  // namespace uzawa::test
