#include "uzawa/elastic/edge_elasticity.hpp"

#include <gtest/gtest.h>

#include "elastic/elastic_support.hpp"
#include "uzawa/base/error.hpp"

namespace uzawa {
namespace {

class EdgeElasticityTest : public ::testing::Test {
 protected:
  static SoftMaterial material() {
    SoftMaterial out;
    out.edge_stiffness = 30;
    out.edge_damping = 0.7;
    return out;
  }
  std::vector<Vec3> rest_{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0.5}};
  std::vector<std::array<int, 2>> edges_{{0, 1}, {2, 1}, {2, 3}, {3, 0}, {0, 2}};
  EdgeElasticity springs_{rest_, edges_, material()};
  std::mt19937 random_{5};
};

TEST_F(EdgeElasticityTest, ForcesAreTheGradientOfTheEnergy) {
  const std::vector<Vec3> x = shaken(rest_, 0.5, random_);
  const Eigen::VectorXd force = stacked(forces_of(springs_, x, 4));
  EXPECT_LT((force - differences_of_energy(springs_, x, 1e-6)).norm(), 1e-8 * force.norm());
}

TEST_F(EdgeElasticityTest, StiffnessIsTheSecondDerivativeWhereAllIsTaut) {
  std::vector<Vec3> x = moved(rest_, exp_rotation({1, 2, 3}), {});
  for (Vec3& v : x) v *= 1.3;
  const Eigen::MatrixXd k = stiffness_of(springs_, x);
  EXPECT_LT((k - differences_of_force(springs_, x, 1e-5)).norm(), 1e-8 * k.norm());
}

TEST_F(EdgeElasticityTest, StiffnessIsPositiveSemidefinite) {
  for (const double by : {0.1, 1.0, 5.0}) {
    EXPECT_GT(relative_smallest_eigenvalue(stiffness_of(springs_, shaken(rest_, by, random_))), -1e-14);
  }
  const Eigen::MatrixXd point = stiffness_of(springs_, std::vector<Vec3>(4));
  EXPECT_TRUE(point.isZero());
}

TEST_F(EdgeElasticityTest, DampersResistOnlyLengthening) {
  const std::vector<Vec3> x = shaken(rest_, 0.3, random_), v = shaken(std::vector<Vec3>(4), 1, random_);
  NodalMatrix d = matrix_for(springs_, 4);
  springs_.add_damping(x, d);
  std::vector<Vec3> force(4), rigid_force(4), rigid(4);
  springs_.add_damping_force(x, v, force);
  EXPECT_LT((to_dense(d) * stacked(v) + stacked(force)).norm(), 1e-14 * stacked(force).norm());
  double power = 0;
  for (const auto& [i, j] : edges_) {
    const Vec3 apart = x[at(j)] - x[at(i)];
    const double rate = dot(apart, v[at(j)] - v[at(i)]) / norm(apart);
    power += 0.7 * rate * rate;
  }
  EXPECT_NEAR(-stacked(v).dot(stacked(force)), power, 1e-13);
  for (std::size_t i = 0; i < 4; ++i) rigid[i] = Vec3{1, 2, 3} + cross({0.3, -1, 2}, x[i]);
  springs_.add_damping_force(x, rigid, rigid_force);
  EXPECT_LT(stacked(rigid_force).norm(), 1e-14);
}

TEST_F(EdgeElasticityTest, BadInput) {
  const std::vector<std::array<int, 2>> beyond{{0, 4}}, short_edge{{1, 1}};
  EXPECT_THROW(EdgeElasticity(rest_, beyond, material()), InputError);
  EXPECT_THROW(EdgeElasticity(rest_, short_edge, material()), InputError);
}

}  // namespace
}  // namespace uzawa
