#include "uzawa/problem/judge.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "problem/random_problem.hpp"

namespace uzawa::test {
namespace {

constexpr double kExact = 1e-14;

/// A mass point that would move with `velocity`, and its only constraint: on all three directions, or on the first.
class MassPoint {
 public:
  MassPoint(double mass, const Vec3& velocity) : mass_(mass) {
    problem_.add_sparse({sparse(mass * Eigen::MatrixXd::Identity(3, 3))},
                        {mass * velocity.x(), mass * velocity.y(), mass * velocity.z()});
  }
  std::vector<Attachment> rows(int dims) {
    return {problem_.explicit_rows(0, sparse(Eigen::MatrixXd::Identity(dims, 3)))};
  }
  Problem& problem() { return problem_; }
  double mass() const { return mass_; }
  Verdict judge(const std::vector<double>& lambda) {
    const PreparedProblem prepared(problem_);
    Judge judge;
    return judge.evaluate(prepared, lambda);
  }

 private:
  Problem problem_;
  double mass_;
};

void expect_solved(const Verdict& verdict) {
  EXPECT_LT(verdict.residual, kExact);
  EXPECT_LT(verdict.penetration, kExact);
  EXPECT_LT(verdict.cone_violation, kExact);
  EXPECT_LT(verdict.complementarity, kExact);
  EXPECT_LT(verdict.dissipation, kExact);
  EXPECT_LT(verdict.fischer_burmeister, 2 * kExact);
  EXPECT_LT(verdict.siconos, kExact);
}

TEST(Judge, ContactThatSticks) {
  MassPoint point(2, {0.1, -0.2, -1});
  point.problem().add_contact({0.5, 0.5}, {}, point.rows(3));
  expect_solved(point.judge({-0.2, 0.4, 2}));

  // Too much normal impulse: the point leaves at delta / m, so that is what all measures of one contact say.
  const double delta = 0.01, speed = delta / 2;
  const Verdict verdict = point.judge({-0.2, 0.4, 2 + delta});
  EXPECT_NEAR(verdict.residual, speed, kExact);
  EXPECT_NEAR(verdict.worst, speed, kExact);
  EXPECT_EQ(verdict.penetration, 0);
  EXPECT_NEAR(verdict.complementarity, (2 + delta) * speed, kExact);
  EXPECT_NEAR(verdict.residual_by_kind[0], speed, kExact);
  EXPECT_EQ(verdict.worst_name(point.problem()), "contact constraint 0");
  // Too little: it still sinks.
  EXPECT_NEAR(point.judge({-0.2, 0.4, 2 - delta}).penetration, speed, kExact);
}

TEST(Judge, ListsWhatIsNotSolved) {
  // Two points with a contact each; the second one has 0.01 N s too much, which moves 2 kg at 5 mm/s.
  Problem problem;
  for (int i = 0; i < 2; ++i) {
    const int block = problem.add_sparse({sparse(2 * Eigen::MatrixXd::Identity(3, 3))}, {0, 0, -2});
    problem.add_contact({0.5, 0.5}, {}, {problem.explicit_rows(block, sparse(Eigen::MatrixXd::Identity(3, 3)))});
  }
  const PreparedProblem prepared(problem);
  Judge judge;
  const std::vector<double> lambda = {0, 0, 2, 0, 0, 2.01};
  std::vector<int> listed = {7};
  judge.list_above(prepared, lambda, 4.9e-3, listed);
  EXPECT_EQ(listed, std::vector<int>{1});
  judge.list_above(prepared, lambda, 5.1e-3, listed);
  EXPECT_TRUE(listed.empty());
}

TEST(Judge, ContactThatSlides) {
  MassPoint point(2, {3, 4, -1});
  point.problem().add_contact({0.5, 0.5}, {}, point.rows(3));
  expect_solved(point.judge({-0.6, -0.8, 2}));
  // Half the friction: what is missing is the distance to the cone's boundary; the cone itself is kept.
  const Verdict verdict = point.judge({-0.3, -0.4, 2});
  EXPECT_NEAR(verdict.residual, 0.5, kExact);
  EXPECT_EQ(verdict.cone_violation, 0);
  EXPECT_NEAR(verdict.dissipation, 0.5 * std::hypot(3 - 0.15, 4 - 0.2), kExact);
  // Twice the friction is outside by 1.
  EXPECT_NEAR(point.judge({-1.2, -1.6, 2}).cone_violation, 1, kExact);
}

TEST(Judge, ContactThatOpensAndContactWithOffset) {
  MassPoint open(2, {3, 4, 1});
  open.problem().add_contact({0.5, 0.5}, {}, open.rows(3));
  expect_solved(open.judge({0, 0, 0}));
  EXPECT_NEAR(open.judge({0, 0, -0.1}).cone_violation, 0.1, kExact);

  // A belt that runs at (1, 0) and a gap that allows -0.5.
  MassPoint belt(2, {0.9, 0, -1});
  belt.problem().add_contact({0.5, 0.5}, {-1, 0, 0.5}, belt.rows(3));
  expect_solved(belt.judge({0.2, 0, 1}));
}

TEST(Judge, FrictionlessContact) {
  MassPoint point(2, {3, 4, -1});
  point.problem().add_contact({0, 0}, {}, point.rows(3));
  expect_solved(point.judge({0, 0, 2}));
  EXPECT_NEAR(point.judge({0.1, 0, 2}).cone_violation, 0.1, kExact);
}

/// Sliding under elliptic friction: the impulse is on the ellipse, the velocity along its inner normal.
RC_GTEST_PROP(Judge, EllipticContactThatSlides, (unsigned seed)) {
  Random random(seed);
  const FrictionCone cone{uniform(random, 0.1, 1), uniform(random, 0.1, 1)};
  const double angle = uniform(random, -3, 3), speed = uniform(random, 0.1, 1), n = uniform(random, 0.1, 2);
  const Vec3 lambda{n * cone.mu1 * std::cos(angle), n * cone.mu2 * std::sin(angle), n};
  const Vec3 u{-speed * std::cos(angle) / cone.mu1, -speed * std::sin(angle) / cone.mu2, 0};
  MassPoint point(1, u - lambda);
  point.problem().add_contact(cone, {}, point.rows(3));
  const Verdict verdict = point.judge({lambda.x(), lambda.y(), lambda.z()});
  const double tolerance = 1e-12;
  RC_ASSERT(verdict.residual < tolerance);
  RC_ASSERT(verdict.cone_violation < tolerance);
  RC_ASSERT(verdict.dissipation < tolerance);
  RC_ASSERT(verdict.fischer_burmeister < tolerance);
  RC_ASSERT(verdict.siconos < tolerance);
}

/// Closed forms of the scalar kinds on a mass of 2 that would move at -1, and what an excess of delta costs.
TEST(Judge, ScalarRows) {
  constexpr double kMass = 2, kDelta = 0.01, kInfinity = std::numeric_limits<double>::infinity();
  struct Case {
    ConstraintKind kind;
    std::function<void(Problem&, const std::vector<Attachment>&)> add;
    double lambda, cost;
  };
  // Soft: m v = -m + lambda, lambda = -k e - b v with k = 3, e = 0.2, b = 0.5.
  const double soft = -3 * 0.2 - 0.5 * ((-kMass - 3 * 0.2) / (kMass + 0.5));
  const double speed = kDelta / kMass;
  const std::vector<Case> cases{
      {ConstraintKind::Hard, [](Problem& p, auto& at) { p.add_hard(0.2, at); }, 1.6, speed},
      {ConstraintKind::Equality, [](Problem& p, auto& at) { p.add_equality(-0.5, at); }, 3, speed},
      {ConstraintKind::Soft, [](Problem& p, auto& at) { p.add_soft(0.2, 3, 0.5, at); }, soft,
       kDelta * (1 + 0.5 / kMass) / 1.5},
      {ConstraintKind::Limit, [](Problem& p, auto& at) { p.add_limit(-0.25, kInfinity, at); }, 1.5, speed},
      {ConstraintKind::Limit, [](Problem& p, auto& at) { p.add_limit(-kInfinity, -1.5, at); }, -1, speed},
      {ConstraintKind::Friction, [](Problem& p, auto& at) { p.add_friction(3, at); }, 2, speed},
      {ConstraintKind::Friction, [](Problem& p, auto& at) { p.add_friction(0.5, at); }, 0.5, kDelta}};
  for (const Case& c : cases) {
    MassPoint point(kMass, {-1, 0, 0});
    c.add(point.problem(), point.rows(1));
    expect_solved(point.judge({c.lambda}));
    const Verdict verdict = point.judge({c.lambda + kDelta});
    EXPECT_NEAR(verdict.residual, c.cost, kExact) << static_cast<int>(c.kind);
    EXPECT_NEAR(verdict.residual_by_kind[static_cast<int>(c.kind)], c.cost, kExact);
  }
  MassPoint hard(kMass, {-1, 0, 0});
  hard.problem().add_hard(0, hard.rows(1));
  EXPECT_NEAR(hard.judge({0}).penetration, 1, kExact);
  EXPECT_NEAR(hard.judge({-0.5}).cone_violation, 0.5, kExact);
  MassPoint limit(kMass, {-1, 0, 0});
  limit.problem().add_limit(-0.25, 0.25, limit.rows(1));
  EXPECT_NEAR(limit.judge({0}).penetration, 0.75, kExact);
}

TEST(Judge, NamesTheWorstOfMany) {
  Problem problem;
  for (int i = 0; i < 4; ++i) problem.add_sparse({sparse(Eigen::MatrixXd::Identity(1, 1))}, {-1});
  for (int i = 0; i < 4; ++i) {
    const std::vector<Attachment> at{problem.explicit_rows(i, sparse(Eigen::MatrixXd::Identity(1, 1)))};
    i % 2 == 0 ? problem.add_hard(0, at) : problem.add_equality(0, at);
  }
  const PreparedProblem prepared(problem);
  Judge judge;
  const Verdict verdict = judge.evaluate(prepared, std::vector<double>{1, 0.9, 0.5, 1.1});
  EXPECT_EQ(verdict.worst_constraint, 2);
  EXPECT_NEAR(verdict.worst, 0.5, kExact);
  EXPECT_EQ(verdict.worst_name(problem), "hard constraint 2");
  EXPECT_NEAR(verdict.residual, std::sqrt(0.01 + 0.25 + 0.01) / 4, kExact);
  EXPECT_NEAR(verdict.residual_by_kind[1], 0.5 / 4, kExact);
  EXPECT_NEAR(judge.velocity()[2], -0.5, kExact);
  EXPECT_NEAR(judge.constraint_velocity()[3], 0.1, kExact);
  EXPECT_NEAR(prepared.free_constraint_velocity()[3], -1, kExact);
}

TEST(Judge, NeverHidesNaN) {
  Problem problem;
  for (int i = 0; i < 2; ++i) problem.add_sparse({sparse(Eigen::MatrixXd::Identity(1, 1))}, {-1});
  for (int i = 0; i < 2; ++i) {
    problem.add_hard(0, {problem.explicit_rows(i, sparse(Eigen::MatrixXd::Identity(1, 1)))});
  }
  const PreparedProblem prepared(problem);
  Judge judge;
  const Verdict verdict = judge.evaluate(prepared, std::vector<double>{std::nan(""), 0});
  EXPECT_TRUE(std::isnan(verdict.residual));
  EXPECT_TRUE(std::isnan(verdict.worst));
  EXPECT_EQ(verdict.worst_constraint, 0);
  EXPECT_TRUE(std::isnan(verdict.penetration));
}

/// v of the judge satisfies the dynamics, whatever lambda.
RC_GTEST_PROP(Judge, DynamicsHold, (unsigned seed)) {
  Random random(seed);
  const Problem problem = random_problem(random);
  const PreparedProblem prepared(problem);
  Judge judge;
  Eigen::VectorXd lambda(problem.rows);
  for (double& value : lambda) value = uniform(random, -1, 1);
  judge.evaluate(prepared, {lambda.data(), static_cast<std::size_t>(lambda.size())});
  const Eigen::Map<const Eigen::VectorXd> v(judge.velocity().data(), problem.n()), b(problem.b.data(), problem.n());
  const Eigen::VectorXd rest = dense_a(problem) * v - b - dense(constraint_rows(problem)).transpose() * lambda;
  RC_ASSERT(rest.cwiseAbs().maxCoeff() < 1e-10 * (1 + v.cwiseAbs().maxCoeff()));
}

}  // namespace
}  // namespace uzawa::test
