/// The algorithms against each other and against dense linear algebra, on random trees.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/dense.hpp"
#include "support/random_model.hpp"
#include "uzawa/dynamics/inertia.hpp"
#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/dynamics/newton_euler.hpp"

namespace uzawa {
namespace {

/// A random model at a random state with everything computed.
struct Case {
  explicit Case(unsigned seed, int bodies = 8)
      : random(seed),
        model(test::random_spec(random, {.bodies = bodies})),
        state(test::random_state_of(model, random)),
        data(model) {
    forward_kinematics(model, state.q, data);
    link_velocities(model, state.v, data);
    mass_matrix(data);
  }
  std::size_t nv() const { return state.v.size(); }

  std::mt19937_64 random;
  Model model;
  State state;
  DynamicsData data;
};

/// Relative error allowed between two ways to solve with a matrix of this condition.
double solve_tolerance(const Eigen::MatrixXd& m) {
  const Eigen::VectorXd eigenvalues = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(m).eigenvalues();
  return 1e-14 * static_cast<double>(m.rows()) * eigenvalues.maxCoeff() / eigenvalues.minCoeff();
}

RC_GTEST_PROP(AlgorithmsTest, MassMatrixIsPositiveDefiniteAndGivesTheEnergy, (unsigned seed)) {
  Case c(seed);
  const Eigen::MatrixXd m = test::dense(c.data.mass);
  RC_ASSERT((m - m.transpose()).norm() == 0);
  RC_ASSERT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(m).eigenvalues().minCoeff() > 0);
  // Kinetic energy from the poses' point of view: masses and velocities of the links, not M.
  double energy = 0;
  for (std::size_t i = 0; i < c.model.links().size(); ++i) {
    const Link& link = c.model.links()[i];
    const Vec3 v = point_velocity(c.model, c.data, static_cast<int>(i), c.data.link_com[i]);
    const Vec3 w = transpose_times(c.data.link_pose[i].rotation * link.principal_axes, c.data.velocity[i].angular);
    energy += 0.5 * link.mass * dot(v, v) + 0.5 * dot(w, scaled(link.principal_inertia, w));
  }
  for (std::size_t d = 0; d < c.nv(); ++d) energy += 0.5 * c.model.armature()[d] * c.state.v[d] * c.state.v[d];
  const double by_matrix = 0.5 * test::vector(c.state.v).dot(m * test::vector(c.state.v));
  RC_ASSERT(std::abs(by_matrix - energy) <= 1e-12 * energy);
  RC_ASSERT(std::abs(kinetic_energy(c.model, c.state.v, c.data) - energy) <= 1e-12 * energy);
}

RC_GTEST_PROP(AlgorithmsTest, ArticulatedBodiesSolveLikeFactorsLikeDense, (unsigned seed)) {
  Case c(seed);
  const std::vector<double> tau = test::random_vector(c.nv(), c.random);
  std::vector<double> bias(c.nv()), by_aba(c.nv()), by_factor(c.nv());
  bias_force(c.model, c.state.v, c.data, bias);
  RC_ASSERT(forward_dynamics(c.model, c.state.v, tau, c.data, by_aba));
  RC_ASSERT(factorize_mass(c.data));
  for (std::size_t d = 0; d < c.nv(); ++d) by_factor[d] = tau[d] - bias[d];
  c.data.mass_factor.solve(by_factor);
  const Eigen::MatrixXd m = test::dense(c.data.mass);
  const Eigen::VectorXd direct = m.llt().solve(test::vector(tau) - test::vector(bias));
  const double tolerance = solve_tolerance(m);
  const std::span<const double> expected(direct.data(), c.nv());
  RC_ASSERT(test::relative_error(by_aba, expected) <= tolerance);
  RC_ASSERT(test::relative_error(by_factor, expected) <= tolerance);
}

RC_GTEST_PROP(AlgorithmsTest, InverseDynamicsUndoesForwardDynamics, (unsigned seed)) {
  Case c(seed);
  const std::vector<double> tau = test::random_vector(c.nv(), c.random);
  std::vector<double> a(c.nv()), back(c.nv());
  RC_ASSERT(forward_dynamics(c.model, c.state.v, tau, c.data, a));
  inverse_dynamics(c.model, c.state.v, a, c.data, back);
  RC_ASSERT(test::relative_error(back, tau) <= solve_tolerance(test::dense(c.data.mass)));
}

RC_GTEST_PROP(AlgorithmsTest, InverseDynamicsIsMassTimesAccelerationPlusBias, (unsigned seed)) {
  Case c(seed);
  const std::vector<double> a = test::random_vector(c.nv(), c.random);
  std::vector<double> tau(c.nv()), bias(c.nv()), product(c.nv());
  inverse_dynamics(c.model, c.state.v, a, c.data, tau);
  bias_force(c.model, c.state.v, c.data, bias);
  c.data.mass.multiply(a, product);
  for (std::size_t d = 0; d < c.nv(); ++d) product[d] += bias[d];
  RC_ASSERT(test::relative_error(tau, product) <= 1e-12);
}

RC_GTEST_PROP(AlgorithmsTest, AugmentedMatrixIsMassPlusPenaltyTerms, (unsigned seed)) {
  // [AL] eq. 41-42: A + beta sum J^T J + diag, assembled densely.
  Case c(seed);
  const double scale = 2;
  const std::vector<double> diagonal = [&] {
    std::vector<double> d = test::random_vector(c.nv(), c.random);
    for (double& x : d) x = std::abs(x);
    return d;
  }();
  Eigen::MatrixXd expected = scale * test::dense(c.data.mass);
  expected.diagonal() += test::vector(diagonal);
  std::vector<PointMass> points;
  for (int i = 0; i < 6; ++i) {
    const int link = std::uniform_int_distribution<int>(-1, static_cast<int>(c.model.links().size()) - 1)(c.random);
    points.push_back({link, 1000 * (i + 1.0), test::random_vec3(c.random)});
    const Eigen::MatrixXd j = test::point_jacobian(c.model, c.data, link, points.back().point);
    expected += points.back().mass * j.transpose() * j;
  }
  TreeMatrix a(c.model.topology());
  augmented_matrix(c.model, scale, points, diagonal, c.data, a);
  RC_ASSERT((test::dense(a) - expected).norm() <= 1e-12 * expected.norm());
  TreeMatrix factor(c.model.topology());
  RC_ASSERT(factor.factorize(a));
}

/// The same model with everything on the ground moved by `shift`, and the matching state.
std::pair<Model, State> moved(const ModelSpec& spec, const State& state, const Vec3& shift) {
  ModelSpec far = spec;
  for (std::size_t b = 1; b < far.bodies.size(); ++b) {
    if (far.bodies[b].parent == 0) far.bodies[b].position += shift;
  }
  Model model(std::move(far));
  State there = state;
  for (const JointFrame& joint : model.joint_frames()) {
    if (joint.type != JointType::Free) continue;
    for (int k = 0; k < 3; ++k) there.q[static_cast<std::size_t>(joint.q + k)] += shift[k];
  }
  return {std::move(model), std::move(there)};
}

RC_GTEST_PROP(AlgorithmsTest, NothingChangesOneKilometreFromTheOrigin, (unsigned seed)) {
  std::mt19937_64 random(seed);
  const ModelSpec spec = test::random_spec(random, {.bodies = 8});
  const Model model(spec);
  const State state = test::random_state_of(model, random);
  const auto [far_model, far_state] = moved(spec, state, Vec3{600, -700, 400});
  const std::vector<double> tau = test::random_vector(state.v.size(), random);
  struct Outcome {
    Eigen::MatrixXd mass;
    std::vector<double> bias, acceleration;
  };
  const auto evaluate = [&](const Model& m, const State& s) {
    DynamicsData data(m);
    forward_kinematics(m, s.q, data);
    link_velocities(m, s.v, data);
    mass_matrix(data);
    Outcome out{test::dense(data.mass), std::vector<double>(s.v.size()), std::vector<double>(s.v.size())};
    bias_force(m, s.v, data, out.bias);
    RC_ASSERT(forward_dynamics(m, s.v, tau, data, out.acceleration));
    return out;
  };
  const Outcome near = evaluate(model, state), far = evaluate(far_model, far_state);
  constexpr double kTolerance = 1e-8;
  const Eigen::VectorXd scale = near.mass.diagonal().cwiseSqrt();
  RC_ASSERT(((near.mass - far.mass).array() / (scale * scale.transpose()).array()).abs().maxCoeff() <= kTolerance);
  RC_ASSERT(test::relative_error(far.bias, near.bias) <= kTolerance);
  RC_ASSERT(test::relative_error(far.acceleration, near.acceleration) <= kTolerance);
}

}  // namespace
}  // namespace uzawa
