#include "uzawa/elastic/rod_elasticity.hpp"

#include <gtest/gtest.h>

#include "elastic/rod_support.hpp"
#include "uzawa/base/error.hpp"

namespace uzawa {
namespace {

class RodElasticityTest : public ::testing::Test {
 protected:
  RodElasticityTest() {
    std::vector<RodJoint> joints;
    for (int j = 0; j < 3; ++j) {
      joints.push_back({.first = j,
                        .second = j + 1,
                        .first_anchor = {0.01, 0.02, 0.5},
                        .second_anchor = {-0.03, 0, -0.4},
                        .relative_orientation = exp_rotation({0.2, -0.1, 0.3}),
                        .stiffness = {50, 70, 200},
                        .angular_stiffness = {3, 2, 1.5}});
    }
    links_.push_back({});
    for (const RodJoint& joint : joints) {
      const Mat3 rotation = links_.back().rotation * to_matrix(joint.relative_orientation);
      links_.push_back({rotation, links_.back() * joint.first_anchor - rotation * joint.second_anchor});
    }
    rod_ = RodElasticity(4, joints);
  }

  std::vector<Pose> shaken_links(double by) {
    std::vector<Pose> out = links_;
    for (Pose& link : out) {
      link.position += by * any_vector(random_);
      link.rotation = to_matrix(exp_rotation(by * any_vector(random_))) * link.rotation;
    }
    return out;
  }
  Eigen::MatrixXd stiffness(const std::vector<Pose>& links) {
    NodalMatrix k = matrix_for(rod_, 8);
    std::vector<Vec3> force(8);
    rod_.evaluate(links, force, k);
    EXPECT_EQ(stacked(force), stacked(forces_of(rod_, links, 8)));
    return to_dense(k);
  }

  RodElasticity rod_;
  std::vector<Pose> links_;
  std::mt19937 random_{3};
};

TEST_F(RodElasticityTest, ForcesAreTheGradientOfTheEnergy) {
  for (const double by : {0.1, 0.5, 1.0}) {
    const std::vector<Pose> links = shaken_links(by);
    const Eigen::VectorXd force = stacked(forces_of(rod_, links, 8));
    Eigen::VectorXd differences(24);
    for (int i = 0; i < 24; ++i) {
      std::vector<Pose> up = links, down = links;
      nudge(up, i, 1e-6);
      nudge(down, i, -1e-6);
      differences[i] = -(rod_.energy(up) - rod_.energy(down)) / 2e-6;
    }
    EXPECT_LT((force - differences).norm(), 1e-8 * force.norm()) << by;
  }
}

TEST_F(RodElasticityTest, StiffnessAtRestIsTheSecondDerivative) {
  RodInBalance rod{rod_, links_, 0, false, {}};
  const Eigen::MatrixXd k = stiffness(links_);
  EXPECT_LT((k - rod.second_derivative()).norm(), 1e-8 * k.norm());
  const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(k).eigenvalues();
  EXPECT_LT(values.head(6).cwiseAbs().maxCoeff(), 1e-14 * values[23]);
  EXPECT_GT(values[6], 1e-5 * values[23]);
}

/// What the stiffness of a pulled rod leaves out is of the order of the strain.
TEST_F(RodElasticityTest, StiffnessUnderTensionIsRightToTheFirstOrder) {
  for (const double strain : {1e-3, 1e-4}) {
    RodInBalance rod = cantilever(6, {}, 1.0 / strain, 0.8, 0.4 / strain);
    const double pull = 1;
    for (int k = 0; k < 6; ++k) rod.links[at(k) + 1].position += Vec3{0, 0, (k + 0.5) * pull * strain / 6};
    NodalMatrix k = matrix_for(rod.rod, 14);
    std::vector<Vec3> force(14);
    rod.rod.evaluate(rod.links, force, k);
    EXPECT_NEAR(force[12].z(), -pull, 1e-9);
    rod.held = 0;
    const Eigen::MatrixXd error = to_dense(k) - rod.second_derivative();
    EXPECT_LT(error.norm(), 3 * strain * pull);
    EXPECT_GT(to_dense(k)(6 * 3 + 3, 6 * 3 + 3), pull / 6 + 12);  // bending on both sides, and the pull
  }
}

TEST_F(RodElasticityTest, StiffnessIsPositiveSemidefinite) {
  for (int i = 0; i < 100; ++i) {
    for (const double by : {0.05, 0.5, 3.0}) {
      const Eigen::MatrixXd k = stiffness(shaken_links(by));
      ASSERT_TRUE(k.allFinite());
      EXPECT_LT((k - k.transpose()).norm(), 1e-14 * k.norm());
      EXPECT_GT(relative_smallest_eigenvalue(k), -1e-14);
    }
  }
}

TEST_F(RodElasticityTest, RigidMotionsCostNothing) {
  for (int i = 0; i < 20; ++i) {
    const Pose motion = Pose::from(any_vector(random_), exp_rotation(4 * any_vector(random_)));
    std::vector<Pose> links = links_;
    for (Pose& link : links) link = motion * link;
    EXPECT_LT(stacked(forces_of(rod_, links, 8)).norm(), 1e-12);
    EXPECT_LT(rod_.energy(links), 1e-25);
  }
}

TEST_F(RodElasticityTest, ForcesKeepMomentum) {
  for (int i = 0; i < 20; ++i) {
    const std::vector<Pose> links = shaken_links(1.0);
    const auto force = forces_of(rod_, links, 8);
    Vec3 sum, moment;
    for (std::size_t k = 0; k < 4; ++k) {
      sum += force[2 * k];
      moment += cross(links[k].position, force[2 * k]) + force[2 * k + 1];
    }
    EXPECT_LT(norm(sum), 1e-13 * stacked(force).norm());
    EXPECT_LT(norm(moment), 1e-13 * stacked(force).norm());
  }
}

/// A joint bent or twisted by up to half a turn has the moment of its angle.
TEST_F(RodElasticityTest, LargeAngles) {
  const RodElasticity rod(2, {{.first = 0,
                               .second = 1,
                               .first_anchor = {},
                               .second_anchor = {},
                               .relative_orientation = {},
                               .stiffness = {1, 1, 1},
                               .angular_stiffness = {5, 5, 3}}});
  for (const double angle : {0.5, 2.0, 3.1}) {
    const std::vector<Pose> bent{{}, Pose::from({}, exp_rotation({angle, 0, 0}))};
    const std::vector<Pose> twisted{{}, Pose::from({}, exp_rotation({0, 0, angle}))};
    EXPECT_NEAR(forces_of(rod, bent, 4)[1].x(), 5 * angle, 1e-13);
    EXPECT_NEAR(forces_of(rod, twisted, 4)[3].z(), -3 * angle, 1e-13);
  }
}

TEST_F(RodElasticityTest, StiffnessOfARoundRod) {
  const RodStiffness s = rod_stiffness(2e9, shear_modulus(2e9, 0.3), 0.01, 0.5);
  EXPECT_NEAR(s.stiffness.z(), 2e9 * M_PI * 1e-4 / 0.5, 1e-6);
  EXPECT_NEAR(s.stiffness.x(), 2e9 / 2.6 * M_PI * 1e-4 / 0.5 * 7.8 / 8.8, 1e-6);
  EXPECT_NEAR(s.angular_stiffness.y(), 2e9 * M_PI / 4 * 1e-8 / 0.5, 1e-9);
  EXPECT_NEAR(s.angular_stiffness.z(), 2e9 / 2.6 * M_PI / 2 * 1e-8 / 0.5, 1e-9);
}

TEST_F(RodElasticityTest, BadInput) {
  RodJoint good{.first = 0,
                .second = 1,
                .first_anchor = {},
                .second_anchor = {},
                .relative_orientation = {},
                .stiffness = {1, 1, 1},
                .angular_stiffness = {1, 1, 1}};
  EXPECT_NO_THROW(RodElasticity(2, {good}));
  RodJoint bad = good;
  bad.second = 2;
  EXPECT_THROW(RodElasticity(2, {bad}), InputError);
  bad.second = 0;
  EXPECT_THROW(RodElasticity(2, {bad}), InputError);
  bad = good;
  bad.stiffness = {1, -1, 1};
  EXPECT_THROW(RodElasticity(2, {bad}), InputError);
}

}  // namespace
}  // namespace uzawa
