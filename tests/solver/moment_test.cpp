/// Rolling and torsional friction: closed forms by every method that knows them, agreement, files, islands.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <random>

#include "small_problems.hpp"
#include "support/attachments.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/base/temp_folder.hpp"
#include "uzawa/problem_io/problem_file.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa {
namespace {

constexpr double kMass = 2, kRadius = 0.1, kInertia = 0.4 * kMass * kRadius * kRadius;
constexpr double kPush = 1;  ///< N s: normal impulse that holds the ball up

const Mat3 kFloor{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

Attachment turn_of(int body, const Mat3& frame, double sign) {
  Attachment out;
  out.kind = AttachmentKind::LinkTurn;
  out.block = body;
  out.frame = frame;
  out.sign = sign;
  return out;
}

int add_ball(Problem& problem, const Vec3& v, const Vec3& w, double lift = 0) {
  const Vec3 p = v * kMass + Vec3{0, 0, lift - kPush}, l = w * kInertia;
  const SpatialInertia inertia{kMass, {}, {{kInertia, kInertia, kInertia}, {}}};
  return problem.add_body(inertia, {p.x(), p.y(), p.z(), l.x(), l.y(), l.z()});
}

void touch_floor(Problem& problem, int ball, double mu, const MomentCone& moments) {
  problem.add_contact({mu, mu}, {}, {test::point_on(ball, {0, 0, -kRadius}, kFloor, 1)});
  problem.add_moment(moments, {turn_of(ball, kFloor, 1)});
}

/// A ball on the floor.
Problem ball(const Vec3& v, const Vec3& w, double mu, const MomentCone& moments, double lift = 0) {
  Problem problem;
  touch_floor(problem, add_ball(problem, v, w, lift), mu, moments);
  return problem;
}

std::vector<const char*> methods() {
  std::vector<const char*> names;
  for (const Solver& solver : solvers()) {
    if (solver.traits.moments) names.push_back(solver.name);
  }
  return names;
}

Result solve(const Problem& problem, const char* name, double tolerance = 1e-13) {
  Settings settings;
  settings.tolerance = tolerance;
  settings.max_iterations = test::enough_iterations(name);
  settings.canal.newton_tolerance = 0.1 * tolerance;
  Workspace workspace;
  Result result;
  find_solver(name).solve(problem, settings, workspace, result);
  return result;
}

class MomentTest : public testing::TestWithParam<const char*> {
 protected:
  /// Solved, with these velocities.
  static void expect_motion(const Problem& problem, const std::vector<double>& v) {
    const Result result = solve(problem, GetParam());
    EXPECT_EQ(result.status, SolveStatus::Converged);
    for (std::size_t i = 0; i < v.size(); ++i) EXPECT_NEAR(result.v[i], v[i], 1e-11) << "dof " << i;
    EXPECT_LT(result.verdict.dissipation, 1e-12);
    EXPECT_LT(result.verdict.cone_violation, 1e-12);
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, MomentTest, testing::ValuesIn(methods()), [](const auto& method) {
  std::string name = method.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST_P(MomentTest, SpinSlowsDownByTheBound) {
  const double spin = 0.01, after = 5 - spin * kPush / kInertia;
  expect_motion(ball({}, {0, 0, 5}, 0.5, {0, 0, spin}), {0, 0, 0, 0, 0, after});
}

TEST_P(MomentTest, SlowSpinStops) { expect_motion(ball({}, {0, 0, 0.5}, 0.5, {0, 0, 0.01}), {0, 0, 0, 0, 0, 0}); }

TEST_P(MomentTest, WithoutFrictionOnTheFloorSpinStillSlowsDown) {
  expect_motion(ball({1, 0, 0}, {0, 0, 5}, 0, {0, 0, 0.01}), {1, 0, 0, 0, 0, 5 - 0.01 * kPush / kInertia});
}

TEST_P(MomentTest, RollingSlowsDown) {
  // It keeps rolling: (I + m r^2) dw = -roll n.
  const double roll = 0.004, w = 3, after = w - roll * kPush / (kInertia + kMass * kRadius * kRadius);
  expect_motion(ball({w * kRadius, 0, 0}, {0, w, 0}, 0.8, {roll, roll, 0}), {after * kRadius, 0, 0, 0, after, 0});
}

TEST_P(MomentTest, RollingStops) {
  expect_motion(ball({0.02, 0, 0}, {0, 0.2, 0}, 0.8, {0.01, 0.01, 0}), {0, 0, 0, 0, 0, 0});
}

/// Sliding, rolling and spinning at once: each has its bound in full.
TEST_P(MomentTest, BoundsDoNotShare) {
  const double mu = 0.3, roll = 0.002, spin = 0.004, slide = 4;
  const Vec3 w{0, -8, 6};  // backspin: it slides
  const double friction = mu * kPush;
  const Vec3 after{0, w.y() + (friction * kRadius + roll * kPush) / kInertia, w.z() - spin * kPush / kInertia};
  expect_motion(ball({slide, 0, 0}, w, mu, {roll, roll, spin}),
                {slide - friction / kMass, 0, 0, 0, after.y(), after.z()});
}

TEST_P(MomentTest, AContactThatOpensTransmitsNothing) {
  expect_motion(ball({}, {1, 2, 3}, 0.5, {0.01, 0.01, 0.01}, 3 * kPush), {0, 0, 2 * kPush / kMass, 1, 2, 3});
}

TEST_P(MomentTest, EllipticRollingDissipatesMost) {
  const Problem problem = ball({}, {3, 4, 1}, 0, {0.002, 0.006, 0.01});
  const Result result = solve(problem, GetParam());
  EXPECT_EQ(result.status, SolveStatus::Converged);
  const Vec3 w = Vec3::from(&result.v[3]), m = Vec3::from(&result.lambda[3]);
  const double power = length(0.002 * w.x(), 0.006 * w.y());
  EXPECT_NEAR(m.x(), -0.002 * 0.002 * w.x() / power, 1e-11);
  EXPECT_NEAR(m.y(), -0.006 * 0.006 * w.y() / power, 1e-11);
}

/// Balls in a heap, of different sizes, on the floor and on each other.
Problem heap(int balls, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> any(-1, 1), mass(0.5, 2);
  Problem problem;
  for (int i = 0; i < balls; ++i) {
    const double m = mass(random), inertia = 0.4 * m * kRadius * kRadius;
    const auto impulse = [&](double scale) { return scale * any(random); };
    problem.add_body({m, {}, {{inertia, inertia, inertia}, {}}},
                     {impulse(0.3), impulse(0.3), -m, impulse(0.05), impulse(0.05), impulse(0.05)});
    touch_floor(problem, i, 0.3, {0.003, 0.003, 0.01});
    if (i == 0) continue;
    Vec3 normal{any(random), any(random), 0.4};
    normal *= 1 / norm(normal);
    const Mat3 frame = test::frame_of(normal);
    problem.add_contact(
        {0.4, 0.4}, {},
        {test::point_on(i - 1, normal * kRadius, frame, -1), test::point_on(i, normal * -kRadius, frame, 1)});
    problem.add_moment({0.002, 0.004, 0.02}, {turn_of(i - 1, frame, -1), turn_of(i, frame, 1)});
  }
  return problem;
}

TEST(MomentProblemTest, MethodsAgreeOnHeaps) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const Problem problem = heap(6, seed);
    validate(problem);
    const Result exact = solve(problem, "canal", 1e-12);
    ASSERT_EQ(exact.status, SolveStatus::Converged) << seed;
    EXPECT_LE(exact.stats.inner_iterations, 40);
    for (const char* name : {"subadmm", "pgs", "auto", "fadmm", "admm-no-body"}) {
      const Result other = solve(problem, name, 1e-10);
      ASSERT_EQ(other.status, SolveStatus::Converged) << name << " " << seed;
      for (std::size_t i = 0; i < exact.v.size(); ++i) ASSERT_NEAR(other.v[i], exact.v[i], 1e-6) << name << " " << i;
    }
  }
}

TEST(MomentProblemTest, PublishedLoopsAgreeToo) {
  const Problem problem = heap(4, 5);
  Settings settings;
  settings.tolerance = 1e-9;
  settings.max_iterations = 300;
  settings.canal.polish = false;
  Workspace workspace;
  Result loops;
  find_solver("canal").solve(problem, settings, workspace, loops);
  ASSERT_EQ(loops.status, SolveStatus::Converged);
  const Result exact = solve(problem, "canal", 1e-12);
  for (std::size_t i = 0; i < exact.v.size(); ++i) EXPECT_NEAR(loops.v[i], exact.v[i], 1e-6);
}

TEST(MomentProblemTest, AWarmStartIsSolvedAtOnce) {
  const Problem problem = heap(5, 7);
  Settings settings;
  settings.tolerance = 1e-11;
  Workspace workspace;
  Result first, second;
  find_solver("canal").solve(problem, settings, workspace, first);
  workspace.start = first.lambda;
  find_solver("canal").solve(problem, settings, workspace, second);
  EXPECT_EQ(second.status, SolveStatus::Converged);
  EXPECT_LE(second.stats.inner_iterations, 2);
}

TEST(MomentProblemTest, IslandsAreSolvedOneByOne) {
  Problem both;
  for (const double w : {5.0, 0.3}) touch_floor(both, add_ball(both, {}, {0, 0, w}), 0.5, {0.001, 0.001, 0.01});
  Settings settings;
  settings.tolerance = 1e-12;
  Workspace workspace;
  Result result;
  solve_islands(find_solver("auto"), both, settings, workspace, result);
  EXPECT_EQ(result.stats.islands, 2);
  EXPECT_EQ(result.status, SolveStatus::Converged);
  EXPECT_NEAR(result.v[5], 5 - 0.01 * kPush / kInertia, 1e-11);
  EXPECT_NEAR(result.v[11], 0, 1e-11);
}

TEST(MomentProblemTest, FilesKeepEveryBit) {
  const TempFolder folder;
  const Problem problem = heap(4, 9);
  const std::filesystem::path path = folder.path() / "heap.json";
  write_problem(problem, path);
  const Problem read = read_problem(path);
  ASSERT_EQ(read.moments.size(), problem.moments.size());
  EXPECT_EQ(read.moments.contact, problem.moments.contact);
  EXPECT_EQ(read.moments.row, problem.moments.row);
  EXPECT_EQ(solve(read, "canal").lambda, solve(problem, "canal").lambda);
  EXPECT_THROW(write_problem(problem, folder.path() / "heap.hdf5"), InputError);
}

TEST(MomentProblemTest, AMomentNeedsItsContact) {
  Problem problem;
  const int body = add_ball(problem, {}, {});
  EXPECT_THROW(problem.add_moment({0, 0, 1}, {turn_of(body, kFloor, 1)}), InputError);
}

TEST(MomentProblemTest, OtherMethodsRefuseByName) {
  const Problem problem = ball({}, {0, 0, 5}, 0.5, {0, 0, 0.01});
  Workspace workspace;
  Result result;
  for (const Solver& solver : solvers()) {
    if (solver.traits.moments) continue;
    try {
      solver.solve(problem, {}, workspace, result);
      ADD_FAILURE() << solver.name << " has solved it";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(solver.name), std::string::npos) << error.what();
    }
  }
}

/// Wrong impulses are found out by the judge, in every measure.
TEST(MomentProblemTest, TheJudgeSeesAWrongMoment) {
  const Problem problem = ball({}, {0, 0, 5}, 0.5, {0, 0, 0.01});
  PreparedProblem prepared;
  prepared.prepare(problem);
  Judge judge;
  const Verdict good = judge.evaluate(prepared, std::vector<double>{0, 0, kPush, 0, 0, -0.01 * kPush});
  EXPECT_LT(good.residual, 1e-14);
  const Verdict weak = judge.evaluate(prepared, std::vector<double>{0, 0, kPush, 0, 0, -0.004 * kPush});
  EXPECT_NEAR(weak.residual, 0.006 * kPush / 2, 1e-12);
  EXPECT_GT(weak.dissipation, 1e-3);
  EXPECT_GT(weak.siconos, 1e-4);
  const Verdict strong = judge.evaluate(prepared, std::vector<double>{0, 0, kPush, 0, 0, -0.02 * kPush});
  EXPECT_NEAR(strong.cone_violation, 0.01 * kPush, 1e-12);
  EXPECT_EQ(strong.worst_name(problem), "moment constraint 1");
}

}  // namespace
}  // namespace uzawa
