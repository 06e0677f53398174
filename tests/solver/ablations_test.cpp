/// What the methods beside CANAL are there to show: the soft convex formulation sinks, creeps and glides by amounts
/// that can be worked out by hand; the strict law without the cascade loses inner solves.
#include <gtest/gtest.h>

#include <cmath>

#include "small_problems.hpp"
#include "support/problem_families.hpp"
#include "uzawa/solver/baseline/soft_laws.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa {
namespace {

using test::axes;
using test::contact_particle;
using test::particle;

/// The convex problems below are solved to a gradient of 1e-12 relative to |b|, which is 5 at the most.
constexpr double kRounding = 1e-11;
constexpr double kImpedance = 0.9;  // MuJoCo's at zero depth: solimp[0]
constexpr double kStep = 1.0 / 240;

Result soften(const Problem& problem, const SoftConvexSettings& soft = {}) {
  Settings settings;
  settings.soft_convex = soft;
  Workspace workspace;
  Result result;
  find_solver("soft-convex").solve(problem, settings, workspace, result);
  return result;
}

TEST(SoftConvexTest, ImpedanceIsMujocos) {
  const SoftConvexSettings s;
  EXPECT_EQ(impedance(s, 0), 0.9);
  EXPECT_EQ(impedance(s, 0.001), 0.95);
  EXPECT_EQ(impedance(s, -1), 0.95);
  EXPECT_NEAR(impedance(s, 0.0005), 0.925, 1e-15);            // half way at the midpoint
  EXPECT_NEAR(impedance(s, 0.00025), 0.9 + 0.05 / 8, 1e-15);  // x^2/midpoint
}

TEST(SoftConvexTest, RestingBodySinks) {
  // R = (1-d)/d 1/m, so m v = b + lambda with v = -R lambda: a share 1-d of the free velocity is left.
  constexpr double kMass = 2, kImpulse = -2 * 9.81 * kStep;
  const Result result = soften(contact_particle(kMass, {0, 0, kImpulse}, 0.5));
  EXPECT_EQ(result.status, SolveStatus::Relaxed);
  EXPECT_NEAR(result.v[2], (1 - kImpedance) * kImpulse / kMass, kRounding);
  EXPECT_NEAR(result.lambda[2], -kImpedance * kImpulse, kRounding);
  EXPECT_GT(result.verdict.penetration, 0.004);  // m/s; 1e-12 with CANAL
}

TEST(SoftConvexTest, StickingContactCreeps) {
  const Result result = soften(contact_particle(2, {0.3, 0.4, -1}, 0.8));
  for (std::size_t i = 0; i < 3; ++i) {
    const double free = (i == 0 ? 0.3 : i == 1 ? 0.4 : -1) / 2;
    EXPECT_NEAR(result.v[i], (1 - kImpedance) * free, kRounding);
  }
  // Stiffer friction creeps less, and only friction: R_t = R_n/impratio.
  SoftConvexSettings stiff;
  stiff.impratio = 10;
  const Result firm = soften(contact_particle(2, {0.3, 0.4, -1}, 0.8), stiff);
  const double compliance = (1 - kImpedance) / kImpedance / stiff.impratio;
  EXPECT_NEAR(firm.v[0], 0.15 * compliance / (1 + compliance), kRounding);
  EXPECT_NEAR(firm.v[2], (1 - kImpedance) * -0.5, kRounding);
}

TEST(SoftConvexTest, SlidingContactGlides) {
  // On the face of the cone the projection couples the directions: v_n = mu |v_t| - R (1 + mu^2) lambda_n.
  constexpr double kMass = 2, kMu = 0.2;
  for (const double d : {0.9, 0.99, 0.9999}) {
    SoftConvexSettings soft;
    soft.dmin = soft.dmax = d;
    const Result result = soften(contact_particle(kMass, {3, 4, -1}, kMu), soft);
    const double slip = std::hypot(result.v[0], result.v[1]), compliance = (1 - d) / d / kMass;
    const double normal = d * (1 + kMu * 5) / (1 + kMu * kMu);
    EXPECT_NEAR(result.lambda[2], normal, kRounding);
    EXPECT_NEAR(result.v[2], kMu * slip - compliance * (1 + kMu * kMu) * normal, kRounding);
    EXPECT_NEAR(std::hypot(result.lambda[0], result.lambda[1]), kMu * normal, kRounding);
    // It takes off, at about mu times the sliding speed, where Coulomb's law lets it slide; and friction is too strong.
    EXPECT_GT(result.v[2], 0.3);
    EXPECT_GT(result.lambda[2], 1.7);
    EXPECT_EQ(result.status, SolveStatus::Relaxed);
  }
}

TEST(SoftConvexTest, PenetrationIsPulledOutBySpring) {
  // Depth 0.5 mm: the reference velocity is h k r with k = d/(dmax timeconst)^2, of which a share d is reached.
  constexpr double kDepth = 0.0005, kImpedanceThere = 0.925, kMass = 3;
  Problem problem = contact_particle(kMass, {0, 0, 0}, 0.5, {0, 0, -kDepth / kStep});
  problem.dt = kStep;
  const double k = kImpedanceThere / std::pow(0.95 * 0.02, 2);
  EXPECT_NEAR(soften(problem).v[2], kImpedanceThere * kStep * k * kDepth, kRounding);
  // CANAL does what the offset says.
  Workspace workspace;
  Result result;
  find_solver("canal").solve(problem, {}, workspace, result);
  EXPECT_NEAR(result.v[2], kDepth / kStep, 1e-7);
}

TEST(SoftConvexTest, OpenContactMayCloseItsGap) {
  const Result far = soften(contact_particle(2, {0, 0, -1}, 0.5, {0, 0, 0.6}));
  EXPECT_EQ(far.status, SolveStatus::Converged);  // not reached: nothing to relax
  EXPECT_NEAR(far.v[2], -0.5, kRounding);
  const Result near = soften(contact_particle(2, {0, 0, -1}, 0.5, {0, 0, 0.3}));
  EXPECT_NEAR(near.v[2], -kImpedance * 0.3 - (1 - kImpedance) * 0.5, kRounding);
}

TEST(SoftConvexTest, ScalarConstraints) {
  Problem equality = particle(2, {1, 0, 0});
  equality.add_equality(0, {axes(equality, 0, 1)});
  EXPECT_NEAR(soften(equality).v[0], (1 - kImpedance) * 0.5, kRounding);

  Problem hard = particle(2, {-1, 1, 0});
  hard.add_hard(0, {axes(hard, 0, 1)});
  hard.add_hard(0, {axes(hard, 1, 1)});
  const Result pushed = soften(hard);
  EXPECT_NEAR(pushed.v[0], -(1 - kImpedance) * 0.5, kRounding);
  EXPECT_NEAR(pushed.v[1], 0.5, kRounding);

  Problem limit = particle(2, {1, -1, 0});
  limit.add_limit(-1, 0.2, {axes(limit, 0, 1)});
  limit.add_limit(-0.2, 1, {axes(limit, 1, 1)});
  const Result limited = soften(limit);
  EXPECT_NEAR(limited.v[0], kImpedance * 0.2 + (1 - kImpedance) * 0.5, kRounding);
  EXPECT_NEAR(limited.v[1], -limited.v[0], kRounding);

  Problem friction = particle(2, {1, 0.1, 0});
  friction.add_friction(0.3, {axes(friction, 0, 1)});
  friction.add_friction(0.3, {axes(friction, 1, 1)});
  const Result rubbed = soften(friction);
  EXPECT_NEAR(rubbed.v[0], 0.35, kRounding);                     // slips: the bound is exact
  EXPECT_NEAR(rubbed.v[1], (1 - kImpedance) * 0.05, kRounding);  // holds, but creeps

  // Springs are springs already: exactly as by the other methods.
  Problem soft = particle(2, {1, 0, 0});
  soft.add_soft(0.5, 4, 3, {axes(soft, 0, 1)});
  const Result sprung = soften(soft);
  EXPECT_NEAR(sprung.v[0], -0.2, kRounding);
  EXPECT_EQ(sprung.status, SolveStatus::Converged);
}

TEST(SoftConvexTest, LimitsAreReported) {
  Settings settings;
  settings.max_iterations = 1;
  Workspace workspace;
  Result result;
  find_solver("soft-convex").solve(test::dish_stack(1, true, 0), settings, workspace, result);
  EXPECT_EQ(result.status, SolveStatus::IterationLimit);
  settings = {};
  solve_islands(find_solver("soft-convex"), test::dish_stack(1, true, 0), settings, workspace, result);
  EXPECT_EQ(result.status, SolveStatus::Relaxed);
  EXPECT_LT(result.stats.iterations, 30);
}

/// The comparison of [AL] Table II, in small: with the cascade no inner solve fails, without it some do.
TEST(StrictLoopTest, LosesInnerSolvesWhereTheCascadeDoesNot) {
  int cascade = 0, semismooth = 0, dogleg = 0, converged = 0;
  constexpr int kCases = 10;
  for (int i = 1; i <= kCases; ++i) {
    const Problem problem = test::dish_stack(static_cast<unsigned>(i), true, 0);
    Workspace workspace;
    Result result;
    Settings settings;
    settings.max_iterations = 10;
    find_solver("al-dogleg").solve(problem, settings, workspace, result);
    dogleg += result.stats.inner_failures;
    converged += result.verdict.residual <= 1e-8 ? 1 : 0;
    find_solver("al-semismooth").solve(problem, settings, workspace, result);
    semismooth += result.stats.inner_failures;
    settings.canal.polish = settings.canal.anderson = false;
    find_solver("canal").solve(problem, settings, workspace, result);
    cascade += result.stats.inner_failures;
  }
  EXPECT_EQ(cascade, 0);
  EXPECT_GT(semismooth, dogleg);  // as in the paper, the trust region is the better of the two
  EXPECT_GT(semismooth, kCases / 2);
  EXPECT_GE(converged, kCases / 2);
}

TEST(StrictLoopTest, WarmStartIsTheSolution) {
  const Problem problem = test::nut(1, false, 0);
  for (const char* name : {"al-semismooth", "al-dogleg"}) {
    Workspace workspace;
    Result first, again;
    find_solver(name).solve(problem, {}, workspace, first);
    ASSERT_EQ(first.status, SolveStatus::Converged) << name;
    workspace.start = first.lambda;
    find_solver(name).solve(problem, {}, workspace, again);
    EXPECT_EQ(again.stats.iterations, 0) << name;
  }
}

TEST(StrictLoopTest, ContradictionGivesTheLeastViolation) {
  Problem problem = particle(2, {0, 0, 0});
  problem.add_equality(-1, {axes(problem, 0, 1)});
  problem.add_equality(-3, {axes(problem, 0, 1)});
  for (const char* name : {"al-semismooth", "al-dogleg"}) {
    Workspace workspace;
    Result result;
    find_solver(name).solve(problem, {}, workspace, result);
    EXPECT_EQ(result.status, SolveStatus::LeastViolation) << name;
    EXPECT_NEAR(result.v[0], 2, 1e-6) << name;
  }
}

}  // namespace
}  // namespace uzawa
