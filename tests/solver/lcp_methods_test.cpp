/// The methods of the family on contact problems: exact where motion is along a corner of the polygon or contacts
/// stick, within the polygon's error elsewhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "problem/random_problem.hpp"
#include "small_problems.hpp"
#include "support/problem_families.hpp"
#include "support/stacked_plates.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr const char* kMethods[] = {"lcp", "lcp-search", "lcp-lemke", "lcp-lexicographic"};

using test::axes;
using test::contact_particle;
using test::particle;

Result solve(const Problem& problem, const char* name, const Settings& settings = {}) {
  Workspace workspace;
  Result result;
  find_solver(name).solve(problem, settings, workspace, result);
  return result;
}

void expect_vector(const std::vector<double>& actual, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) EXPECT_NEAR(actual[i], expected[i], tolerance) << "entry " << i;
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

TEST(LcpClosedFormTest, Contact) {
  for (const char* name : kMethods) {
    SCOPED_TRACE(name);
    const Result sticks = solve(contact_particle(2, {0.3, 0.4, -1}, 0.6), name);
    EXPECT_EQ(sticks.status, SolveStatus::Converged);
    expect_vector(sticks.lambda, {-0.3, -0.4, 1}, 1e-12);
    const Result slips = solve(contact_particle(2, {0.5, 0, -1}, 0.2), name);  // along a corner
    EXPECT_EQ(slips.status, SolveStatus::Converged);
    expect_vector(slips.v, {0.15, 0, 0}, 1e-12);
    const Result opens = solve(contact_particle(2, {0.3, 0.4, 1}, 0.5), name);
    expect_vector(opens.v, {0.15, 0.2, 0.5}, 1e-12);
    const Result closes = solve(contact_particle(2, {0, 0, -1}, 0.5, {0, 0, 0.25}), name);
    expect_vector(closes.v, {0, 0, -0.25}, 1e-12);
    const Result conveyor = solve(contact_particle(1, {0, 0, -1}, 0.8, {-0.3, 0, 0}), name);
    expect_vector(conveyor.v, {0.3, 0, 0}, 1e-12);
    expect_vector(solve(contact_particle(2, {0.3, 0.4, -1}, 0), name).v, {0.15, 0.2, 0}, 1e-12);
    EXPECT_EQ(solve(Problem{}, name).status, SolveStatus::Converged);
    expect_vector(solve(particle(2, {1, 2, 3}), name).v, {0.5, 1, 1.5}, 1e-15);
  }
}

TEST(LcpClosedFormTest, ScalarRows) {
  for (const char* name : kMethods) {
    for (const LcpEqualities equalities : {LcpEqualities::Eliminated, LcpEqualities::Pairs}) {
      SCOPED_TRACE(name);
      Settings settings;
      settings.lcp.equalities = equalities;
      // Two pairs of opposite rows are as degenerate as can be: no ratio test of textbooks gets through.
      if (equalities == LcpEqualities::Pairs && std::string_view(name) == "lcp-lemke") continue;
      Problem hard = particle(2, {1, -1, 0});
      hard.add_hard(0.1, {axes(hard, 1, 1)});
      expect_vector(solve(hard, name, settings).v, {0.5, -0.1, 0}, 1e-12);
      Problem equality = particle(2, {1, -1, 0});
      equality.add_equality(-0.3, {axes(equality, 0, 1)});
      equality.add_equality(-0.3, {axes(equality, 0, 1)});  // redundant
      expect_vector(solve(equality, name, settings).v, {0.3, -0.5, 0}, 1e-12);
      Problem soft = particle(2, {1, 0, 0});
      soft.add_soft(0.5, 4, 3, {axes(soft, 0, 1)});
      soft.add_soft(0.5, 4, 0, {axes(soft, 1, 1)});  // a given impulse of -2
      expect_vector(solve(soft, name, settings).v, {-0.2, -1, 0}, 1e-12);
      Problem limit = particle(2, {1, -1, 2});
      limit.add_limit(-kInfinity, 0.2, {axes(limit, 0, 1)});
      limit.add_limit(-0.4, 0.4, {axes(limit, 1, 1)});
      limit.add_limit(0.5, 0.5, {axes(limit, 2, 1)});
      expect_vector(solve(limit, name, settings).v, {0.2, -0.4, 0.5}, 1e-12);
      Problem friction = particle(2, {1, -0.1, -1});
      friction.add_friction(0.3, {axes(friction, 0, 1)});
      friction.add_friction(0.3, {axes(friction, 1, 1)});
      friction.add_friction(0.3, {axes(friction, 2, 1)});
      expect_vector(solve(friction, name, settings).v, {0.35, 0, -0.35}, 1e-12);
    }
  }
}

/// Between two corners friction is weaker inside and stronger outside, by 1 - cos(pi/sides).
TEST(LcpPolygonTest, InnerAndOuterEncloseTheDisc) {
  const double half = std::numbers::pi / 8;
  const Problem problem = contact_particle(1, {std::cos(half), std::sin(half), -1}, 0.2);
  Settings settings;
  const Result inner = solve(problem, "lcp", settings);
  EXPECT_EQ(inner.status, SolveStatus::Relaxed);
  EXPECT_NEAR(std::hypot(inner.lambda[0], inner.lambda[1]), 0.2 * std::cos(half), 1e-12);
  EXPECT_LE(inner.polyhedral.solver_error, 1e-12);
  EXPECT_GE(inner.polyhedral.linearisation_error, 1e-3);
  settings.lcp.polygon = PolygonKind::Outer;
  const Result outer = solve(contact_particle(1, {1, 0, -1}, 0.2), "lcp", settings);
  EXPECT_NEAR(std::hypot(outer.lambda[0], outer.lambda[1]), 0.2, 1e-12);  // a side's middle touches the disc
}

/// Polygons that turn to where contacts slide give Coulomb's law itself.
TEST(LcpPolygonTest, FollowingGivesCoulomb) {
  Settings settings;
  settings.lcp.follow = 60;
  for (const PolygonKind polygon : {PolygonKind::Inner, PolygonKind::Outer}) {
    settings.lcp.polygon = polygon;
    const Result slips = solve(contact_particle(2, {0.3, 0.4, -1}, 0.2), "lcp", settings);
    EXPECT_EQ(slips.status, SolveStatus::Converged);
    expect_vector(slips.v, {0.09, 0.12, 0}, 1e-9);
  }
  settings.lcp.polygon = PolygonKind::Inner;
  Problem elliptic = particle(1, {0.6, 0.8, -1});
  elliptic.add_contact({0.2, 0.4}, {}, {axes(elliptic, 0, 3)});
  const Result result = solve(elliptic, "lcp", settings);
  EXPECT_EQ(result.status, SolveStatus::Converged);
  EXPECT_NEAR(std::hypot(result.lambda[0] / 0.2, result.lambda[1] / 0.4), 1, 1e-8);
}

/// A polygon of m corners misses the disc by 1 - cos(pi/m) ~ 5/m^2, and turns friction by up to pi/m: velocities
/// converge at least with 1/m, and along the sliding direction with 1/m^2.
TEST(LcpPolygonTest, ConvergesToCoulombWithTheSides) {
  const Problem problem = contact_particle(1, {0.6, 0.35, -1}, 0.3);
  const Result exact = solve(problem, "canal", {.tolerance = 1e-12});
  ASSERT_EQ(exact.status, SolveStatus::Converged);
  const double speed = std::hypot(exact.v[0], exact.v[1]);
  for (const int sides : {8, 16, 32, 64, 128, 256}) {
    Settings settings;
    settings.lcp.sides = sides;
    const Result result = solve(problem, "lcp", settings);
    const double along = (result.v[0] * exact.v[0] + result.v[1] * exact.v[1]) / speed;
    EXPECT_LE(std::abs(along - speed), 0.3 * 5 / (sides * sides)) << sides;
    EXPECT_LE(difference(result.v, exact.v), 0.3 * std::numbers::pi / sides) << sides;
  }
}

/// A pile with little friction, whose solution is unique: the error falls at least with 1/m.
TEST(LcpPolygonTest, PileConvergesToCanal) {
  Problem problem = test::scattered_bodies(8, 2);
  for (FrictionCone& cone : problem.contacts.cone) cone = {0.05, 0.05};
  const Result exact = solve(problem, "canal", {.tolerance = 1e-11});
  ASSERT_EQ(exact.status, SolveStatus::Converged);
  double first = 0;
  for (const int sides : {4, 16, 64}) {
    Settings settings;
    settings.lcp.sides = sides;
    const Result result = solve(problem, "lcp", settings);
    ASSERT_TRUE(result.polyhedral.solved) << sides;
    const double error = difference(result.v, exact.v);
    if (sides == 4) first = error * sides;
    EXPECT_GT(first, 0);
    EXPECT_LE(error, 1.5 * first / sides) << sides;
  }
}

TEST(LcpAgreementTest, WithoutFrictionAllAgreeWithCanal) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    Problem problem = test::stacked_plates(seed);
    for (FrictionCone& cone : problem.contacts.cone) cone = {0, 0};
    const Result exact = solve(problem, "canal", {.tolerance = 1e-12});
    const Result result = solve(problem, "lcp");
    ASSERT_TRUE(result.polyhedral.solved) << seed;
    EXPECT_LE(difference(result.v, exact.v), 1e-10) << seed;
  }
}

/// Every kind of block and row at once: the answer obeys all laws, up to the friction polygon.
TEST(LcpAgreementTest, EveryKindOfRow) {
  int solved = 0;
  for (unsigned seed = 1; seed <= 12; ++seed) {
    test::Random random(seed);
    Problem problem = test::random_problem(random);
    for (FrictionCone& cone : problem.contacts.cone) cone = {0, 0};
    const Result exact = solve(problem, "canal", {.tolerance = 1e-11});
    if (exact.status != SolveStatus::Converged) continue;
    for (const char* name : {"lcp", "lcp-search"}) {
      const Result result = solve(problem, name);
      EXPECT_EQ(result.status, SolveStatus::Converged) << name << ", " << seed;
      EXPECT_LE(difference(result.v, exact.v), 1e-7) << name << ", " << seed;
    }
    ++solved;
  }
  EXPECT_GE(solved, 6);
}

/// The impulses of a solution tell its basis, up to what is degenerate.
TEST(LcpStartTest, WarmStartTakesHardlyAnyPivots) {
  int cold = 0, warm = 0, none = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const Problem problem = test::stacked_plates(seed);
    Workspace workspace;
    Result result;
    find_solver("lcp").solve(problem, {}, workspace, result);
    ASSERT_TRUE(result.polyhedral.solved) << seed;
    const std::vector<double> v = result.v;
    cold += result.stats.iterations;
    workspace.start = result.lambda;
    find_solver("lcp").solve(problem, {}, workspace, result);
    warm += result.stats.iterations;
    none += result.stats.iterations == 0 ? 1 : 0;
    ASSERT_TRUE(result.polyhedral.solved) << seed;
    if (result.stats.iterations == 0) {
      EXPECT_LE(difference(result.v, v), 1e-9) << seed;
    }
  }
  EXPECT_GE(none, 32);
  EXPECT_LE(warm, 0.05 * cold);
}

TEST(LcpStartTest, ContradictionIsAStatus) {
  for (const char* name : kMethods) {
    Problem problem = particle(2, {0, 0, 0});
    problem.add_equality(-1, {axes(problem, 0, 1)});
    problem.add_equality(-3, {axes(problem, 0, 1)});
    EXPECT_NE(solve(problem, name).status, SolveStatus::Converged) << name;
    Problem jam = particle(2, {0, 0, 0});
    jam.add_hard(-1, {axes(jam, 0, 1)});
    jam.add_limit(-kInfinity, 0.5, {axes(jam, 0, 1)});
    const Result result = solve(jam, name);
    EXPECT_EQ(result.status, SolveStatus::Stalled) << name;
    EXPECT_STREQ(result.polyhedral.end, "no-solution") << name;
  }
}

/// What friction makes unsolvable by the baseline is still kept from penetrating, and says so.
TEST(LcpStartTest, FrictionlessIsTheLastResort) {
  Settings settings;
  settings.max_iterations = 3;  // pivots: too few with friction, enough without
  const Result result = solve(contact_particle(2, {0.3, 0.4, -1}, 0.6), "lcp-lemke", settings);
  EXPECT_EQ(result.status, SolveStatus::Frictionless);
  EXPECT_STREQ(result.polyhedral.end, "pivot-limit");
  expect_vector(result.v, {0.15, 0.2, 0}, 1e-12);
}

}  // namespace
}  // namespace uzawa
