/// The convex merit functions: v^T A v/2 - b^T v + the constraints' potentials. Newton with exact line search is only
/// as right as their derivatives, which are checked against finite differences, with every kind of constraint.
#include <gtest/gtest.h>

#include <cmath>

#include "problem/random_problem.hpp"
#include "uzawa/problem/block_matrix.hpp"
#include "uzawa/problem/prepared_problem.hpp"
#include "uzawa/solver/baseline/soft_laws.hpp"
#include "uzawa/solver/laws/law_response.hpp"
#include "uzawa/solver/linear/newton_matrix.hpp"

namespace uzawa {
namespace {

using Vector = std::vector<double>;

/// Central differences of functions of order 1: rounding 1e-16/step and truncation step^2 balance at 1e-5.
constexpr double kStep = 1e-5;
/// What they leave: 1e-16/1e-5 times the size of the merit (below 1e3), with room.
constexpr double kTolerance = 1e-6;
/// A law has kinks; a difference across one is wrong, and a random point meets one now and then.
constexpr double kShareOfKinks = 0.01;

Vector random_vector(test::Random& random, int size, double scale) {
  Vector out;
  for (int i = 0; i < size; ++i) out.push_back(test::uniform(random, -scale, scale));
  return out;
}
Vector shifted(const Vector& v, const Vector& d, double t) {
  Vector out = v;
  for (std::size_t i = 0; i < v.size(); ++i) out[i] += t * d[i];
  return out;
}
double product(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// A merit function along v, as the solvers evaluate it.
struct Merit {
  double value = 0;
  Vector gradient;
  DirectionalSlope slope;  ///< of the potentials, along d
  double curvature = 0;    ///< d^T H d with NewtonMatrix's ingredients
};

/// `respond` as constraint_response and SoftLaws::respond; `slope` as directional_slope.
template <typename Respond, typename Slope>
Merit evaluate(const Problem& problem, const SparseRows& j, const Vector& v, const Vector& d, double beta,
               Respond&& respond, Slope&& slope) {
  Merit merit;
  Vector u(static_cast<std::size_t>(problem.rows)), du(u.size()), impulse(u.size()), av(v.size()), ad(v.size());
  LawDerivatives derivatives;
  derivatives.resize(problem);
  j.multiply(v, u);
  j.multiply(d, du);
  multiply(problem, v, av);
  multiply(problem, d, ad);
  merit.value = product(v, av) / 2 - product(problem.b, v) + respond(u, impulse, derivatives);
  merit.gradient = av;
  Vector push(v.size());
  j.add_transposed(impulse, push);
  for (std::size_t i = 0; i < v.size(); ++i) merit.gradient[i] -= problem.b[i] + push[i];
  merit.slope = slope(u, du);
  merit.curvature = product(d, ad);
  for (const ConstraintRef& ref : problem.constraints) {
    const auto row = static_cast<std::size_t>(ref.row);
    if (ref.kind == ConstraintKind::Contact) {
      const Vec3 direction = Vec3::from(&du[row]);
      merit.curvature += beta * dot(direction, derivatives.contact[static_cast<std::size_t>(ref.index)] * direction);
    } else {
      merit.curvature += beta * derivatives.scalar[row] * du[row] * du[row];
    }
  }
  return merit;
}

/// Checks value, gradient, slope and curvature against each other at many points; returns the share of misses.
template <typename At>
double misses(test::Random& random, const Problem& problem, At&& at) {
  int checks = 0, missed = 0;
  const auto compare = [&](double difference, double exact) {
    ++checks;
    missed += std::abs(difference - exact) <= kTolerance * (1 + std::abs(exact)) ? 0 : 1;
  };
  for (int trial = 0; trial < 40; ++trial) {
    const Vector v = random_vector(random, problem.n(), 1), d = random_vector(random, problem.n(), 1);
    const Merit here = at(v, d), ahead = at(shifted(v, d, kStep), d), behind = at(shifted(v, d, -kStep), d);
    compare((ahead.value - behind.value) / (2 * kStep), product(here.gradient, d));
    compare((product(ahead.gradient, d) - product(behind.gradient, d)) / (2 * kStep), here.curvature);
    compare((ahead.slope.first - behind.slope.first) / (2 * kStep), here.slope.second);
  }
  return static_cast<double>(missed) / checks;
}

TEST(MeritTest, CascadesMeritHasTheResidualAsGradient) {
  test::Random random(1);
  double share = 0;
  constexpr int kProblems = 20;
  for (int i = 0; i < kProblems; ++i) {
    const Problem problem = test::random_problem(random);
    const SparseRows j = constraint_rows(problem);
    const Vector multiplier = random_vector(random, problem.rows, 1);
    Vector shift = random_vector(random, problem.contacts.size(), 0.3);
    for (double& p : shift) p = std::abs(p);
    const double beta = std::pow(10, test::uniform(random, -1, 1));
    const LawParameters law{beta, multiplier, shift, false};
    share += misses(random, problem,
                    [&](const Vector& v, const Vector& d) {
                      return evaluate(
                          problem, j, v, d, beta,
                          [&](const Vector& u, Vector& impulse, LawDerivatives& derivatives) {
                            return constraint_response(problem, law, u, impulse, derivatives);
                          },
                          [&](const Vector& u, const Vector& du) { return directional_slope(problem, law, u, du); });
                    }) /
             kProblems;
  }
  EXPECT_LE(share, kShareOfKinks);
}

TEST(MeritTest, SoftConvexMeritHasTheResidualAsGradient) {
  test::Random random(2);
  double share = 0;
  constexpr int kProblems = 20;
  for (int i = 0; i < kProblems; ++i) {
    const Problem problem = test::random_problem(random);
    PreparedProblem prepared(problem);
    SoftLaws laws;
    SoftConvexSettings settings;
    settings.impratio = i % 2 == 0 ? 1 : 10;
    laws.prepare(problem, settings, prepared.delassus(DelassusForm::Automatic), {});
    share += misses(random, problem,
                    [&](const Vector& v, const Vector& d) {
                      return evaluate(
                          problem, prepared.rows(), v, d, 1,
                          [&](const Vector& u, Vector& impulse, LawDerivatives& derivatives) {
                            return laws.respond(problem, u, impulse, derivatives);
                          },
                          [&](const Vector& u, const Vector& du) { return laws.slope(problem, u, du); });
                    }) /
             kProblems;
  }
  EXPECT_LE(share, kShareOfKinks);
}

/// The line search adds up what the gradient says: slope of the potentials plus that of the quadratic.
TEST(MeritTest, DirectionalSlopeIsTheGradientAlongADirection) {
  test::Random random(3);
  const Problem problem = test::random_problem(random);
  const SparseRows j = constraint_rows(problem);
  const Vector multiplier(static_cast<std::size_t>(problem.rows)),
      shift(static_cast<std::size_t>(problem.contacts.size()));
  const LawParameters law{2, multiplier, shift, false};
  for (int trial = 0; trial < 20; ++trial) {
    const Vector v = random_vector(random, problem.n(), 1), d = random_vector(random, problem.n(), 1);
    Vector u(static_cast<std::size_t>(problem.rows)), du(u.size()), impulse(u.size()), push(v.size());
    j.multiply(v, u);
    j.multiply(d, du);
    constraint_impulses(problem, law, u, impulse);
    j.add_transposed(impulse, push);
    const double slope = directional_slope(problem, law, u, du).first;
    EXPECT_NEAR(slope, -product(push, d), 1e-12 * (1 + std::abs(slope)));
  }
}

}  // namespace
}  // namespace uzawa
