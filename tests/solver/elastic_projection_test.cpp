/// The smallest move that corrects errors of position, against dense linear algebra and its own optimality conditions.
#include "uzawa/solver/projection/elastic_projection.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "problem/random_problem.hpp"
#include "support/dense_jacobian.hpp"

namespace uzawa {
namespace {

constexpr double kEps = 1e-3;

/// Free bodies with points on them that are held to the ground or to each other.
Problem held_bodies(test::Random& random, int bodies, int rows, ConstraintKind kind) {
  Problem problem;
  for (int i = 0; i < bodies; ++i) problem.add_body(test::random_inertia(random), {});
  for (int i = 0; i < rows; ++i) {
    const Mat3 frame = test::random_frame(random);
    std::vector<Attachment> at;
    for (int side = 0; side < 1 + i % 2; ++side) {
      Attachment a;
      a.kind = AttachmentKind::LinkPoint;
      a.block = (i + side) % bodies;
      a.point = test::random_vec3(random);
      a.frame = frame;
      a.sign = side == 0 ? 1 : -1;
      at.push_back(a);
    }
    const double e = test::uniform(random, -1e-3, 1e-3);
    switch (kind) {
      case ConstraintKind::Hard: problem.add_hard(e, at); break;
      case ConstraintKind::Limit: problem.add_limit(e - 1e-4, e + 1e-4, at); break;
      default: problem.add_equality(e, at);
    }
  }
  return problem;
}

Eigen::VectorXd solve(const Problem& problem) {
  PreparedProblem prepared(problem);
  ElasticProjection projection;
  Eigen::VectorXd x(problem.n());
  EXPECT_TRUE(projection.solve(prepared, kEps, {x.data(), static_cast<std::size_t>(x.size())}).solved);
  return x;
}

struct Dense {
  explicit Dense(const Problem& problem) : a(test::dense_a(problem)), j(test::dense_jacobian(problem)) {
    const Eigen::MatrixXd w = j * a.ldlt().solve(j.transpose());
    slack = kEps * w.diagonal();
  }
  Eigen::MatrixXd a, j;
  Eigen::VectorXd slack;  ///< C
};

TEST(ElasticProjectionTest, EqualitiesHaveAClosedForm) {
  test::Random random(1);
  // With more rows than dofs, too: redundant, and contradicting each other.
  for (const int rows : {1, 4, 12, 40}) {
    const Problem problem = held_bodies(random, 4, rows, ConstraintKind::Equality);
    const Dense d(problem);
    Eigen::VectorXd e(rows);
    for (int i = 0; i < rows; ++i) e[i] = problem.equality.e[static_cast<std::size_t>(i)];
    const Eigen::MatrixXd inverse_a = d.a.inverse();
    const Eigen::MatrixXd w = d.j * inverse_a * d.j.transpose() + Eigen::MatrixXd(d.slack.asDiagonal());
    const Eigen::VectorXd expected = -inverse_a * d.j.transpose() * w.ldlt().solve(e);
    EXPECT_LE((solve(problem) - expected).norm(), 1e-8 * expected.norm()) << rows;
  }
}

/// Zero gradient of 1/2 x^T A x + sum d^2/(2 C), which is convex: with distances found here.
TEST(ElasticProjectionTest, InequalitiesAreAtTheMinimum) {
  test::Random random(2);
  for (const ConstraintKind kind : {ConstraintKind::Hard, ConstraintKind::Limit}) {
    for (const int rows : {1, 6, 30, 80}) {
      const Problem problem = held_bodies(random, 5, rows, kind);
      const Dense d(problem);
      const Eigen::VectorXd x = solve(problem), u = d.j * x;
      Eigen::VectorXd distance(rows);
      int held = 0;
      for (int i = 0; i < rows; ++i) {
        const auto k = static_cast<std::size_t>(i);
        distance[i] = kind == ConstraintKind::Hard
                          ? std::min(0.0, u[i] + problem.hard.e[k])
                          : u[i] - std::clamp(u[i], problem.limits.lower[k], problem.limits.upper[k]);
        held += distance[i] != 0 ? 1 : 0;
      }
      const Eigen::VectorXd push = d.j.transpose() * distance.cwiseQuotient(d.slack);
      EXPECT_LE((d.a * x + push).norm(), 1e-7 * (push.norm() + 1e-12)) << rows;
      EXPECT_TRUE(rows < 30 || held > 3) << "too easy";
    }
  }
}

TEST(ElasticProjectionTest, ErrorsThatCanBeCorrectedAre) {
  // One body, one row: all but a share eps of the error, by the closed form e C/(W + C).
  test::Random random(3);
  const Problem problem = held_bodies(random, 1, 1, ConstraintKind::Equality);
  const double left = (test::dense_jacobian(problem) * solve(problem))[0] + problem.equality.e[0];
  EXPECT_NEAR(left, problem.equality.e[0] * kEps / (1 + kEps), 1e-9 * std::abs(problem.equality.e[0]));
}

TEST(ElasticProjectionTest, NoErrorNoMove) {
  test::Random random(4);
  Problem problem = held_bodies(random, 3, 10, ConstraintKind::Hard);
  for (double& e : problem.hard.e) e = std::abs(e);
  EXPECT_EQ(solve(problem).norm(), 0);
}

}  // namespace
}  // namespace uzawa
