#include "uzawa/elastic/polar.hpp"

#include <gtest/gtest.h>

#include <Eigen/SVD>

#include "elastic/elastic_support.hpp"

namespace uzawa {
namespace {

Eigen::Matrix3d to_eigen(const Mat3& m) {
  Eigen::Matrix3d out;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) out(i, j) = m(i, j);
  }
  return out;
}

Mat3 any_rotation(std::mt19937& random) { return to_matrix(exp_rotation(3 * any_vector(random))); }

/// left * diag * right^T with rotations drawn at random.
Mat3 with_singular_values(const Vec3& sigma, std::mt19937& random) {
  const Mat3 left = any_rotation(random), right = any_rotation(random);
  return left * (Mat3{{{sigma.x(), 0, 0}, {0, sigma.y(), 0}, {0, 0, sigma.z()}}} * transpose(right));
}

/// The largest tr(R^T F) over rotations: the sum of the singular values, the smallest negative if F is inverted.
double largest_trace(const Eigen::Matrix3d& f) {
  const Eigen::Vector3d sigma = Eigen::JacobiSVD<Eigen::Matrix3d>(f).singularValues();
  return sigma[0] + sigma[1] + (f.determinant() < 0 ? -sigma[2] : sigma[2]);
}

void expect_nearest_rotation(const Mat3& f, double tolerance) {
  const Eigen::Matrix3d r = to_eigen(nearest_rotation(f)), of = to_eigen(f);
  const double size = std::max(of.norm(), 1e-300);
  EXPECT_LT((r.transpose() * r - Eigen::Matrix3d::Identity()).norm(), tolerance);
  EXPECT_NEAR(r.determinant(), 1, tolerance);
  EXPECT_NEAR((r.transpose() * of).trace() / size, largest_trace(of) / size, tolerance);
  const Eigen::Matrix3d s = r.transpose() * of;
  EXPECT_LT((s - s.transpose()).norm() / size, tolerance);
}

TEST(PolarTest, AnyMatrixFlatOrInverted) {
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    expect_nearest_rotation({{any_vector(random), any_vector(random), any_vector(random)}}, 2e-14);
    for (const double small : {1e-2, 1e-5, 1e-9, 0.0, -1e-9, -1e-5, -1e-2, -0.5}) {
      expect_nearest_rotation(with_singular_values({1, 0.8, small}, random), 2e-14);
    }
  }
}

TEST(PolarTest, CollapsedToALineOrAPointOrNotUnique) {
  std::mt19937 random(2);
  expect_nearest_rotation(Mat3{}, 1e-14);
  for (int i = 0; i < 200; ++i) {
    expect_nearest_rotation(with_singular_values({1, 0, 0}, random), 2e-14);
    expect_nearest_rotation(with_singular_values({1, 1e-7, 1e-9}, random), 2e-14);
    expect_nearest_rotation(with_singular_values({1, 0.3, -0.3}, random), 2e-14);
    expect_nearest_rotation(with_singular_values({1, 0.3, -0.3 + 1e-6}, random), 2e-14);
    expect_nearest_rotation(with_singular_values({1, 1, -1}, random), 2e-14);
    expect_nearest_rotation(with_singular_values({1e-120, 1e-121, 2e-120}, random), 2e-14);
    expect_nearest_rotation(with_singular_values({1e90, 1e80, -1e70}, random), 2e-14);
  }
}

TEST(PolarTest, RotationsAreTheirOwn) {
  std::mt19937 random(3);
  for (int i = 0; i < 1000; ++i) {
    const Mat3 r = any_rotation(random);
    EXPECT_LT((to_eigen(nearest_rotation(r * 2.5)) - to_eigen(r)).norm(), 2e-15);
  }
}

}  // namespace
}  // namespace uzawa
