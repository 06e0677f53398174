/// COND on soft bodies and its virtual nodes. What all methods have to do is in the tests that go through solvers().
#include <gtest/gtest.h>

#include <cmath>

#include "problem/random_problem.hpp"
#include "small_problems.hpp"
#include "support/attachments.hpp"
#include "support/soft_problems.hpp"
#include "uzawa/problem/invertible_contact.hpp"
#include "uzawa/solver/cond/nodalization.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa {
namespace {

using test::SoftCase;

Result solve(const Problem& problem, const char* method, const Settings& settings) {
  Workspace workspace;
  Result result;
  find_solver(method).solve(problem, settings, workspace, result);
  return result;
}

double difference(std::span<const double> a, std::span<const double> b) {
  double worst = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

/// Soft boxes whose solutions are unique: little friction.
std::vector<SoftCase> unique_cases() {
  return {{.mu = 0.1},
          {.young = 1e6, .mu = 0.1},
          {.mu = 0.1, .plate = true},
          {.mu = 0.1, .plate = true, .faces = true},
          {.x = 4, .y = 4, .mu = 0.1, .pinch = true}};
}

TEST(NodalizationTest, EveryConstraintHasNodesOfItsOwn) {
  test::Random random(7);
  const std::vector<Problem> problems = {test::soft_problem({.plate = true, .pinch = true, .faces = true}, 3),
                                         test::random_problem(random)};
  for (const Problem& problem : problems) {
    PreparedProblem prepared(problem);
    std::vector<char> diagonal;
    for (const Block& block : problem.blocks) diagonal.push_back(block.kind == BlockKind::Nodal);
    Nodalization nodes;
    nodes.build(problem, prepared.compact_rows(), diagonal);
    // J = D + V, and no dof in two direct parts.
    std::vector<double> v(static_cast<std::size_t>(problem.n())), u(static_cast<std::size_t>(problem.rows));
    for (double& x : v) x = test::uniform(random, -1, 1);
    prepared.constraint_velocity(v, u);
    std::vector<int> uses(v.size(), 0);
    for (int c = 0; c < nodes.constraints(); ++c) {
      const Vec3 sum = nodes.direct().velocity(c, v.data()) + nodes.virtual_part().velocity(c, v.data());
      const auto row = static_cast<std::size_t>(problem.constraints[static_cast<std::size_t>(c)].row);
      EXPECT_NEAR(sum.z(), u[problem.dims(c) == 3 ? row + 2 : row], 1e-12);
      EXPECT_NEAR(sum.x(), problem.dims(c) == 3 ? u[row] : 0, 1e-12);
      EXPECT_EQ(nodes.slot(c) >= 0, !nodes.virtual_part().empty(c) || nodes.direct().empty(c));
      for (std::size_t k = nodes.direct().begin(c); k < nodes.direct().end(c); ++k) {
        ++uses[static_cast<std::size_t>(nodes.direct().column[k])];
      }
    }
    EXPECT_LE(*std::max_element(uses.begin(), uses.end()), 1);
  }
}

TEST(NodalizationTest, NodesComeBeforeFacesAndTheSecondContactIsVirtual) {
  Problem problem = test::soft_problem({.x = 3, .y = 3, .z = 2, .floor = false}, 1);
  Attachment face, node;
  face.kind = node.kind = AttachmentKind::Nodes;
  face.frame = node.frame = Mat3::identity();
  face.node = {0, 1, 3, -1};
  face.weight = {0.2, 0.3, 0.5, 0};
  node.node[0] = 1;
  node.weight[0] = 1;
  problem.add_contact({0.5, 0.5}, {}, {face});
  problem.add_contact({0.5, 0.5}, {}, {node});
  problem.add_contact({0.5, 0.5}, {}, {node});
  PreparedProblem prepared(problem);
  Nodalization nodes;
  nodes.build(problem, prepared.compact_rows(), std::vector<char>{1});
  EXPECT_EQ(nodes.slot(0), 0);   // node 1 is taken
  EXPECT_EQ(nodes.slot(1), -1);  // a contact of its own
  EXPECT_EQ(nodes.slot(2), 1);   // the second on that node
}

TEST(CondTest, AgreesWithCanalAndSubAdmmOnSoftBodies) {
  for (const SoftCase& soft : unique_cases()) {
    const Problem problem = test::soft_problem(soft, 5);
    const Result canal = solve(problem, "canal", {.tolerance = 1e-9});
    ASSERT_EQ(canal.status, SolveStatus::Converged);
    for (const char* method : {"cond", "subadmm"}) {
      const Result other =
          solve(problem, method, {.tolerance = 1e-9, .max_iterations = test::enough_iterations(method)});
      EXPECT_EQ(other.status, SolveStatus::Converged) << method << ' ' << other.verdict.residual;
      EXPECT_LE(difference(canal.v, other.v), 1e-6) << method;
    }
  }
}

/// All operators, step sizes and accelerations have the same fixed points where there is no friction.
TEST(CondTest, EveryFormOfItFindsTheSame) {
  const Problem problem = test::soft_problem({.x = 4, .y = 4, .z = 3, .mu = 0}, 2);
  const Result canal = solve(problem, "canal", {.tolerance = 1e-9});
  for (const CondAcceleration acceleration :
       {CondAcceleration::Chebyshev, CondAcceleration::Fista, CondAcceleration::Anderson}) {
    for (const CondSurrogate surrogate : {CondSurrogate::RowSums, CondSurrogate::Frobenius, CondSurrogate::Jacobi,
                                          CondSurrogate::Identity, CondSurrogate::TwoLevel}) {
      for (const CondOperator contact : {CondOperator::Strict, CondOperator::Proximal}) {
        Settings settings{.tolerance = 1e-9, .max_iterations = 20000};
        settings.cond.acceleration = acceleration;
        settings.cond.surrogate = surrogate;
        settings.cond.contact = contact;
        const Result cond = solve(problem, "cond", settings);
        EXPECT_LE(difference(canal.v, cond.v), 1e-6) << kCondAccelerationNames[static_cast<int>(acceleration)] << ' '
                                                     << kCondSurrogateNames[static_cast<int>(surrogate)] << ' '
                                                     << to_string(cond.status) << ' ' << cond.verdict.residual;
      }
    }
  }
}

/// [COND] Table I: a box on virtual nodes sinks at lambda / kv, and not at all with dampers centred at the impulses.
TEST(CondTest, VirtualNodesErrIsLambdaOverGainUnlessLagged) {
  constexpr double kMass = 0.5, kImpulse = 0.05;  // kg; N s of gravity in a step
  SpatialInertia inertia;
  inertia.mass = kMass;
  inertia.rotational.diagonal = Vec3{1, 1, 1} * (kMass * 0.2 * 0.2 / 6);
  Problem problem;
  problem.add_body(inertia, {0, 0.3, -kImpulse, 0, 0, 0});
  for (const double x : {-0.1, 0.1}) {
    for (const double y : {-0.1, 0.1}) {
      problem.add_contact({0, 0}, {}, {test::point_on(0, {x, y, -0.1}, Mat3::identity(), 1)});
    }
  }
  for (const double gain : {1.0, 10.0, 100.0}) {
    Settings settings{.tolerance = 1e-9, .max_iterations = 100000};
    settings.cond.virtual_gain = gain;
    settings.cond.lag = CondLag::None;
    const Result published = solve(problem, "cond", settings);
    EXPECT_EQ(published.status, SolveStatus::Relaxed) << gain << ": " << published.stats.iterations;
    // m v = 4 lambda - impulse, v = -lambda / gain
    const double sinking = -kImpulse / (4 * gain + kMass);
    EXPECT_NEAR(published.v[2], sinking, 1e-3 * std::abs(sinking)) << gain;
    settings.cond.lag = CondLag::Iterated;
    const Result lagged = solve(problem, "cond", settings);
    EXPECT_EQ(lagged.status, SolveStatus::Converged)
        << gain << ": " << lagged.verdict.residual << ", " << lagged.stats.iterations;
    EXPECT_NEAR(lagged.v[2], 0, 1e-8) << gain;
  }
}

/// What it can't solve is a status and the best iterate, and numbers are finite: stiff grasps, much friction, gains
/// that are far off.
TEST(CondTest, TroubleIsAStatus) {
  const SoftCase stiff{.x = 4, .y = 4, .z = 4, .young = 1e9, .mu = 2.1, .floor = false, .pinch = true};
  const Problem problem = test::soft_problem(stiff, 1);
  PreparedProblem prepared(problem);
  Judge judge;
  const double without = judge.residual(prepared, std::vector<double>(static_cast<std::size_t>(problem.rows), 0.0));
  for (const double gain : {0.0, 1e-9, 1e9}) {
    for (const CondSurrogate surrogate : {CondSurrogate::RowSums, CondSurrogate::Jacobi}) {
      Settings settings{.tolerance = 1e-9, .max_iterations = 300};
      settings.cond.virtual_gain = gain;
      settings.cond.surrogate = surrogate;
      const Result result = solve(problem, "cond", settings);
      for (const double x : result.v) ASSERT_TRUE(std::isfinite(x));
      for (const double x : result.lambda) ASSERT_TRUE(std::isfinite(x));
      EXPECT_LE(result.verdict.residual, without) << gain;
      EXPECT_EQ(result.status == SolveStatus::Converged,
                std::max(result.verdict.residual, result.verdict.siconos) <= settings.tolerance);
    }
  }
}

/// The second level solves for motions of large parts: at least a third fewer iterations where most nodes are free, and
/// the same velocities.
TEST(CondTest, SecondLevelSavesIterations) {
  Settings one{.tolerance = 1e-7, .require_siconos = false, .max_iterations = 20000}, two = one;
  one.cond.surrogate = CondSurrogate::Frobenius;
  two.cond.surrogate = CondSurrogate::TwoLevel;
  for (const SoftCase& soft :
       {SoftCase{.x = 10, .y = 10, .z = 10, .young = 1e6, .mu = 0.1}, SoftCase{.x = 14, .y = 14, .mu = 0.1}}) {
    const Problem problem = test::soft_problem(soft, 1);
    const Result without = solve(problem, "cond", one), with = solve(problem, "cond", two);
    EXPECT_EQ(without.status, SolveStatus::Converged);
    EXPECT_EQ(with.status, SolveStatus::Converged);
    EXPECT_LT(with.stats.iterations, without.stats.iterations * 2 / 3);
    EXPECT_LE(difference(with.v, without.v), 1e-4);
  }
}

/// A string of beads on springs that are 1e5 times as stiff as beads are heavy; every 40th is on a plane.
Problem string_of_beads(int beads) {
  std::vector<std::pair<int, int>> couples;
  for (int i = 0; i + 1 < beads; ++i) couples.emplace_back(i, i + 1);
  NodalMatrix matrix(std::make_shared<NodalPattern>(make_nodal_pattern(beads, couples)));
  constexpr double kMass = 1e-3, kSpring = 1e5 * kMass;  // kg
  std::vector<double> impulse(3 * static_cast<std::size_t>(beads), 0.0);
  for (int i = 0; i < beads; ++i) {
    matrix.add_to_diagonal(i, kMass);
    impulse[3 * static_cast<std::size_t>(i)] = kMass * 0.2 * (i % 7);
    impulse[3 * static_cast<std::size_t>(i) + 2] = -kMass * 0.1;
    if (i == 0) continue;
    matrix.add_to_diagonal(i - 1, kSpring);
    matrix.add_to_diagonal(i, kSpring);
    for (int d = 0; d < 9; d += 4) matrix.block(matrix.pattern->place(i, i - 1))[d] -= kSpring;
  }
  Problem problem;
  problem.add_nodal(std::move(matrix), impulse);
  for (int i = 0; i < beads; i += 40) {
    Attachment node;
    node.kind = AttachmentKind::Nodes;
    node.frame = Mat3::identity();
    node.node[0] = i;
    node.weight[0] = 1;
    problem.add_contact({0.1, 0.1}, {}, {node});
  }
  return problem;
}

/// Chains are inverted, not stepped along bead by bead.
TEST(CondTest, ChainsTakeFewIterations) {
  for (const int beads : {60, 400}) {
    const Problem problem = string_of_beads(beads);
    const Result canal = solve(problem, "canal", {.tolerance = 1e-10});
    Settings settings{.tolerance = 1e-9, .max_iterations = 20000};
    const Result cond = solve(problem, "cond", settings);
    EXPECT_EQ(cond.status, SolveStatus::Converged) << beads << ": " << cond.verdict.residual;
    EXPECT_LE(difference(canal.v, cond.v), 1e-6) << beads;
    settings.cond.exact_blocks = false;
    EXPECT_LT(cond.stats.iterations, solve(problem, "cond", settings).stats.iterations / 2) << beads;
  }
}

/// [COND]'s test |v+ - v| < theta says that it has converged where the box has hardly moved; the judge does not.
TEST(CondTest, PublishedStopTestIsNotBelieved) {
  Problem problem;
  SpatialInertia inertia;
  inertia.mass = 0.5;
  inertia.rotational.diagonal = Vec3{1, 1, 1} * 0.003;
  problem.add_body(inertia, {0, 0.3, -0.05, 0, 0, 0});
  problem.add_contact({0.2, 0.2}, {}, {test::point_on(0, {0, 0, -0.1}, Mat3::identity(), 1)});
  Settings settings;
  settings.cond.stop = CondStop::VelocityChange;
  settings.cond.virtual_gain = 1e5;
  settings.cond.lag = CondLag::None;
  settings.cond.exact_blocks = false;
  settings.cond.surrogate = CondSurrogate::Frobenius;
  const Result published = solve(problem, "cond", settings);
  EXPECT_LE(published.stats.iterations, 3);
  EXPECT_EQ(published.status, SolveStatus::Relaxed);
  EXPECT_GT(published.verdict.residual, 1e-3);
}

TEST(CondTest, SameBitsForAnyNumberOfThreads) {
  const Problem problem = test::soft_problem({.x = 12, .y = 12, .z = 8, .plate = true, .faces = true}, 4);
  for (const CondAcceleration acceleration : {CondAcceleration::Fista, CondAcceleration::Anderson}) {
    Settings settings{.tolerance = 1e-300, .max_iterations = 40};
    settings.cond.acceleration = acceleration;
    const Result one = solve(problem, "cond", settings);
    for (const int threads : {2, 5}) {
      settings.threads = threads;
      const Result many = solve(problem, "cond", settings);
      EXPECT_EQ(one.lambda, many.lambda);
      EXPECT_EQ(one.v, many.v);
    }
  }
}

TEST(CondTest, WarmStartsFromVelocitiesAndImpulses) {
  const Problem problem = test::soft_problem({.plate = true}, 6);
  Settings settings{.tolerance = 1e-7};
  const Result cold = solve(problem, "cond", settings);
  Workspace workspace;
  Result warm;
  workspace.start = cold.lambda;
  workspace.start_velocity = cold.v;
  find_solver("cond").solve(problem, settings, workspace, warm);
  EXPECT_EQ(warm.status, SolveStatus::Converged);
  EXPECT_LT(warm.stats.iterations, cold.stats.iterations / 3);
}

TEST(CondTest, AutoTakesItOnSoftBodiesTouchedAllOver) {
  const Settings loose{.tolerance = 1e-6, .require_siconos = false};
  const Problem mat = test::soft_problem({.x = 20, .y = 20, .z = 3}, 1);
  EXPECT_TRUE(prefers_cond(mat, loose));
  EXPECT_FALSE(prefers_cond(mat, {.tolerance = 1e-8, .require_siconos = false}));
  EXPECT_FALSE(prefers_cond(test::soft_problem({.x = 20, .y = 20, .z = 3, .young = 1e8}, 1), loose));  // stiff
  EXPECT_FALSE(prefers_cond(test::soft_problem({.x = 11, .y = 10, .z = 10}, 1), loose));               // a cube
  EXPECT_FALSE(prefers_cond(test::soft_problem({}, 1), loose));                                        // small
  const Result chosen = solve(mat, "auto", loose), cond = solve(mat, "cond", loose);
  EXPECT_EQ(chosen.status, SolveStatus::Converged);
  EXPECT_EQ(chosen.stats.iterations, cond.stats.iterations);
}

/// [COND] eq. 37: with a compliance at each contact, impulses follow from velocities; by every method.
TEST(InvertibleContactTest, ImpulsesFollowFromVelocities) {
  constexpr double kOmega = 1e-2;  // 1/kg
  const Problem soft = test::soft_problem({.x = 4, .y = 4, .z = 3, .mu = 0.3, .plate = true}, 3);
  const Problem problem = with_invertible_contacts(soft, kOmega);
  EXPECT_EQ(problem.rows, soft.rows);
  for (const char* method : {"canal", "cond", "subadmm"}) {
    const Result result =
        solve(problem, method, {.tolerance = 1e-11, .max_iterations = test::enough_iterations(method)});
    ASSERT_LE(result.verdict.residual, 1e-10) << method;
    std::vector<double> inverse(result.lambda.size());
    contact_impulses_from_velocities(soft, kOmega, {result.v.data(), static_cast<std::size_t>(soft.n())}, inverse);
    double size = 0;
    for (const double x : result.lambda) size = std::max(size, std::abs(x));
    EXPECT_LE(difference(result.lambda, inverse), 1e-6 * size) << method;
  }
}

}  // namespace
}  // namespace uzawa
