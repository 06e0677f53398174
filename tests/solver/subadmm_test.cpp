/// SubADMM and the ADMMs that it is compared with: lanes against scalars, subsystems against dense algebra, threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "problem/random_problem.hpp"
#include "support/attachments.hpp"
#include "support/dense_jacobian.hpp"
#include "support/problem_families.hpp"
#include "support/quadrupeds.hpp"
#include "uzawa/problem/block_matrix.hpp"
#include "uzawa/solver/admm/subadmm_iteration.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa {
namespace {

constexpr const char* kMethods[] = {"subadmm", "admm-no-sub", "admm-no-body"};

// -- lanes

template <int kLanes>
void expect_projections_like_the_scalar_function() {
  test::Random random(1);
  const double special[] = {0, -0.0, 1e-200, -1e-200, 1e-9, 1, -1, 1e150};
  const Vec3 axis = Vec3{0.48, -0.6, 0.64}, first = Vec3{0.8, 0, -0.6}, second = cross(axis, first);
  for (int i = 0; i < 20000; ++i) {
    Vec3Lanes<kLanes> s, turned, axes;
    LanesOf<kLanes> mu{};
    for (int lane = 0; lane < kLanes; ++lane) {
      const auto draw = [&] {
        const double any = test::uniform(random, -2, 2);
        return test::uniform(random, 0, 1) < 0.3 ? special[static_cast<std::size_t>(test::uniform(random, 0, 8))] : any;
      };
      const double x = draw(), y = draw(), z = draw();
      s.set_lane(lane, {x, y, z});
      turned.set_lane(lane, first * x + second * y + axis * z);
      axes.set_lane(lane, axis);
      mu[lane] = test::uniform(random, 0, 1) < 0.2 ? 0 : test::uniform(random, 0, 1.5);
    }
    const Vec3Lanes<kLanes> lanes = project_strict(mu, s), about_axes = project_strict(mu, axes, turned);
    for (int lane = 0; lane < kLanes; ++lane) {
      const Vec3 scalar = project_strict(FrictionCone{mu[lane], mu[lane]}, s.lane(lane));
      ASSERT_TRUE(all_finite(lanes.lane(lane))) << "mu " << mu[lane];
      ASSERT_LE(norm(lanes.lane(lane) - scalar), 4e-16 * norm(scalar)) << "mu " << mu[lane];
      const Vec3 expected = first * scalar.x() + second * scalar.y() + axis * scalar.z();
      ASSERT_LE(norm(about_axes.lane(lane) - expected), 1e-15 * norm(s.lane(lane))) << "mu " << mu[lane];
    }
  }
}

TEST(ConeLanesTest, ProjectLikeTheScalarFunction) {
  expect_projections_like_the_scalar_function<4>();
  expect_projections_like_the_scalar_function<kWide>();
}

// -- subsystems against dense algebra

/// J_ij of one side from the attachments' definitions: rows t1, t2, n; a scalar constraint on a joint or a matrix has
/// n alone.
Eigen::MatrixXd side_jacobian(const Problem& problem, const AdmmSide& side, Splitting splitting) {
  if (side.kind == AdmmSideKind::Point) return test::attachment_jacobian(problem, *side.from, 3);
  const auto c = static_cast<std::size_t>(side.constraint);
  const int dims = problem.dims(side.constraint);
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(3, problem.n());
  for (int i = problem.attachment_start[c]; i < problem.attachment_start[c + 1]; ++i) {
    const Attachment& other = problem.attachments[static_cast<std::size_t>(i)];
    const bool mine = side.kind == AdmmSideKind::Joint
                          ? &other == side.from
                          : splitting == Splitting::None || other.block == side.from->block;
    if (mine) out.bottomRows(dims) += test::attachment_jacobian(problem, other, dims);
  }
  return out;
}

/// Nothing of a constraint is lost or counted twice: its sides add up to its rows of J.
void expect_sides_add_up(const Problem& problem, std::span<const AdmmSide> sides, const Eigen::MatrixXd& j) {
  const Eigen::MatrixXd expected = test::dense_jacobian(problem);
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(expected.rows(), expected.cols());
  for (std::size_t s = 0; s < sides.size(); ++s) {
    const int dims = problem.dims(sides[s].constraint);
    sum.middleRows(problem.constraints[static_cast<std::size_t>(sides[s].constraint)].row, dims) +=
        j.middleRows(3 * static_cast<Eigen::Index>(s) + 3 - dims, dims);
  }
  EXPECT_LE((sum - expected).norm(), 1e-13 * (1 + expected.norm()));
}

/// The dense v = (A + beta sum J_ij^T J_ij)^-1 (b + sum J_ij^T g_ij).
void expect_subsystem_solution(const Problem& problem, Splitting splitting, double tolerance) {
  constexpr double kBeta = 0.7;
  AdmmSubsystems subsystems;
  subsystems.prepare(problem, constraint_rows(problem), splitting);
  ASSERT_TRUE(subsystems.factorize(problem, kBeta, nullptr));
  test::Random random(3);
  const int n = problem.n(), sides = static_cast<int>(subsystems.sides().size());
  Eigen::MatrixXd j(3 * sides, n);
  Eigen::VectorXd load = Eigen::VectorXd::Zero(3 * sides);
  for (int s = 0; s < sides; ++s) {
    const AdmmSide& side = subsystems.sides()[static_cast<std::size_t>(s)];
    j.middleRows(3 * s, 3) = side_jacobian(problem, side, splitting);
    const bool scalar = side.kind == AdmmSideKind::Joint || problem.dims(side.constraint) == 1;
    const Vec3 any = test::random_vec3(random), g = scalar ? Vec3{0, 0, any.z()} : any;
    load.segment<3>(3 * s) = test::eigen(g);
    subsystems.push(side, g);
  }
  expect_sides_add_up(problem, subsystems.sides(), j);
  subsystems.solve(problem, nullptr);
  const Eigen::MatrixXd h = test::dense_a(problem) + kBeta * j.transpose() * j;
  const Eigen::VectorXd b = Eigen::Map<const Eigen::VectorXd>(problem.b.data(), n);
  const Eigen::VectorXd expected = j * h.ldlt().solve(b + j.transpose() * load);
  for (int i = 0; i < 3 * sides; ++i) {
    const Vec3 u = subsystems.velocity(subsystems.sides()[static_cast<std::size_t>(i / 3)]);
    ASSERT_NEAR(u[i % 3], expected[i], tolerance * (1 + expected.norm())) << "side " << i / 3;
  }
}

/// Velocities that are put in come out as J_ij v.
TEST(SubsystemsTest, SidesMoveAsTheirAttachmentsSay) {
  test::Random random(9);
  for (const Splitting splitting : {Splitting::Bodies, Splitting::Subsystems, Splitting::None}) {
    for (int i = 0; i < 20; ++i) {
      const Problem problem = i < 19 ? test::random_problem(random) : test::quadrupeds(5, 2);
      AdmmSubsystems subsystems;
      subsystems.prepare(problem, constraint_rows(problem), splitting);
      Eigen::VectorXd v(problem.n());
      for (double& x : v) x = test::uniform(random, -1, 1);
      subsystems.set_velocity(problem, {v.data(), static_cast<std::size_t>(v.size())});
      for (const AdmmSide& side : subsystems.sides()) {
        const Eigen::Vector3d expected = side_jacobian(problem, side, splitting) * v;
        ASSERT_LE((test::eigen(subsystems.velocity(side)) - expected).norm(), 1e-13 * (1 + expected.norm()))
            << "problem " << i << ", constraint " << side.constraint;
      }
    }
  }
}

/// A tree with two floating roots, each with a hinged limb, and with armature on every dof.
TreeInertia two_roots(test::Random& random) {
  TreeInertia tree(std::make_shared<TreeTopology>(std::vector<int>{-1, -1, 0, 1}, std::vector<int>{6, 6, 1, 1}));
  for (std::size_t d = 0; d < tree.subspace.size(); ++d) {
    tree.subspace[d] = {test::random_vec3(random), test::random_vec3(random)};
    tree.diagonal[d] = test::uniform(random, 0.1, 1);
  }
  for (SpatialInertia& inertia : tree.inertia) inertia = test::random_inertia(random);
  return tree;
}

TEST(SubsystemsTest, TreesWithSeveralRoots) {
  test::Random random(6);
  Problem problem;
  const TreeInertia tree = two_roots(random);
  problem.add_tree(tree, std::vector<double>(tree.diagonal.size(), 0.3));
  for (int link = 0; link < 4; ++link) {
    problem.add_contact({0.5, 0.5}, {}, {test::point_on_link(0, link, test::random_vec3(random), Mat3::identity(), 1)});
  }
  expect_subsystem_solution(problem, Splitting::Bodies, 1e-10);
}

TEST(SubsystemsTest, SolveWhatDenseAlgebraSolves) {
  for (const Splitting splitting : {Splitting::Bodies, Splitting::Subsystems, Splitting::None}) {
    test::Random random(4);
    for (int i = 0; i < 30; ++i) expect_subsystem_solution(test::random_problem(random), splitting, 1e-9);
    for (const int robots : {3, 9}) expect_subsystem_solution(test::quadrupeds(robots, 1), splitting, 1e-10);
    expect_subsystem_solution(test::sphere_pile(3, true, 0), splitting, 1e-10);
  }
}

TEST(SubsystemsTest, MemoryLeavesNoTrace) {
  test::Random random(5);
  SubAdmmIteration used;
  for (int i = 0; i < 12; ++i) {
    const Problem problem = i % 3 == 0 ? test::quadrupeds(1 + i % 4, 1) : test::random_problem(random);
    const auto splitting = static_cast<Splitting>(i % 2 == 0 ? 0 : 1 + i / 2 % 2);
    PreparedProblem prepared(problem);
    const std::vector<double> cold(static_cast<std::size_t>(problem.rows), 0.0);
    SubAdmmIteration fresh;
    used.prepare(prepared, {}, cold, splitting);
    fresh.prepare(prepared, {}, cold, splitting);
    for (int k = 0; k < 50; ++k) {
      used.step(problem);
      fresh.step(problem);
    }
    const std::span<const double> a = used.impulses(problem), b = fresh.impulses(problem);
    EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end())) << i;
  }
}

/// One contact that holds is alone in a group of four: the empty places are no reason to factorise again.
TEST(AdmmTest, NothingIsFactorisedAgainWhereNothingOpens) {
  Problem problem;
  SpatialInertia ball;
  ball.mass = 1;
  ball.rotational.diagonal = {0.01, 0.01, 0.01};
  problem.add_body(ball, {0, 0, -1, 0, 0, 0});
  problem.add_contact({0.5, 0.5}, {}, {test::point_on(0, {0, 0, -0.1}, Mat3::identity(), 1)});
  PreparedProblem prepared(problem);
  SubAdmmIteration iteration;
  iteration.prepare(prepared, {}, std::vector<double>(3, 0.0), Splitting::Bodies);
  for (int i = 0; i < 15; ++i) iteration.step(problem);
  EXPECT_EQ(iteration.factorizations(), 1);
}

// -- methods

TEST(AdmmTest, AllSplittingsAgreeWithCanal) {
  for (const Problem& problem : {test::quadrupeds(2, 3), test::dish_stack(4, true, 0)}) {
    Workspace workspace;
    Result canal, result;
    Settings settings;
    find_solver("canal").solve(problem, settings, workspace, canal);
    ASSERT_EQ(canal.status, SolveStatus::Converged);
    for (const char* name : kMethods) {
      settings.max_iterations = 20000;
      find_solver(name).solve(problem, settings, workspace, result);
      EXPECT_EQ(result.status, SolveStatus::Converged) << name;
      for (std::size_t i = 0; i < canal.v.size(); ++i) EXPECT_NEAR(canal.v[i], result.v[i], 1e-5) << name << " " << i;
    }
  }
}

TEST(AdmmTest, EveryKindOfConstraintInEverySplitting) {
  test::Random random(6);
  int solvable = 0;
  for (int i = 0; i < 20; ++i) {
    const Problem problem = test::random_problem(random);
    Workspace workspace;
    Result result;
    find_solver("canal").solve(problem, {}, workspace, result);
    // Rows drawn at random may contradict each other, or all but vanish: only rounding leaves something of them, which
    // Newton's method may find impulses for, 1e16 N s or so.
    const auto is_absurd = [](double impulse) { return std::abs(impulse) > 1e6; };
    if (result.status != SolveStatus::Converged || std::ranges::any_of(result.lambda, is_absurd)) continue;
    ++solvable;
    for (const char* name : kMethods) {
      Settings settings;
      settings.tolerance = 1e-7;
      settings.max_iterations = 20000;
      find_solver(name).solve(problem, settings, workspace, result);
      EXPECT_EQ(result.status, SolveStatus::Converged) << name << ", problem " << i << ": " << result.verdict.residual;
      EXPECT_EQ(result.stats.inner_failures, 0) << name;
    }
  }
  EXPECT_GE(solvable, 5);
}

// -- threads

/// Trees, free bodies, sparse blocks and all kinds of constraints, enough of each for loops to be shared.
Problem crowd() {
  Problem problem = test::quadrupeds(340, 7);
  const int robots = static_cast<int>(problem.blocks.size());
  test::Random random(8);
  for (int i = 0; i < 300; ++i) problem.add_body(test::random_inertia(random), {0.1, 0, -0.5, 0, 0.1, 0});
  for (int i = 0; i < 3; ++i) problem.add_sparse(test::random_sparse(random, 30), std::vector<double>(30, -0.1));
  const auto touch = [&](int block, int link, const Mat3& frame, double sign) {
    Attachment a;
    a.kind = AttachmentKind::LinkPoint;
    a.block = block;
    a.link = link;
    a.point = test::random_vec3(random, 0.3);
    a.frame = frame;
    a.sign = sign;
    return a;
  };
  const auto joint = [&](int block, int dof) {
    Attachment a;
    a.kind = AttachmentKind::Coordinate;
    a.block = block;
    a.dof = dof;
    return a;
  };
  for (int i = 0; i < 300; ++i) {
    const Mat3 frame = test::random_frame(random);
    const Attachment body = touch(robots + i, 0, frame, 1), link = touch(i, i % 13, frame, -1);
    switch (i % 4) {
      case 0: problem.add_contact({0.3, 0.6}, {0, 0, 0.01}, {body, link}); break;
      case 1: problem.add_hard(0.01, {body, link}); break;
      case 2: problem.add_equality(0.02, {body}); break;
      case 3: problem.add_soft(0.01, 2, 3, {body, link}); break;
    }
  }
  for (int i = 0; i < robots; ++i) {
    problem.add_limit(-0.2, 0.2, {joint(i, 6 + i % 12)});
    problem.add_friction(0.01, {joint(i, i % 18)});
  }
  for (int i = 0; i < 3; ++i) problem.add_hard(0, {joint(robots + 300 + i, 4), joint(0, 7)});
  return problem;
}

TEST(AdmmThreadsTest, SameBitsForAnyNumber) {
  const Problem problem = crowd();
  for (const char* name : kMethods) {
    if (std::string_view(name) == "admm-no-sub") continue;  // one matrix: nothing but the constraints is shared
    Result alone;
    for (const int threads : {1, 2, 8}) {
      Settings settings;
      settings.max_iterations = 45;  // past three changes of penalty and several extrapolations
      settings.threads = threads;
      Workspace workspace;
      Result result;
      find_solver(name).solve(problem, settings, workspace, result);
      EXPECT_EQ(result.stats.factorizations, 4) << name;
      if (threads == 1) {
        alone = result;
        continue;
      }
      EXPECT_EQ(result.lambda, alone.lambda) << name << " with " << threads;
      EXPECT_EQ(result.v, alone.v) << name << " with " << threads;
    }
  }
}

}  // namespace
}  // namespace uzawa
