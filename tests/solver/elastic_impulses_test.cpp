/// The dual of the smallest move that corrects errors, against Newton's method on the move itself.
#include "uzawa/solver/projection/elastic_impulses.hpp"

#include <gtest/gtest.h>

#include "problem/random_problem.hpp"
#include "support/dense_jacobian.hpp"
#include "uzawa/solver/projection/elastic_projection.hpp"

namespace uzawa {
namespace {

constexpr double kEps = 1e-4;

void push_apart(test::Random& random, int first, int second, ConstraintKind kind, Problem& problem) {
  const Mat3 frame = test::random_frame(random);
  const auto side = [&](int block, double sign) {
    Attachment a;
    a.kind = AttachmentKind::LinkPoint;
    a.block = block;
    a.point = test::random_vec3(random);
    a.frame = frame;
    a.sign = sign;
    return a;
  };
  const double e = test::uniform(random, -1e-3, 2e-4);
  const std::vector<Attachment> at = {side(first, -1), side(second, 1)};
  switch (kind) {
    case ConstraintKind::Hard: problem.add_hard(e, at); break;
    case ConstraintKind::Limit: problem.add_limit(e, e + 1e-4, at); break;
    default: problem.add_equality(e, at);
  }
}

/// Layers of bodies, each on three of the layer below: the factors of Newton's method fill in.
Problem heap(int side, int layers, std::uint64_t seed) {
  test::Random random(seed);
  Problem problem;
  const int count = side * side * layers;
  for (int i = 0; i < count; ++i) problem.add_body(test::random_inertia(random), {});
  const ConstraintKind kinds[] = {ConstraintKind::Hard, ConstraintKind::Hard, ConstraintKind::Hard,
                                  ConstraintKind::Limit, ConstraintKind::Equality};
  int k = 0;
  for (int i = side * side; i < count; ++i) {
    for (const int below : {0, 1, side}) {
      push_apart(random, (i - side * side + below) % count, i, kinds[++k % 5], problem);
    }
  }
  return problem;
}

std::vector<double> by_impulses(PreparedProblem& prepared) {
  const Problem& problem = prepared.problem();
  std::vector<double> stiffness(static_cast<std::size_t>(problem.rows), 0.0);
  for (std::size_t c = 0; c < problem.constraints.size(); ++c) {
    stiffness[static_cast<std::size_t>(problem.constraints[c].row)] = 1 / (kEps * prepared.mobility()[c]);
  }
  const std::vector<char> held(stiffness.size(), 0);
  std::vector<double> x(static_cast<std::size_t>(problem.n()));
  ElasticImpulses impulses;
  EXPECT_TRUE(impulses.solve(prepared, stiffness, held, kEps, x).solved);
  return x;
}

double energy(const Problem& problem, const Eigen::VectorXd& x) { return x.dot(test::dense_a(problem) * x); }

TEST(ElasticImpulsesTest, MoveIsThatOfNewtonsMethod) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Problem problem = heap(3, 3, seed);
    PreparedProblem prepared(problem);
    std::vector<double> newton(static_cast<std::size_t>(problem.n()));
    ElasticProjection projection;
    ASSERT_TRUE(projection.solve(prepared, kEps, newton).solved);
    const std::vector<double> dual = by_impulses(prepared);
    const Eigen::Map<const Eigen::VectorXd> x(newton.data(), problem.n()), y(dual.data(), problem.n());
    EXPECT_GT(energy(problem, x), 0);
    EXPECT_LE(energy(problem, x - y), 1e-4 * energy(problem, x)) << seed;
  }
}

/// Newton's factors would take several times as long: the projection chooses by itself.
TEST(ElasticImpulsesTest, LargeHeapsAreSolvedByProducts) {
  const Problem problem = heap(8, 8, 4);
  PreparedProblem prepared(problem);
  std::vector<double> x(static_cast<std::size_t>(problem.n()));
  ElasticProjection projection;
  const ElasticProjection::Outcome outcome = projection.solve(prepared, kEps, x);
  EXPECT_TRUE(outcome.solved);
  EXPECT_EQ(x, by_impulses(prepared));
  const Eigen::VectorXd u = test::dense_jacobian(problem) * Eigen::Map<const Eigen::VectorXd>(x.data(), problem.n());
  for (int i = 0; i < problem.hard.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    EXPECT_GE(u[problem.hard.row[k]] + problem.hard.e[k], -2e-5) << i;  // 1e-3 before
  }
}

TEST(ElasticImpulsesTest, NoErrorNoMove) {
  Problem problem = heap(3, 2, 5);
  for (auto* errors : {&problem.hard.e, &problem.equality.e}) std::fill(errors->begin(), errors->end(), 0.0);
  for (std::size_t i = 0; i < problem.limits.lower.size(); ++i)
    problem.limits.lower[i] = -1, problem.limits.upper[i] = 1;
  PreparedProblem prepared(problem);
  for (const double value : by_impulses(prepared)) EXPECT_EQ(value, 0);
}

}  // namespace
}  // namespace uzawa
