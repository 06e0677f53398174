#include "uzawa/dynamics/kinematics.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/dense.hpp"
#include "support/random_model.hpp"
#include "uzawa/dynamics/integrators.hpp"
#include "uzawa/dynamics/newton_euler.hpp"

namespace uzawa {
namespace {

/// World position of a point that is fixed in a link, at q.
Vec3 point_at(const Model& model, const std::vector<double>& q, int link, const Vec3& local) {
  DynamicsData data(model);
  forward_kinematics(model, q, data);
  return data.link_pose[static_cast<std::size_t>(link)] * local;
}

RC_GTEST_PROP(KinematicsTest, PointVelocityIsTheRateOfThePosition, (unsigned seed)) {
  std::mt19937_64 random(seed);
  const Model model(test::random_spec(random, {.bodies = 7}));
  const State state = test::random_state_of(model, random);
  const int link = static_cast<int>(seed % model.links().size());
  const Vec3 local = test::random_vec3(random) * 0.2;

  constexpr double kStep = 1e-5;  // central differences: error 1e-10 from truncation, 1e-11 from rounding
  std::vector<double> ahead = state.q, behind = state.q;
  integrate_position(model, state.v, kStep, ahead);
  integrate_position(model, state.v, -kStep, behind);
  const Vec3 numeric = (point_at(model, ahead, link, local) - point_at(model, behind, link, local)) * (0.5 / kStep);

  DynamicsData data(model);
  forward_kinematics(model, state.q, data);
  link_velocities(model, state.v, data);
  const Vec3 point = data.link_pose[static_cast<std::size_t>(link)] * local;
  const Vec3 velocity = point_velocity(model, data, link, point);
  RC_ASSERT(norm(velocity - numeric) <= 1e-7 * (1 + norm(velocity)));

  const Eigen::Vector3d by_jacobian = test::point_jacobian(model, data, link, point) * test::vector(state.v);
  RC_ASSERT((by_jacobian - Eigen::Vector3d(velocity.x(), velocity.y(), velocity.z())).norm() <=
            1e-12 * (1 + norm(velocity)));
}

/// The path of a point at constant joint velocities is x + t v + t^2/2 a.
RC_GTEST_PROP(KinematicsTest, PathsBendAsTheySay, (unsigned seed)) {
  std::mt19937_64 random(seed);
  const Model model(test::random_spec(random, {.bodies = 7}));
  const State state = test::random_state_of(model, random);
  const std::size_t link = seed % model.links().size();
  const Vec3 local = test::random_vec3(random) * 0.2;
  DynamicsData data(model);
  forward_kinematics(model, state.q, data);
  link_velocities(model, state.v, data);
  std::vector<Motion> scratch(model.links().size());
  std::vector<PathBend> bends(model.links().size());
  path_bends(model, state.v, data, scratch, bends);
  const Vec3 w = data.velocity[link].angular, point = data.link_pose[link] * local, arm = point - data.link_com[link];
  const Vec3 ours = bends[link].linear + cross(bends[link].angular, arm) + cross(w, cross(w, arm));

  constexpr double kStep = 1e-4;  // second differences: error 1e-8 from truncation and from rounding
  std::vector<double> ahead = state.q, behind = state.q;
  integrate_position(model, state.v, kStep, ahead);
  integrate_position(model, state.v, -kStep, behind);
  const int index = static_cast<int>(link);
  const Vec3 numeric = (point_at(model, ahead, index, local) - point * 2 + point_at(model, behind, index, local)) *
                       (1 / (kStep * kStep));
  RC_ASSERT(norm(ours - numeric) <= 1e-5 * (1 + norm(ours)));
}

RC_GTEST_PROP(KinematicsTest, WrenchDoesThePowerOfItsPoint, (unsigned seed)) {
  std::mt19937_64 random(seed);
  const Model model(test::random_spec(random));
  const State state = test::random_state_of(model, random);
  DynamicsData data(model);
  forward_kinematics(model, state.q, data);
  link_velocities(model, state.v, data);
  const int link = static_cast<int>(seed % model.links().size());
  const Vec3 point = test::random_vec3(random), force = test::random_vec3(random), moment = test::random_vec3(random);
  std::vector<double> tau(state.v.size(), 0.0);
  add_link_wrench(model, data, link, point, force, moment, tau);
  const double power = dot(force, point_velocity(model, data, link, point)) +
                       dot(moment, data.velocity[static_cast<std::size_t>(link)].angular);
  RC_ASSERT(std::abs(test::vector(tau).dot(test::vector(state.v)) - power) <= 1e-11 * (1 + std::abs(power)));
}

TEST(KinematicsTest, TheGroundDoesNotMove) {
  std::mt19937_64 random(1);
  const Model model(test::random_spec(random));
  const State state = test::random_state_of(model, random);
  DynamicsData data(model);
  forward_kinematics(model, state.q, data);
  link_velocities(model, state.v, data);
  EXPECT_EQ(norm(point_velocity(model, data, -1, {1, 2, 3})), 0);
  EXPECT_EQ(test::point_jacobian(model, data, -1, {1, 2, 3}).norm(), 0);
  EXPECT_EQ(norm(body_pose(model, data, 0).position), 0);
}

TEST(KinematicsTest, QuaternionsNeedNotBeNormalised) {
  std::mt19937_64 random(2);
  const Model model(test::random_spec(random, {.bodies = 4, .fixed_bodies = false}));
  State state = test::random_state_of(model, random);
  DynamicsData unit(model), scaled(model);
  forward_kinematics(model, state.q, unit);
  for (const JointFrame& joint : model.joint_frames()) {
    if (joint.type != JointType::Ball && joint.type != JointType::Free) continue;
    const int start = joint.q + (joint.type == JointType::Free ? 3 : 0);
    for (int k = 0; k < 4; ++k) state.q[static_cast<std::size_t>(start + k)] *= 3;
  }
  forward_kinematics(model, state.q, scaled);
  std::vector<Pose> poses(model.links().size());
  link_poses(model, state.q, {}, poses);
  for (std::size_t i = 0; i < model.links().size(); ++i) {
    EXPECT_LE(norm(unit.link_com[i] - scaled.link_com[i]), 1e-14);
    EXPECT_LE(norm(unit.link_com[i] - poses[i] * model.links()[i].com), 1e-14);
  }
}

}  // namespace
}  // namespace uzawa
