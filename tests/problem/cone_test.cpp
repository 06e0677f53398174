#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numbers>

#include "problem/random_problem.hpp"
#include "uzawa/math/friction_cone.hpp"

namespace uzawa::test {
namespace {

FrictionCone random_cone(Random& random, int which) {
  const double mu1 = std::exp(uniform(random, -4, 3)), mu2 = std::exp(uniform(random, -4, 3));
  if (which % 4 == 0) return {0, 0};
  return which % 4 == 1 ? FrictionCone{mu1, mu2} : FrictionCone{mu1, mu1};
}

/// Distance to the nearest point of the cone's boundary with normal part m, by search over the angle.
double ellipse_distance(const FrictionCone& cone, const Vec3& s, double m) {
  const auto squared = [&](double angle) {
    return std::hypot(s.x() - cone.mu1 * m * std::cos(angle), s.y() - cone.mu2 * m * std::sin(angle));
  };
  double best = 0, width = std::numbers::pi, distance = squared(0);
  for (int pass = 0; pass < 14; ++pass) {  // each pass searches around the best of the one before, ten times finer
    const double centre = best;
    for (int i = -40; i <= 40; ++i) {
      const double angle = centre + width * i / 40;
      if (squared(angle) < distance) distance = squared(angle), best = angle;
    }
    width /= 10;
  }
  return distance;
}

bool inside(const FrictionCone& cone, const Vec3& s, double slack) {
  if (cone.mu1 == 0) return s.z() >= -slack && std::hypot(s.x(), s.y()) <= slack;
  const double size = std::hypot(s.x() / cone.mu1, s.y() / cone.mu2);
  return size <= s.z() + slack * (1 + 1 / std::min(cone.mu1, cone.mu2));
}

/// A projection onto a convex cone, by its three properties (Moreau): in the cone, orthogonal to the rest, and the rest
/// in the polar cone.
RC_GTEST_PROP(FrictionCone, ProximalIsTheEuclideanProjection, (unsigned seed)) {
  Random random(seed);
  for (int which = 0; which < 8; ++which) {
    const FrictionCone cone = random_cone(random, which);
    const Vec3 s = random_vec3(random, std::exp(uniform(random, -3, 3)));
    const Vec3 p = project_proximal(cone, s), rest = s - p;
    const double size = norm(s);
    RC_ASSERT(inside(cone, p, 1e-12 * size));
    RC_ASSERT(std::abs(dot(p, rest)) < 1e-12 * size * size);
    RC_ASSERT(sliding_power(cone, rest) + rest.z() < 1e-11 * size * (1 + cone.mu1 + cone.mu2));
  }
}

/// No point of the boundary is nearer than the projection.
RC_GTEST_PROP(FrictionCone, ProximalIsNearest, (unsigned seed)) {
  Random random(seed);
  const FrictionCone cone = random_cone(random, static_cast<int>(seed));
  const Vec3 s = random_vec3(random, 1);
  const double distance = norm(s - project_proximal(cone, s));
  for (int i = 0; i <= 60; ++i) {
    const double m = 0.1 * i;
    RC_ASSERT(distance <= std::hypot(ellipse_distance(cone, s, m), s.z() - m) + 1e-9);
  }
}

RC_GTEST_PROP(FrictionCone, StrictClampsNormalThenProjectsTangent, (unsigned seed)) {
  Random random(seed);
  const FrictionCone cone = random_cone(random, static_cast<int>(seed));
  const Vec3 s = random_vec3(random, 1);
  const Vec3 p = project_strict(cone, s);
  RC_ASSERT(p.z() == std::max(0.0, s.z()));
  RC_ASSERT(inside(cone, p, 1e-13));
  const double distance = std::hypot(s.x() - p.x(), s.y() - p.y());
  const bool within = p.z() > 0 && inside(cone, {s.x(), s.y(), p.z()}, 0);
  RC_ASSERT(std::abs(distance - (within ? 0 : ellipse_distance(cone, s, p.z()))) < 1e-9);
}

/// Flat and steep ellipses, and points far outside of small ones.
TEST(FrictionCone, StrictReachesTheEllipseFromAfar) {
  for (const double ratio : {1e-6, 1e-3, 0.5, 3.0, 1e3}) {
    for (const double n : {1e-12, 1e-6, 1.0, 1e6}) {
      const FrictionCone cone{0.5, 0.5 * ratio};
      for (const Vec3& s : {Vec3{1, 2, n}, Vec3{-3, 1e-3, n}, Vec3{1e-4, 5, n}, Vec3{0, 7, n}, Vec3{7, 0, n}}) {
        const Vec3 p = project_strict(cone, s);
        const double size = std::hypot(p.x() / cone.mu1, p.y() / cone.mu2);
        const bool within = std::hypot(s.x() / cone.mu1, s.y() / cone.mu2) <= n;
        if (within) {
          EXPECT_EQ(norm(p - s), 0);
        } else {
          EXPECT_NEAR(size / n, 1, 1e-9) << ratio << " " << n << " " << s.x() << " " << s.y();
        }
      }
    }
  }
}

double largest(const Mat3& m) { return std::max({norm(m.col[0]), norm(m.col[1]), norm(m.col[2])}); }

template <typename Project>
Mat3 numerical_derivative(const FrictionCone& cone, const Vec3& s, double step, Project project) {
  Mat3 out;
  for (int c = 0; c < 3; ++c) {
    out.col[c] = (project(cone, s + Vec3::unit(c) * step) - project(cone, s - Vec3::unit(c) * step)) * (0.5 / step);
  }
  return out;
}

/// Away from the kinks: where one-sided differences agree.
template <typename Project, typename Derivative>
void expect_derivative(const FrictionCone& cone, const Vec3& s, Project project, Derivative derivative) {
  const double step = 1e-6;
  const Mat3 exact = derivative(cone, s);
  for (int c = 0; c < 3; ++c) {
    const Mat3 ahead = derivative(cone, s + Vec3::unit(c) * step), behind = derivative(cone, s - Vec3::unit(c) * step);
    if (largest(ahead + behind * -1) > 1e-3) return;  // a kink, or curvature too strong for the step
  }
  const Mat3 numerical = numerical_derivative(cone, s, step, project);
  const double tolerance = 1e-4;  // curvature times step, and rounding over the step for steep cones
  EXPECT_LT(largest(exact + numerical * -1), tolerance)
      << "mu " << cone.mu1 << " " << cone.mu2 << " s " << s.x() << " " << s.y() << " " << s.z();
}

RC_GTEST_PROP(FrictionCone, DerivativesAgreeWithDifferences, (unsigned seed)) {
  Random random(seed);
  for (int which = 0; which < 8; ++which) {
    const FrictionCone cone = random_cone(random, which);
    const Vec3 s = random_vec3(random, 2);
    expect_derivative(cone, s, project_proximal, proximal_derivative);
    expect_derivative(cone, s, project_strict, strict_derivative);
  }
  RC_ASSERT(!::testing::Test::HasFailure());
}

/// Smooth, so differences must agree everywhere; inside the cone; and the strict operator in the limit.
RC_GTEST_PROP(FrictionCone, RoundedStrictOperatorIsSmoothAndTendsToTheStrictOne, (unsigned seed)) {
  Random random(seed);
  for (const double mu : {0.0, 0.3, 1.0, 5.0}) {
    const FrictionCone cone{mu, mu};
    const Vec3 s = random_vec3(random, 2);
    const double tau = std::exp(uniform(random, -3, 1));
    const SmoothedImpulse here = smoothed_strict(cone, s, tau);
    const Mat3 numerical = numerical_derivative(cone, s, 1e-5 * tau, [&](const FrictionCone& c, const Vec3& at) {
      return smoothed_strict(c, at, tau).impulse;
    });
    // Third derivatives are of order 1/tau^2: 1e-10 of truncation, 1e-16/1e-5/tau of rounding.
    RC_ASSERT(largest(here.slope + numerical * -1) < 1e-8);
    RC_ASSERT(here.impulse.z() > 0);
    RC_ASSERT(std::hypot(here.impulse.x(), here.impulse.y()) <= mu * here.impulse.z());
    const Vec3 nearly = smoothed_strict(cone, s, 1e-9).impulse;
    RC_ASSERT(norm(nearly - project_strict(cone, s)) < 1e-8);
  }
}

RC_GTEST_PROP(FrictionCone, ProximalDerivativeIsSymmetricBetweenZeroAndOne, (unsigned seed)) {
  Random random(seed);
  for (int which = 0; which < 8; ++which) {
    const Mat3 d = proximal_derivative(random_cone(random, which), random_vec3(random, 2));
    Eigen::Matrix3d m;
    for (int c = 0; c < 3; ++c) m.col(c) = eigen(d.col[c]);
    RC_ASSERT((m - m.transpose()).norm() < 1e-12);
    const Eigen::Vector3d values = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(m).eigenvalues();
    RC_ASSERT(values.minCoeff() > -1e-9);
    RC_ASSERT(values.maxCoeff() < 1 + 1e-9);
  }
}

TEST(FrictionCone, FrictionlessIsTheHalfLine) {
  for (const Vec3& s : {Vec3{1, 2, 3}, Vec3{1, 2, -3}, Vec3{0, 0, 0}}) {
    const Vec3 expected{0, 0, std::max(0.0, s.z())};
    EXPECT_EQ(norm(project_proximal({0, 0}, s) - expected), 0);
    EXPECT_EQ(norm(project_strict({0, 0}, s) - expected), 0);
    EXPECT_EQ(proximal_derivative({0, 0}, s)(2, 2), s.z() > 0 ? 1 : 0);
    EXPECT_EQ(strict_derivative({0, 0}, s)(2, 2), s.z() > 0 ? 1 : 0);
  }
}

/// Nearly equal coefficients must not differ from equal ones.
RC_GTEST_PROP(FrictionCone, EllipticTendsToIsotropic, (unsigned seed)) {
  Random random(seed);
  const double mu = std::exp(uniform(random, -2, 1));
  const FrictionCone round{mu, mu}, nearly{mu, mu * (1 + 1e-12)};
  const Vec3 s = random_vec3(random, 2);
  RC_ASSERT(norm(project_proximal(round, s) - project_proximal(nearly, s)) < 1e-10);
  RC_ASSERT(norm(project_strict(round, s) - project_strict(nearly, s)) < 1e-10);
}

}  // namespace
}  // namespace uzawa::test
