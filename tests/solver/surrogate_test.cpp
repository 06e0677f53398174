/// CANAL's surrogate: its gradient and its minimum against the merit function's definition, its steps against dense
/// algebra.
#include "uzawa/solver/canal/surrogate.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "problem/random_problem.hpp"
#include "solver/canal_parts.hpp"
#include "solver/convex_merit.hpp"
#include "solver/small_problems.hpp"
#include "support/attachments.hpp"
#include "support/dense_jacobian.hpp"

namespace uzawa {
namespace {

using Eigen::VectorXd;

VectorXd random_vector(test::Random& random, int size, double scale) {
  VectorXd out(size);
  for (double& x : out) x = test::uniform(random, -scale, scale);
  return out;
}
std::span<double> span(VectorXd& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }
std::span<const double> span(const VectorXd& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }
VectorXd vector(std::span<const double> v) {
  return Eigen::Map<const VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
}

/// A random problem of every kind of constraint, with multiplier, shift and penalty.
struct Case {
  explicit Case(unsigned seed) : random(seed), parts(test::random_problem(random)) {
    const Problem& problem = parts.problem;
    multiplier = random_vector(random, problem.rows, 1);
    shift = random_vector(random, problem.contacts.size(), 0.3).cwiseAbs();
    beta = std::pow(10, test::uniform(random, -1, 1));
  }
  LawParameters law(bool strict, double smoothing = 0) const {
    return {beta, span(multiplier), strict ? std::span<const double>{} : span(shift), strict, smoothing};
  }
  VectorXd start() { return random_vector(random, parts.problem.n(), 1); }
  /// lambda(v), as the surrogate says without a step.
  VectorXd impulse(const LawParameters& parameters, VectorXd v) {
    parts.surrogate.solve_convex(parts.problem, parameters, 0, 0, span(v));
    return vector(parts.surrogate.impulse());
  }

  test::Random random;
  test::CanalParts parts;
  VectorXd multiplier, shift;
  double beta = 1;
};

constexpr unsigned kCases = 20;
/// The line search is content with a slope of a tenth of the first (slope_root.hpp).
constexpr double kLooseSlope = 0.1;

/// r = A v - b - J^T lambda(v), dense but for lambda.
VectorXd residual(Case& at, const LawParameters& law, const VectorXd& v) {
  const Problem& problem = at.parts.problem;
  return test::dense_a(problem) * v - vector(problem.b) -
         test::dense_jacobian(problem).transpose() * at.impulse(law, v);
}

/// d = -(dr/dv)^-1 r with dr/dv by central differences.
VectorXd newton_direction(Case& at, const LawParameters& law, const VectorXd& v) {
  constexpr double kStep = 1e-6;
  Eigen::MatrixXd h(v.size(), v.size());
  for (Eigen::Index i = 0; i < v.size(); ++i) {
    const VectorXd step = VectorXd::Unit(v.size(), i) * kStep;
    h.block(0, i, v.size(), 1) = (residual(at, law, v + step) - residual(at, law, v - step)) / (2 * kStep);
  }
  return -h.partialPivLu().solve(residual(at, law, v));
}

TEST(SurrogateTest, ResidualIsTheGradientOfTheMerit) {
  for (unsigned seed = 0; seed < kCases; ++seed) {
    Case at(seed);
    const LawParameters law = at.law(false);
    const test::ConvexMerit merit(at.parts.problem, law);
    for (int i = 0; i < 3; ++i) {
      const VectorXd v = at.start();
      EXPECT_LE((residual(at, law, v) - merit.gradient(v)).cwiseAbs().maxCoeff(), merit.error()) << seed;
    }
  }
}

/// At the minimum of a function whose curvature is at least A, any step d costs d^T A d/2 or more.
TEST(SurrogateTest, SolutionIsTheMinimum) {
  for (unsigned seed = 0; seed < kCases; ++seed) {
    Case at(seed);
    const LawParameters law = at.law(false);
    const test::ConvexMerit merit(at.parts.problem, law);
    VectorXd v = at.start();
    ASSERT_TRUE(at.parts.surrogate.solve_convex(at.parts.problem, law, 1e-12, 100, span(v)).solved) << seed;
    const double least = merit(v), rounding = 1e-9 * (1 + std::abs(least));
    for (int i = 0; i < 50; ++i) {
      const VectorXd d = random_vector(at.random, at.parts.problem.n(), std::pow(10, -i % 4));
      EXPECT_GE(merit(v + d), least + d.dot(merit.a() * d) / 2 - rounding) << seed;
    }
    EXPECT_LE((vector(at.parts.surrogate.constraint_velocity()) - merit.jacobian() * v).norm(), 1e-12 * (1 + v.norm()));
  }
}

/// The step goes along Newton's direction, and to where the merit falls no further along it.
TEST(SurrogateTest, ConvexStepIsNewtonsWithExactLineSearch) {
  for (unsigned seed = 0; seed < kCases; ++seed) {
    Case at(seed);
    const LawParameters law = at.law(false);
    const test::ConvexMerit merit(at.parts.problem, law);
    const VectorXd from = at.start();
    VectorXd v = from;
    const InnerOutcome outcome = at.parts.surrogate.solve_convex(at.parts.problem, law, 1e-12, 1, span(v));
    ASSERT_EQ(outcome.steps, 1);
    ASSERT_EQ(outcome.factorizations, 1);
    const VectorXd step = v - from, direction = newton_direction(at, law, from);
    const double alpha = step.dot(direction) / direction.squaredNorm();
    EXPECT_GT(alpha, 0) << seed;
    EXPECT_LE((step - alpha * direction).norm(), 1e-6 * step.norm()) << seed;
    const double before = residual(at, law, from).dot(step), after = residual(at, law, v).dot(step);
    EXPECT_LE(std::abs(after), kLooseSlope * std::abs(before)) << seed;
    EXPECT_LT(merit(v), merit(from)) << seed;
  }
}

/// Equalities and soft rows have no corners: the surrogate is linear in v.
TEST(SurrogateTest, OneStepSolvesALinearProblem) {
  test::Random random(5);
  Problem problem;
  problem.add_body(test::random_inertia(random), {1, 2, 3, 4, 5, 6});
  problem.add_body(test::random_inertia(random), {-1, 0, 2, 0, 1, 0});
  const auto bolt = [&](int axis) {
    return test::point_on(axis % 2, test::random_vec3(random), test::random_frame(random), 1);
  };
  for (int i = 0; i < 4; ++i) problem.add_equality(0.1 * i, {bolt(i)});
  constexpr double kStiffness = 3, kDamping = 2, kError = 0.2, kBeta = 7;
  problem.add_soft(kError, kStiffness, kDamping, {bolt(0), bolt(1)});
  test::CanalParts parts(problem);
  const VectorXd multiplier = random_vector(random, problem.rows, 1);
  const LawParameters law{kBeta, span(multiplier), {}, false};
  VectorXd v = random_vector(random, problem.n(), 1);
  const InnerOutcome outcome = parts.surrogate.solve_convex(problem, law, 1e-12, 10, span(v));
  EXPECT_TRUE(outcome.solved);
  EXPECT_EQ(outcome.steps, 1);

  // Equalities: lambda = m - beta (J v + e). The soft row: lambda = -k e - b z with z = J v + (lambda - m)/beta.
  const Eigen::MatrixXd j = test::dense_jacobian(problem);
  VectorXd weight = VectorXd::Constant(problem.rows, kBeta), constant(problem.rows);
  for (int i = 0; i < 4; ++i) constant[i] = multiplier[i] - kBeta * 0.1 * i;
  weight[4] = kDamping * kBeta / (kDamping + kBeta);
  constant[4] = (kDamping * multiplier[4] - kBeta * kStiffness * kError) / (kDamping + kBeta);
  const Eigen::MatrixXd h = test::dense_a(problem) + j.transpose() * weight.asDiagonal() * j;
  const VectorXd expected = h.ldlt().solve(vector(problem.b) + j.transpose() * constant);
  EXPECT_LE((v - expected).norm(), 1e-11 * expected.norm());
}

}  // namespace
}  // namespace uzawa
