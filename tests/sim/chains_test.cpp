/// Chains that are let go from the horizontal: whatever they are joined by, their energy never grows by itself.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/scenes.hpp"
#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/dynamics/newton_euler.hpp"

namespace uzawa {
namespace {

constexpr double kLength = 0.05, kMass = 0.01;  // of a link: m, kg

enum class Joint { Hinge, Ball, Connect };

BodySpec rod(int parent, const Vec3& position) {
  BodySpec body;
  body.parent = parent;
  body.position = position;
  body.mass = kMass;
  body.com = {kLength / 2, 0, 0};
  const double across = kMass * kLength * kLength / 12;
  body.principal_inertia = {0.02 * across, across, across};
  return body;
}

ModelSpec chain(Joint joint, int links) {
  ModelSpec spec;
  for (int i = 0; i < links; ++i) {
    const bool free = joint == Joint::Connect;
    spec.bodies.push_back(rod(free ? 0 : i, {free ? i * kLength : (i > 0 ? kLength : 0), 0, 0}));
    JointSpec own;
    own.name = "j" + std::to_string(i);
    own.body = i + 1;
    own.type = free ? JointType::Free : (joint == Joint::Ball ? JointType::Ball : JointType::Hinge);
    own.axis = {0, 1, 0};
    spec.joints.push_back(own);
    if (!free) continue;
    spec.equalities.push_back(
        {.name = "c" + std::to_string(i), .first = i + 1, .second = i, .second_anchor = {i > 0 ? kLength : 0, 0, 0}});
  }
  return spec;
}

/// Energy at integer time: a step's velocities belong to the middle of the time between two positions, so the kinetic
/// energy at a position is that of the mean of the velocities before and after it. The velocity of a free rod's frame,
/// which is at its end, belongs to the orientation after the step; its centre of mass has the same velocity at both.
class EnergyAtPositions {
 public:
  explicit EnergyAtPositions(const World& world) : world_(world), data_(world.model()), last_(world.state()) {}
  /// After a step: the energy at the position that it began with, J.
  double of_last_position() {
    const State& now = world_.state();
    std::vector<double> mean = now.v;
    take_back(now, mean);
    for (std::size_t d = 0; d < mean.size(); ++d) mean[d] = 0.5 * (last_.v[d] + mean[d]);
    forward_kinematics(world_.model(), last_.q, data_);
    link_velocities(world_.model(), mean, data_);
    const double energy = kinetic_energy(world_.model(), mean, data_) + potential_energy(world_.model(), data_);
    last_ = now;
    return energy;
  }

 private:
  /// Velocities of frames at the orientations before the step, from those after it.
  void take_back(const State& now, std::vector<double>& v) const {
    for (const JointFrame& joint : world_.model().joint_frames()) {
      if (joint.type != JointType::Free) continue;
      const std::size_t d = static_cast<std::size_t>(joint.v), a = static_cast<std::size_t>(joint.q) + 3;
      const Vec3 turn = cross(Vec3::from(&v[d + 3]), {kLength / 2, 0, 0});
      const Vec3 change = rotate(Quat::from(&now.q[a]), turn) - rotate(Quat::from(&last_.q[a]), turn);
      (Vec3::from(&v[d]) + change).store(&v[d]);
    }
  }

  const World& world_;
  DynamicsData data_;
  State last_;
};

struct Case {
  Joint joint;
  int links;
  double dt;
  bool kicked = false;  ///< out of the plane
};

/// Out of the plane and about their own axes, as fast as links of a chain that swings freely.
void kick(World& world, Joint joint, int links) {
  State state = world.state();
  const std::size_t dofs = state.v.size() / static_cast<std::size_t>(links), turn = joint == Joint::Ball ? 0 : 3;
  for (std::size_t i = 0; i < static_cast<std::size_t>(links); ++i) {
    const double sign = i % 2 == 0 ? 1 : -1;
    state.v[i * dofs + turn] = 3 * sign;      // about the rod
    state.v[i * dofs + turn + 2] = 4 * sign;  // across
  }
  world.set_state(state);
}

/// A minute, where that is cheap.
double seconds(Joint joint, int links, double dt) {
  const int steps = links <= 8 ? 60000 : (links <= 20 || joint == Joint::Hinge ? 12000 : 3000);
  return std::min(60.0, steps * dt);
}

class ChainTest : public testing::TestWithParam<Case> {};

TEST_P(ChainTest, EnergyNeverGrows) {
  const auto [joint, links, dt, kicked] = GetParam();
  World world(Model(chain(joint, links)), {.dt = dt});
  if (kicked) kick(world, joint, links);
  EnergyAtPositions energy(world);
  const double swing = links * kMass * test::kGravity * links * kLength / 2;
  const double start = test::energy(world), allowed = (dt > 0.003 ? 0.03 : 0.015) * swing;
  // Slender rods that were kicked spin about their own axes by up to radians in a step, and so do the last of 50 links
  // at 5 ms: the mean of two such velocities is not the velocity at the position.
  const bool measured = kicked ? dt <= 0.0005 && links <= 8 : links <= 20 || dt <= 0.002;
  const int steps = static_cast<int>(seconds(joint, links, dt) / dt);
  double most = -HUGE_VAL;
  for (int i = 0; i < steps; ++i) {
    const StepReport& report = world.step();
    ASSERT_NE(report.status, StepStatus::Failed) << i;
    most = std::max({most, measured ? energy.of_last_position() : most, report.energy.total()});
    ASSERT_LT(most - start, allowed) << "step " << i << ", swing " << swing;
  }
}

std::vector<Case> cases(Joint joint, bool kicked = false) {
  std::vector<Case> all;
  for (const int links : {2, 8, 20, 50}) {
    for (const double dt : {0.0005, 0.001, 0.002, 0.005}) all.push_back({joint, links, dt, kicked});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Hinges, ChainTest, testing::ValuesIn(cases(Joint::Hinge)));
INSTANTIATE_TEST_SUITE_P(Balls, ChainTest, testing::ValuesIn(cases(Joint::Ball)));
INSTANTIATE_TEST_SUITE_P(KickedBalls, ChainTest, testing::ValuesIn(cases(Joint::Ball, true)));
INSTANTIATE_TEST_SUITE_P(Connects, ChainTest, testing::ValuesIn(cases(Joint::Connect)));

/// A body whose frame is not at its centre of mass: the centre of mass flies straight on, and energy stays.
TEST(FreeFlightTest, CentreOfMassDoesNotDrift) {
  ModelSpec spec;
  spec.options.gravity = {};
  BodySpec body;
  body.mass = 1;
  body.com = {0.1, 0.05, 0.2};
  body.principal_inertia = {0.01, 0.02, 0.025};
  spec.bodies.push_back(body);
  JointSpec joint;
  joint.name = "free";
  joint.type = JointType::Free;
  joint.body = 1;
  spec.joints.push_back(joint);
  for (const double theta : {0.0, 0.5}) {
    World world(Model(spec), {.dt = 0.002, .theta = theta});
    State state = world.state();
    state.v = {0.3, 0, 0, 3, 7, 20};
    world.set_state(state);
    DynamicsData data(world.model());
    const auto centre = [&] {
      forward_kinematics(world.model(), world.state().q, data);
      return data.link_com[0];
    };
    link_velocities(world.model(), state.v, (centre(), data));
    const Vec3 start = centre(), velocity = point_velocity(world.model(), data, 0, start);
    const double energy = test::energy(world);
    for (int i = 0; i < 5000; ++i) world.step();
    EXPECT_LT(norm(centre() - (start + velocity * world.state().time)), 1e-10) << theta;
    EXPECT_NEAR(test::energy(world), energy, 1e-9 * energy) << theta;
  }
}

}  // namespace
}  // namespace uzawa
