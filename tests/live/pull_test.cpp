#include "uzawa/live/pull.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "plain_subject.hpp"
#include "support/simple_models.hpp"
#include "support/soft_models.hpp"
#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/dynamics/newton_euler.hpp"

namespace uzawa {
namespace {

using test::PlainSubject;

constexpr double kRate = 25;  // rad/s, of a tree on the spring: as in pull.cpp

ModelSpec weightless(ModelSpec spec) {
  spec.options.gravity = {};
  return spec;
}

/// Steps a subject under a pull; returns the most kinetic energy on the way, J.
double pulled(PlainSubject& subject, const PullCommand& pull, int steps) {
  const Model& model = subject.world().model();
  PullForce force(model);
  DynamicsData data(model);
  std::vector<double> push(static_cast<std::size_t>(model.nv()));
  double most = 0;
  for (int i = 0; i < steps; ++i) {
    std::fill(push.begin(), push.end(), 0.0);
    force.add(pull, subject.world().state(), subject.world().dt(), push);
    subject.step(push);
    forward_kinematics(model, subject.world().state().q, data);
    link_velocities(model, subject.world().state().v, data);
    most = std::max(most, kinetic_energy(model, subject.world().state().v, data));
  }
  return most;
}

/// Held at its centre of mass a free body is a point mass: implicit Euler of a critically damped spring.
TEST(Pull, PointMassMovesAsTheImplicitSpringSays) {
  const double h = 0.004;
  PlainSubject subject(weightless(test::free_body({0.1, 0.2, 0.25}, 2)), {.dt = h});
  double x = subject.world().state().q[0], v = 0;
  PullCommand pull;
  pull.target = {x + 0.3, subject.world().state().q[1], subject.world().state().q[2]};
  PullForce force(subject.world().model());
  std::vector<double> push(6);
  for (int i = 0; i < 100; ++i) {
    std::fill(push.begin(), push.end(), 0.0);
    force.add(pull, subject.world().state(), h, push);
    subject.step(push);
    const double k = kRate * kRate, c = 2 * kRate;  // by mass
    v = (v + h * k * (pull.target.x() - x)) / (1 + h * c + h * h * k);
    x += h * v;
    ASSERT_NEAR(subject.world().state().q[0], x, 1e-12);
  }
  EXPECT_NEAR(x, pull.target.x(), 1e-3);
}

/// A body never has more energy than the spring had at first, however light it is at the point that is pulled.
TEST(Pull, NoStepAndNoPointMakesItExplode) {
  const double mass = 2, stiffness = mass * kRate * kRate;
  for (const double h : {0.0005, 0.01, 0.1}) {
    for (const double offset : {0.0, 0.1, 3.0}) {
      PlainSubject subject(weightless(test::free_body({1e-3, 2e-3, 2.5e-3}, mass)), {.dt = h});
      PullCommand pull;
      pull.point = {offset, 0.2 * offset, 0};
      pull.target = {1, 1, 1};
      const Vec3 way = pull.target - pull.point;
      EXPECT_LT(pulled(subject, pull, static_cast<int>(20 / h)), 0.5 * stiffness * dot(way, way))
          << "step " << h << ", offset " << offset;
    }
  }
}

/// What the spring expects of its own force alone, it gives less: by 1 + h c + h^2 k, both by mass.
TEST(Pull, HangingBodyRestsWhereTheSpringCarriesIt) {
  const double h = 0.002;
  PlainSubject subject(test::free_body({0.1, 0.2, 0.25}, 2), {.dt = h});
  PullCommand pull;
  pull.target = {0, 0, 5};
  pulled(subject, pull, 3000);
  const double softer = 1 + 2 * h * kRate + h * h * kRate * kRate;
  EXPECT_NEAR(subject.world().state().q[2], 5 - 9.81 / (kRate * kRate) * softer, 1e-6);
}

/// A node is pulled with what is around it; the force is that of the spring at the end of a step in which the node's
/// share moves it alone.
TEST(Pull, NodeOfASoftBodyTakesItsSurroundingsAlong) {
  const double h = 0.004;
  ModelSpec spec;
  const TetMesh mesh = test::box_mesh(9, 9, 2, {0.4, 0.4, 0.05});
  test::add_soft_body(spec, "mat", mesh.nodes, 0, {1, 0, 0, 1}).tets = mesh.tets;
  const Model model(spec);
  State state = model.reference_state();
  const int held = 40;  // in the middle of the lower side
  PullCommand pull{.link = held, .target = {0.3, 0.1, 0.2}};
  state.v[3 * held] = 0.7;
  PullForce spring(model);
  std::vector<double> force(static_cast<std::size_t>(model.nv()));
  spring.add(pull, state, h, force);

  Vec3 sum;
  for (std::size_t i = 0; i < force.size(); ++i)
    sum.set(static_cast<int>(i % 3), sum[static_cast<int>(i % 3)] + force[i]);
  const double node_mass = 1.0 / static_cast<double>(mesh.nodes.size()), k = kRate * kRate, c = 2 * kRate;  // of 1 kg
  for (int axis = 0; axis < 3; ++axis) {
    const std::size_t dof = static_cast<std::size_t>(3 * held + axis);
    const double v = state.v[dof] + h * force[dof] / node_mass, x = mesh.nodes[held][axis] + h * v;
    EXPECT_NEAR(sum[axis], k * (pull.target[axis] - x) - c * v, 1e-9 * k);
  }
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {  // a share falls off in a straight line with the distance
    const double share = force[3 * i] / force[3 * held], reach = 0.2 * std::sqrt(0.8 * 0.8 * 2 + 0.01);
    EXPECT_NEAR(share, std::max(0.0, 1 - norm(mesh.nodes[i] - mesh.nodes[held]) / reach), 1e-12);
  }
}

TEST(Pull, OfALinkThatIsNotThereDoesNothing) {
  PlainSubject subject(weightless(test::free_body()), {.dt = 0.002});
  PullCommand pull;
  pull.link = 7;
  EXPECT_EQ(pulled(subject, pull, 3), 0);
}

}  // namespace
}  // namespace uzawa
