#include "uzawa/math/quaternion.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <random>

#include "uzawa/math/pose.hpp"

namespace uzawa {
namespace {

constexpr double kRounding = 1e-14;  // a handful of operations on numbers of size one

struct Draw {
  explicit Draw(unsigned seed) : random(seed) {}
  Vec3 vec() {
    const double x = normal(random), y = normal(random), z = normal(random);
    return {x, y, z};
  }
  Quat quat() {
    const double w = normal(random);
    return normalized({w, vec()});
  }
  std::mt19937_64 random;
  std::normal_distribution<double> normal;
};

void expect_near(const Vec3& a, const Vec3& b, double tolerance) { EXPECT_LE(norm(a - b), tolerance); }

RC_GTEST_PROP(QuaternionTest, RotatesLikeItsMatrix, (unsigned seed)) {
  Draw draw(seed);
  const Quat q = draw.quat();
  const Vec3 a = draw.vec();
  expect_near(rotate(q, a), to_matrix(q) * a, kRounding * (1 + norm(a)));
}

RC_GTEST_PROP(QuaternionTest, ProductComposesRotations, (unsigned seed)) {
  Draw draw(seed);
  const Quat p = draw.quat(), q = draw.quat();
  const Vec3 a = draw.vec();
  expect_near(rotate(p * q, a), rotate(p, rotate(q, a)), kRounding * (1 + norm(a)));
}

RC_GTEST_PROP(QuaternionTest, ComesBackFromItsMatrix, (unsigned seed)) {
  Draw draw(seed);
  const Quat q = draw.quat();
  const Quat back = to_quaternion(to_matrix(q));
  const double sign = q.w * back.w + dot(q.v, back.v) < 0 ? -1 : 1;  // q and -q are one rotation
  EXPECT_NEAR(back.w * sign, q.w, kRounding);
  expect_near(back.v * sign, q.v, kRounding);
}

RC_GTEST_PROP(QuaternionTest, LogInvertsExp, (unsigned seed)) {
  Draw draw(seed);
  Vec3 rotvec = draw.vec();
  rotvec *= std::fmod(norm(rotvec), M_PI) / norm(rotvec);  // up to half a turn
  expect_near(log_rotation(exp_rotation(rotvec)), rotvec, 1e-12);
}

TEST(QuaternionTest, ExpAndLogAreSmoothAtZero) {
  for (const double size : {0.0, 1e-300, 1e-20, 1e-9, 0.99e-4, 1.01e-4}) {
    const Vec3 rotvec = Vec3{0.6, 0, 0.8} * size;
    const Quat q = exp_rotation(rotvec);
    EXPECT_NEAR(q.w * q.w + dot(q.v, q.v), 1, 1e-15);
    expect_near(log_rotation(q), rotvec, 1e-15 + 1e-12 * size);
  }
}

TEST(QuaternionTest, HalfTurnsHaveMatricesWithEveryPivot) {
  for (int axis = 0; axis < 3; ++axis) {
    const Quat q{0, Vec3::unit(axis)};
    const Quat back = to_quaternion(to_matrix(q));
    EXPECT_NEAR(std::abs(dot(back.v, q.v)), 1, kRounding);
  }
}

TEST(QuaternionTest, ZeroNormalisesToIdentity) {
  const Quat q = normalized({0, {}});
  EXPECT_EQ(q.w, 1);
  EXPECT_EQ(norm(q.v), 0);
}

RC_GTEST_PROP(PoseTest, CompositionActsOnPoints, (unsigned seed)) {
  Draw draw(seed);
  const Vec3 pa = draw.vec(), pb = draw.vec(), point = draw.vec();
  const Pose a = Pose::from(pa, draw.quat()), b = Pose::from(pb, draw.quat());
  expect_near((a * b) * point, a * (b * point), 1e-13);
}

}  // namespace
}  // namespace uzawa
