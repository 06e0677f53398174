#include "uzawa/elastic/tet_elasticity.hpp"

#include <gtest/gtest.h>

#include "elastic/elastic_support.hpp"
#include "uzawa/base/error.hpp"

namespace uzawa {
namespace {

constexpr double kYoung = 2e5;

SoftMaterial material_of(SolidLaw law, bool averaged, double poisson = 0.4) {
  SoftMaterial out;
  out.young = kYoung;
  out.poisson = poisson;
  out.law = law;
  out.averaged_dilatation = averaged;
  return out;
}

class TetElasticityTest : public ::testing::TestWithParam<std::pair<SolidLaw, bool>> {
 protected:
  SoftMaterial material_ = material_of(GetParam().first, GetParam().second);
  TetMesh box_ = box_of_tets(2, 1, 1, 0.1);
  TetElasticity solid_{box_.nodes, box_.tets, material_};
  std::mt19937 random_{7};

  double force_scale() const { return kYoung * 0.1 * 0.1; }
};

TEST_P(TetElasticityTest, ForcesAreTheGradientOfTheEnergy) {
  for (const double by : {0.005, 0.03, 0.1}) {  // the last inverts elements
    const std::vector<Vec3> x = shaken(box_.nodes, by, random_);
    const Eigen::VectorXd force = stacked(forces_of(solid_, x, x.size()));
    EXPECT_LT((force - differences_of_energy(solid_, x, 1e-6)).norm(), 1e-7 * force.norm()) << by;
  }
}

TEST_P(TetElasticityTest, StiffnessAtRestIsTheSecondDerivative) {
  const std::vector<Vec3> x = moved(box_.nodes, exp_rotation({0.5, -1, 2}), {1, 2, 3});
  const Eigen::MatrixXd k = stiffness_of(solid_, x);
  EXPECT_LT((k - differences_of_force(solid_, x, 1e-6)).norm(), 1e-7 * k.norm());
  // Six rigid modes and no more.
  const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(k).eigenvalues();
  EXPECT_LT(values.head(6).cwiseAbs().maxCoeff(), 1e-13 * values[values.size() - 1]);
  EXPECT_GT(values[6], 1e-4 * values[values.size() - 1]);
}

TEST_P(TetElasticityTest, StiffnessIsPositiveSemidefiniteForEveryShape) {
  for (int i = 0; i < 20; ++i) {
    for (const double by : {0.02, 0.1, 0.5}) {
      EXPECT_GT(relative_smallest_eigenvalue(stiffness_of(solid_, shaken(box_.nodes, by, random_))), -1e-13);
    }
  }
  std::vector<Vec3> flat = box_.nodes, line = box_.nodes, inside_out = box_.nodes;
  for (Vec3& v : flat) v.set(1, 0);
  for (Vec3& v : line) v = {v.x(), 0, 0};
  for (Vec3& v : inside_out) v.set(0, -v.x());
  const std::vector<Vec3> point(box_.nodes.size());
  for (const auto& x : {flat, line, inside_out, point}) {
    const Eigen::MatrixXd k = stiffness_of(solid_, x);
    ASSERT_TRUE(k.allFinite());
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(k).eigenvalues()[0], -1e-12 * kYoung * 0.1);
    EXPECT_TRUE(stacked(forces_of(solid_, x, x.size())).allFinite());
    EXPECT_GT(solid_.energy(x), 0);
  }
}

TEST_P(TetElasticityTest, RigidMotionsCostNothing) {
  for (int i = 0; i < 20; ++i) {
    const std::vector<Vec3> x = moved(box_.nodes, exp_rotation(4 * any_vector(random_)), any_vector(random_));
    EXPECT_LT(stacked(forces_of(solid_, x, x.size())).norm(), 1e-12 * force_scale());
    EXPECT_LT(std::abs(solid_.energy(x)), 1e-12 * force_scale() * 0.1);
  }
}

TEST_P(TetElasticityTest, MotionOfTheWholeTurnsTheForces) {
  const std::vector<Vec3> x = shaken(box_.nodes, 0.03, random_);
  const Quat turn = exp_rotation({1, -2, 0.5});
  const auto before = forces_of(solid_, x, x.size());
  const auto after = forces_of(solid_, moved(x, turn, {0.3, 0.1, -0.2}), x.size());
  EXPECT_LT((stacked(moved(before, turn, {})) - stacked(after)).norm(), 1e-12 * force_scale());
}

TEST_P(TetElasticityTest, ForcesKeepMomentum) {
  const std::vector<Vec3> x = shaken(box_.nodes, 0.1, random_);
  const auto force = forces_of(solid_, x, x.size());
  Vec3 sum, moment;
  for (std::size_t i = 0; i < x.size(); ++i) sum += force[i], moment += cross(x[i], force[i]);
  EXPECT_LT(norm(sum), 1e-13 * stacked(force).norm());
  EXPECT_LT(norm(moment), 1e-13 * stacked(force).norm() * 0.2);
}

/// A linear displacement field gives the same stress everywhere: no force on the node inside.
TEST_P(TetElasticityTest, PatchTest) {
  TetMesh box = box_of_tets(2, 2, 2, 0.1);
  box.nodes[13] += Vec3{0.02, -0.03, 0.01};
  TetElasticity solid(box.nodes, box.tets, material_);
  const Mat3 f{{{1.1, 0.1, 0}, {0.02, 0.9, -0.05}, {0, 0.03, 1.05}}};
  std::vector<Vec3> x = box.nodes;
  for (Vec3& v : x) v = f * v;
  EXPECT_LT(norm(forces_of(solid, x, x.size())[13]), 1e-12 * force_scale());
}

/// sigma = E eps: the faces of a bar that is stretched and narrowed by Poisson's ratio are free of stress.
TEST_P(TetElasticityTest, AxialBar) {
  const double strain = 1e-7;
  std::vector<Vec3> x = box_.nodes;
  for (Vec3& v : x) v = {v.x() * (1 + strain), v.y() * (1 - 0.4 * strain), v.z() * (1 - 0.4 * strain)};
  const auto force = forces_of(solid_, x, x.size());
  Vec3 end;
  double sidewards = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (box_.nodes[i].x() > 0.15) end += force[i];
    sidewards = std::max({sidewards, std::abs(force[i].y()), std::abs(force[i].z())});
  }
  const double expected = kYoung * strain * 0.1 * 0.1;
  EXPECT_NEAR(end.x(), -expected, 1e-6 * expected);
  EXPECT_LT(sidewards, 1e-6 * expected);
}

TEST_P(TetElasticityTest, EvaluateAddsTheForcesAndScalesTheStiffness) {
  const std::vector<Vec3> x = shaken(box_.nodes, 0.03, random_);
  NodalMatrix once = matrix_for(solid_, 12), twice = once;
  std::vector<Vec3> force(12), same(12);
  solid_.evaluate(x, force, once);
  solid_.evaluate(x, same, twice, 2);
  EXPECT_EQ(stacked(force), stacked(forces_of(solid_, x, 12)));
  EXPECT_LT((to_dense(twice) - 2 * to_dense(once)).norm(), 1e-14 * to_dense(twice).norm());
}

/// A system that orders nodes otherwise and does not know pinned ones gets the same blocks.
TEST_P(TetElasticityTest, PlacesOfAnotherOrder) {
  const std::vector<Vec3> x = shaken(box_.nodes, 0.03, random_);
  const Eigen::MatrixXd k = stiffness_of(solid_, x);
  const std::vector<int> node_of{-1, 3, 9, -1, 0, 7, 2, 1, 8, 6, 4, 5};
  std::vector<std::pair<int, int>> couples;
  for (const auto& [i, j] : solid_.couples()) {
    if (node_of[at(i)] >= 0 && node_of[at(j)] >= 0) couples.emplace_back(node_of[at(i)], node_of[at(j)]);
  }
  NodalMatrix other(std::make_shared<const NodalPattern>(make_nodal_pattern(10, couples)));
  solid_.place(node_of, *other.pattern);
  std::vector<Vec3> force(12);
  solid_.evaluate(x, force, other);
  const Eigen::MatrixXd dense = to_dense(other);
  for (int i = 0; i < 12; ++i) {
    for (int j = 0; j < 12; ++j) {
      if (node_of[at(i)] < 0 || node_of[at(j)] < 0) continue;
      const double difference =
          (dense.block<3, 3>(3 * node_of[at(i)], 3 * node_of[at(j)]) - k.block<3, 3>(3 * i, 3 * j)).norm();
      EXPECT_LT(difference, 1e-13 * k.norm());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Laws, TetElasticityTest,
                         ::testing::Values(std::pair{SolidLaw::Corotational, false},
                                           std::pair{SolidLaw::Corotational, true},
                                           std::pair{SolidLaw::NeoHookean, false},
                                           std::pair{SolidLaw::NeoHookean, true}));

/// Where no curvature is negative, nothing is left out of the neo-Hookean stiffness.
TEST(TetLawTest, NeoHookeanStiffnessOfAStretchedBoxIsTheSecondDerivative) {
  const TetMesh box = box_of_tets(1, 1, 1, 0.1);
  TetElasticity solid(box.nodes, box.tets, material_of(SolidLaw::NeoHookean, false));
  std::vector<Vec3> x = box.nodes;
  for (Vec3& v : x) v = {1.03 * v.x() + 0.005 * v.y(), 1.02 * v.y(), 1.01 * v.z()};
  const Eigen::MatrixXd k = stiffness_of(solid, x), true_k = differences_of_force(solid, x, 1e-6);
  ASSERT_GT(relative_smallest_eigenvalue(true_k), -1e-8);
  EXPECT_LT((k - true_k).norm(), 1e-7 * k.norm());
}

TEST(TetLawTest, BadInput) {
  const TetMesh box = box_of_tets(1, 1, 1, 0.1);
  const SoftMaterial good;
  const std::vector<std::array<int, 4>> inverted{{0, 1, 2, 4}}, none{{0, 1, 2, 8}}, flat{{0, 1, 2, 3}};
  EXPECT_NO_THROW(TetElasticity(box.nodes, box.tets, good));
  for (const auto& tets : {inverted, none, flat}) EXPECT_THROW(TetElasticity(box.nodes, tets, good), InputError);
  SoftMaterial bad = good;
  bad.poisson = 0.5;
  EXPECT_THROW(TetElasticity(box.nodes, box.tets, bad), InputError);
  TetElasticity solid(box.nodes, box.tets, good);
  const NodalPattern pattern = make_nodal_pattern(8, solid.couples());
  EXPECT_THROW(solid.place(std::vector<int>{0, 1, 2, 3, 4, 5, 6, 6}, pattern), InputError);
}

}  // namespace
}  // namespace uzawa
