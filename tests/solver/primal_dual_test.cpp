/// Newton on velocities and impulses at once: closed forms, linear complementarity by enumeration, and what it promises
/// of a step.
#include "uzawa/solver/canal/primal_dual.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "problem/random_problem.hpp"
#include "solver/canal_parts.hpp"
#include "solver/small_problems.hpp"
#include "support/attachments.hpp"
#include "support/dense_jacobian.hpp"
#include "support/problem_families.hpp"
#include "support/quadrupeds.hpp"

namespace uzawa {
namespace {

using Eigen::VectorXd;

/// Tries of other epsilons where one finds no descent, as many as CANAL allows.
constexpr int kTries = 3;
/// A step leaves a share of about epsilon (1e-4 at first) of the error where the set of active rows is right.
constexpr double kShareLeft = 1e-3;

VectorXd vector(std::span<const double> v) {
  return Eigen::Map<const VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
}
std::span<const double> span(const VectorXd& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }

void start(test::CanalParts& parts, const VectorXd& lambda, double rounding = 0) {
  parts.newton.start(parts.problem, span(lambda), parts.constraint_velocity(span(lambda)), rounding);
}
bool step(test::CanalParts& parts) {
  if (!parts.newton.step(parts.problem, parts.surrogate.matrix(), kTries)) return false;
  parts.newton.correct(parts.problem, parts.constraint_velocity(parts.newton.impulses()));
  return true;
}
/// Until it finds no descent, at the most `steps`.
int iterate(test::CanalParts& parts, int steps) {
  int done = 0;
  while (done < steps && step(parts)) ++done;
  return done;
}

/// A block on a floor: what the laws say in closed form.
struct ParticleCase {
  const char* name;
  Vec3 b, lambda;
};
constexpr double kMu = 0.5;
const ParticleCase kParticles[] = {
    {"open", {1, 2, 3}, {}},
    {"sticks", {1, 2, -6}, {-1, -2, 6}},
    {"slips", {9, 12, -6}, {-0.6 * kMu * 6, -0.8 * kMu * 6, 6}},
    {"slips on a corner", {0, 20, -6}, {0, -kMu * 6, 6}},
};

TEST(PrimalDualTest, ParticleOnAFloorInClosedForm) {
  for (const double mass : {1e-3, 2.0, 1e4}) {
    for (const double rounding : {0.0, 30.0}) {
      for (const ParticleCase& particle : kParticles) {
        test::CanalParts parts(test::contact_particle(mass, particle.b, kMu));
        start(parts, VectorXd::Zero(3), rounding);
        iterate(parts, 60);
        if (parts.newton.end_rounding()) {
          parts.newton.correct(parts.problem, parts.constraint_velocity(parts.newton.impulses()));
          iterate(parts, 20);
        }
        EXPECT_LE((vector(parts.newton.impulses()) - test::eigen(particle.lambda)).norm(), 1e-9)
            << particle.name << ", mass " << mass << ", rounding " << rounding;
      }
    }
  }
}

/// Two bodies and hard rows in random directions.
Problem random_lcp(unsigned seed, int rows) {
  test::Random random(seed);
  Problem problem;
  for (int i = 0; i < 2; ++i) problem.add_body(test::random_inertia(random), {1, -2, 3, -4, 5, -6});
  for (int i = 0; i < rows; ++i) {
    const Mat3 frame = test::random_frame(random);
    problem.add_hard(test::uniform(random, -0.5, 0.5), {test::point_on(0, test::random_vec3(random), frame, 1),
                                                        test::point_on(1, test::random_vec3(random), frame, -1)});
  }
  return problem;
}

/// 0 <= lambda, W lambda + q >= 0, complementary: by trying all sets of rows that push.
struct LcpSolution {
  VectorXd lambda;
  double margin;  ///< of the row that is nearest to changing sides, of lambda or of W lambda + q
};
std::optional<LcpSolution> enumerate_lcp(const Problem& problem) {
  const Eigen::MatrixXd j = test::dense_jacobian(problem);
  const Eigen::LDLT<Eigen::MatrixXd> a(test::dense_a(problem));
  const Eigen::MatrixXd w = j * a.solve(j.transpose());
  const VectorXd q = j * a.solve(vector(problem.b)) + vector(problem.hard.e);
  for (unsigned set = 0; set < 1U << problem.rows; ++set) {
    std::vector<int> active;
    for (int k = 0; k < problem.rows; ++k) {
      if ((set >> k & 1U) != 0) active.push_back(k);
    }
    VectorXd lambda = VectorXd::Zero(problem.rows);
    if (!active.empty()) {
      const Eigen::MatrixXd among = w(active, active);
      const VectorXd pushed = among.ldlt().solve(-VectorXd(q(active)));
      lambda(active) = pushed;
    }
    VectorXd slack = w * lambda + q;
    slack(active).setZero();
    if (lambda.minCoeff() < 0 || slack.minCoeff() < 0) continue;
    return LcpSolution{lambda, (lambda + slack).minCoeff()};
  }
  return {};
}

TEST(PrimalDualTest, NearTheSolutionAStepLeavesAThousandthOfTheError) {
  int checked = 0;
  for (unsigned seed = 0; seed < 30; ++seed) {
    test::CanalParts parts(random_lcp(seed, 6));
    const std::optional<LcpSolution> solution = enumerate_lcp(parts.problem);
    ASSERT_TRUE(solution) << seed;  // W is positive definite: there is always one
    if (solution->margin < 1e-2) continue;
    ++checked;
    VectorXd lambda = solution->lambda;
    for (Eigen::Index k = 0; k < lambda.size(); ++k) lambda[k] *= k % 2 == 0 ? 1.0001 : 0.9999;
    start(parts, lambda);
    double error = (lambda - solution->lambda).norm();
    for (int i = 0; i < 2 && error > 0; ++i) {
      ASSERT_TRUE(step(parts)) << seed;
      const double left = (vector(parts.newton.impulses()) - solution->lambda).norm();
      EXPECT_LE(left, kShareLeft * error + 1e-14 * lambda.norm()) << seed << ", step " << i;
      error = left;
    }
    EXPECT_EQ(parts.newton.factorizations(), lambda.norm() > 0 ? 2 : 0) << seed;
  }
  EXPECT_GE(checked, 10);
}

TEST(PrimalDualTest, FindsTheSolutionFromNothing) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    test::CanalParts parts(random_lcp(seed, 6));
    const std::optional<LcpSolution> solution = enumerate_lcp(parts.problem);
    ASSERT_TRUE(solution) << seed;
    start(parts, VectorXd::Zero(6));
    iterate(parts, 50);
    EXPECT_LE((vector(parts.newton.impulses()) - solution->lambda).norm(), 1e-9 * (1 + solution->lambda.norm()))
        << seed;
  }
}

/// rho is in proportion to the mass that a row feels: particles of any mass are stopped by the same share in a step.
TEST(PrimalDualTest, StepKnowsNoUnitOfMass) {
  Problem problem;
  for (const double mass : {1e-3, 1.0, 1e3}) {
    const int block = test::add_particle(problem, mass, Vec3{0, 0, -1} * mass);
    problem.add_hard(0, {test::axes(problem, 2, 1, block)});
  }
  test::CanalParts parts(problem);
  start(parts, VectorXd::Zero(3));
  ASSERT_TRUE(step(parts));
  const std::span<const double> speed = parts.constraint_velocity(parts.newton.impulses());  // 1 m/s before
  for (const double left : speed) {
    EXPECT_LE(std::abs(left), kShareLeft);
    EXPECT_NEAR(left, speed[0], 1e-9);
  }
}

TEST(PrimalDualTest, SaysWhereThereIsNoDescent) {
  test::CanalParts parts(test::contact_particle(1, {0, 0, 1}, kMu));
  start(parts, VectorXd::Zero(3));  // open: nothing is left to do
  EXPECT_FALSE(parts.newton.step(parts.problem, parts.surrogate.matrix(), kTries));
  EXPECT_EQ(vector(parts.newton.impulses()), VectorXd::Zero(3));
  EXPECT_EQ(parts.newton.factorizations(), kTries);
}

TEST(PrimalDualTest, RoundingEndsOnce) {
  test::CanalParts parts(test::contact_particle(1, {9, 12, -6}, kMu));
  start(parts, VectorXd::Zero(3));
  EXPECT_FALSE(parts.newton.end_rounding()) << "there was none";
  start(parts, VectorXd::Zero(3), 30);
  EXPECT_TRUE(parts.newton.end_rounding());
  EXPECT_FALSE(parts.newton.end_rounding());
}

/// The next step of a simulation: forces that have changed by a thousandth, and the last impulses to start from.
TEST(PrimalDualTest, WarmStartsNeedAFewSteps) {
  constexpr int kSteps = 10;
  for (Problem problem : {test::dish_stack(3, false, 0), test::quadrupeds(3, 1), test::nut(2, false, 0)}) {
    Workspace workspace;
    Result last;
    find_solver("canal").solve(problem, {}, workspace, last);
    ASSERT_EQ(last.status, SolveStatus::Converged) << problem.name;
    for (double& b : problem.b) b *= 1.001;
    test::CanalParts parts(problem);
    const double before = parts.residual(last.lambda);
    start(parts, vector(last.lambda));
    iterate(parts, kSteps);
    EXPECT_LE(parts.residual(parts.newton.impulses()), 1e-8) << problem.name << ", before: " << before;
    EXPECT_GT(before, 1e-8) << problem.name;
  }
}

}  // namespace
}  // namespace uzawa
