#include "uzawa/math/spatial.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Dense>
#include <random>

namespace uzawa {
namespace {

struct Draw {
  explicit Draw(unsigned seed) : random(seed) {}
  double number() { return normal(random); }
  Vec3 vec() {
    const double x = number(), y = number(), z = number();
    return {x, y, z};
  }
  Motion motion() {
    const Vec3 w = vec();
    return {w, vec()};
  }
  Force force() {
    const Vec3 m = vec();
    return {m, vec()};
  }
  std::mt19937_64 random;
  std::normal_distribution<double> normal;
};

Eigen::Vector3d eigen(const Vec3& a) { return {a.x(), a.y(), a.z()}; }

RC_GTEST_PROP(Vec3Test, AgreesWithEigen, (unsigned seed)) {
  Draw draw(seed);
  const Vec3 a = draw.vec(), b = draw.vec();
  EXPECT_LE((eigen(cross(a, b)) - eigen(a).cross(eigen(b))).norm(), 1e-14);
  EXPECT_NEAR(dot(a, b), eigen(a).dot(eigen(b)), 1e-14);
  EXPECT_EQ(cross(a, b).lanes[3], 0);  // the fourth lane stays zero
  EXPECT_EQ(yzx(a).y(), a.z());
  EXPECT_EQ(zxy(a).y(), a.x());
}

RC_GTEST_PROP(SpatialTest, CrossProductsAreDual, (unsigned seed)) {
  // (v x m) . f + m . (v x* f) = 0: power does not change under a common motion.
  Draw draw(seed);
  const Motion v = draw.motion(), m = draw.motion();
  const Force f = draw.force();
  EXPECT_NEAR(dot(cross(v, m), f), -dot(m, cross_force(v, f)), 1e-12);
}

RC_GTEST_PROP(SpatialTest, InertiaIsThatOfItsPoints, (unsigned seed)) {
  // A cloud of point masses: momentum computed point by point is inertia times motion.
  Draw draw(seed);
  const Motion v = draw.motion();
  SpatialInertia inertia;
  Force expected;
  for (int i = 0; i < 5; ++i) {
    const double mass = std::abs(draw.number());
    const Vec3 r = draw.vec();
    inertia.add_point_mass(mass, r);
    expected += force_at(velocity_at(v, r) * mass, r);
  }
  const Force momentum = inertia * v;
  EXPECT_LE(norm(momentum.moment - expected.moment), 1e-12);
  EXPECT_LE(norm(momentum.force - expected.force), 1e-12);
}

RC_GTEST_PROP(SpatialTest, SymmetricProductAgreesWithItsMatrix, (unsigned seed)) {
  Draw draw(seed);
  const Vec3 diagonal = draw.vec(), w = draw.vec();
  const Sym3 s{diagonal, draw.vec()};
  EXPECT_LE(norm(s * w - to_matrix(s) * w), 1e-13);
  EXPECT_LE(norm(outer(w) * diagonal - w * dot(w, diagonal)), 1e-12);
}

}  // namespace
}  // namespace uzawa
