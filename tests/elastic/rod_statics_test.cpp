#include <gtest/gtest.h>

#include "elastic/rod_support.hpp"

namespace uzawa {
namespace {

const Quat kAlongX = exp_rotation({0, M_PI / 2, 0});

/// Deflection and approach of the tip of a cantilever of length 1 and E I = 1.
Vec3 elastica(int links, double load) {
  RodInBalance rod = cantilever(links, kAlongX);
  for (const double share : {0.25, 0.5, 1.0}) {
    rod.loads = tip_load({0, 0, -load * share}, links);
    EXPECT_TRUE(rod.balance(1e-6)) << load;
  }
  const Vec3 tip = tip_of(rod);
  return {1 - tip.x(), tip.y(), -tip.z()};
}

/// Tip load P, alpha = P L^2/EI: deflection and approach of the tip over the length (elliptic integrals).
TEST(RodStaticsTest, ElasticaWithATipLoad) {
  struct Case {
    double alpha, deflection, approach;
  };
  for (const Case& c :
       {Case{1, 0.30172, 0.05643}, Case{2, 0.49346, 0.16064}, Case{5, 0.71379, 0.38763}, Case{10, 0.81061, 0.55500}}) {
    const Vec3 tip = elastica(20, c.alpha);
    EXPECT_NEAR(tip.z(), c.deflection, 0.005 * c.deflection) << c.alpha;
    EXPECT_NEAR(tip.x(), c.approach, 0.005 * c.approach) << c.alpha;
    EXPECT_NEAR(tip.y(), 0, 1e-8);
  }
}

TEST(RodStaticsTest, SecondOrderInTheLengthOfTheLinks) {
  const double coarse = elastica(6, 5).z() - 0.71379, fine = elastica(12, 5).z() - 0.71379;
  EXPECT_NEAR(coarse / fine, 4, 0.3);
}

/// Own weight q per length, Gamma = q L^3/EI: droop of the tip over its reach.
TEST(RodStaticsTest, HeavyCantilever) {
  struct Case {
    double gamma, droop_over_reach;
  };
  RodInBalance rod = cantilever(120, kAlongX);
  for (const Case& c : {Case{1, 0.12456}, Case{4, 0}, Case{10, 1.0668}, Case{30, 0}, Case{100, 5.8881}, Case{300, 0},
                        Case{1000, 21.335}}) {
    rod.loads = weight({0, 0, -c.gamma / 120});
    ASSERT_TRUE(rod.balance(1e-5)) << c.gamma;
    const Vec3 tip = tip_of(rod);
    if (c.droop_over_reach > 0) {
      EXPECT_NEAR(-tip.z() / tip.x(), c.droop_over_reach, 0.01 * c.droop_over_reach) << c.gamma;
    }
  }
}

/// A column buckles under its own weight at q L^3/EI = 7.837 (Greenhill).
TEST(RodStaticsTest, GreenhillsColumn) {
  for (const double share : {0.97, 1.03}) {
    RodInBalance rod = cantilever(24, {}, 1e5, 0.8, 1e5);
    rod.loads = weight({0, 0, -7.837 * share / 24});
    ASSERT_TRUE(rod.balance(1e-8));
    const Eigen::MatrixXd k = rod.second_derivative();
    const double least = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(0.5 * (k + k.transpose())).eigenvalues()[0];
    if (share < 1) {
      EXPECT_GT(least, 1e-4);
    } else {
      EXPECT_LT(least, -1e-4);
    }
  }
}

/// Number of directions in which a ring of E I = G J = 1 and radius 1 that is twisted by `twist` has negative
/// curvature.
int unstable_modes(double twist) {
  const int n = 36;
  const double l = 2 * std::tan(M_PI / n), hard = 1e4, each = twist / n;
  RodInBalance ring;
  ring.closed = true;
  std::vector<RodJoint> joints;
  for (int k = 0; k < n; ++k) {
    // In the plane of y and z, turned about x.
    const Quat bend = exp_rotation({-k * 2 * M_PI / n, 0, 0}), spin = exp_rotation({0, 0, k * each});
    ring.links.push_back({to_matrix(bend * spin), rotate(bend, {0, 1, 0})});
    const Quat cut = k == n - 1 ? exp_rotation({0, 0, -n * each}) : Quat{};
    joints.push_back({.first = k,
                      .second = (k + 1) % n,
                      .first_anchor = {0, 0, l / 2},
                      .second_anchor = {0, 0, -l / 2},
                      .relative_orientation = cut,
                      .stiffness = Vec3{1, 1, 1} * (hard / l),
                      .angular_stiffness = Vec3{1, 1, 1} * (1 / l)});
  }
  ring.rod = RodElasticity(n, joints);
  EXPECT_TRUE(ring.balance(1e-8)) << twist;
  const Eigen::MatrixXd k = ring.second_derivative();
  const Eigen::VectorXd values =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(0.5 * (k + k.transpose())).eigenvalues();
  return static_cast<int>((values.array() < -1e-4).count());
}

/// A ring of a straight rod leaves its plane at a twist of 2 pi sqrt(3) EI/GJ (Michell), in two modes alike.
TEST(RodStaticsTest, MichellsRing) {
  const double critical = 2 * M_PI * std::sqrt(3.0);
  EXPECT_EQ(unstable_modes(0.97 * critical), 0);
  EXPECT_EQ(unstable_modes(1.03 * critical), 2);
}

}  // namespace
}  // namespace uzawa
