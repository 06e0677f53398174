/// Projected Gauss-Seidel: its forms, and the operator that it works on.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "problem/random_problem.hpp"
#include "support/problem_families.hpp"
#include "uzawa/solver/gauss_seidel/gauss_seidel.hpp"
#include "uzawa/solver/gauss_seidel/local_contact.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa::test {
namespace {

constexpr PgsLocal kLocals[] = {PgsLocal::Split, PgsLocal::Exact, PgsLocal::Proximal};

Result solve(const Problem& problem, const PgsSettings& pgs, int sweeps, std::vector<double> start = {}) {
  Workspace workspace;
  workspace.start = std::move(start);
  Result result;
  find_solver("pgs").solve(problem, {.max_iterations = sweeps, .pgs = pgs}, workspace, result);
  return result;
}

TEST(PgsTest, EveryFormFindsTheSameMotion) {
  const Problem problem = sphere_pile(1, true, 0);
  const Result reference = solve(problem, {}, 100000);
  ASSERT_EQ(reference.status, SolveStatus::Converged);
  for (const PgsLocal local : kLocals) {
    for (const double relaxation : {0.8, 1.0, 1.3}) {
      for (const bool shuffle : {false, true}) {
        const Result result = solve(problem, {.relaxation = relaxation, .shuffle = shuffle, .local = local}, 100000);
        EXPECT_EQ(result.status, SolveStatus::Converged) << static_cast<int>(local) << ' ' << relaxation;
        for (std::size_t i = 0; i < result.v.size(); ++i) EXPECT_NEAR(result.v[i], reference.v[i], 1e-4);
      }
    }
  }
}

TEST(PgsTest, OverRelaxationSavesSweepsOnAPile) {
  int plain = 0, relaxed = 0;
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const Problem problem = sphere_pile(seed, true, 0);
    plain += solve(problem, {}, 5000).stats.iterations;
    relaxed += solve(problem, {.relaxation = 1.3}, 5000).stats.iterations;
  }
  EXPECT_LT(relaxed, 0.9 * plain);
}

TEST(PgsTest, ShufflingHelpsStacks) {
  double fixed = 0, shuffled = 0;
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const Problem problem = dish_stack(seed, false, 0);
    fixed += std::log10(solve(problem, {.shuffle = false}, 300).verdict.residual);
    shuffled += std::log10(solve(problem, {}, 300).verdict.residual);
  }
  EXPECT_LT(shuffled, fixed);
}

TEST(PgsTest, RepeatsBitForBit) {
  const Problem problem = dish_stack(1, true, 0);
  Workspace workspace;
  Result first, again;
  find_solver("pgs").solve(problem, {.max_iterations = 50}, workspace, first);
  find_solver("pgs").solve(problem, {.max_iterations = 50}, workspace, again);
  EXPECT_EQ(first.lambda, again.lambda);
}

/// Over-relaxation of scalar rows: a chain of equalities, where it is known to pay.
TEST(PgsTest, OverRelaxationOfScalarRows) {
  Problem problem;
  constexpr int kLinks = 20;
  Attachment a;
  a.kind = AttachmentKind::Coordinate;
  for (int i = 0; i < kLinks; ++i) problem.add_sparse({sparse(Eigen::MatrixXd::Identity(1, 1))}, {i == 0 ? 1.0 : 0.0});
  for (int i = 1; i < kLinks; ++i) {  // neighbours move together
    Attachment left = a, right = a;
    left.block = i - 1;
    right.block = i;
    right.coefficient = -1;
    problem.add_equality(0, {left, right});
  }
  const Result plain = solve(problem, {.shuffle = false}, 100000);
  const Result relaxed = solve(problem, {.relaxation = 1.7, .shuffle = false}, 100000);
  ASSERT_EQ(plain.status, SolveStatus::Converged);
  ASSERT_EQ(relaxed.status, SolveStatus::Converged);
  EXPECT_LT(2 * relaxed.stats.iterations, plain.stats.iterations);
  for (const double v : relaxed.v) EXPECT_NEAR(v, 1.0 / kLinks, 1e-6);
}

TEST(PgsTest, WarmStartSavesSweeps) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const Problem problem = sphere_pile(seed, true, 0);
    Problem next = problem;
    for (double& b : next.b) b *= 1.001;
    const Result first = solve(problem, {}, 5000), cold = solve(next, {}, 5000);
    const Result warm = solve(next, {}, 5000, first.lambda);
    EXPECT_LE(warm.verdict.residual, 1e-8);
    EXPECT_LT(warm.stats.iterations, cold.stats.iterations);
  }
}

/// Both forms of the operator against J A^-1 J^T itself.
RC_GTEST_PROP(Delassus, BothFormsAreTheMatrix, (unsigned seed)) {
  Random random(seed);
  const Problem problem = random_problem(random);
  const Eigen::MatrixXd j = dense(constraint_rows(problem));
  const Eigen::MatrixXd w = j * dense_a(problem).ldlt().solve(j.transpose());
  PreparedProblem prepared(problem);
  const CompactRows& rows = prepared.compact_rows();
  for (const DelassusForm form : {DelassusForm::MatrixFree, DelassusForm::Explicit}) {
    const DelassusOperator& delassus = prepared.delassus(form);
    DelassusOperator::Velocities velocities;
    RC_ASSERT(delassus.is_explicit() == (form == DelassusForm::Explicit));
    Eigen::VectorXd lambda(problem.rows);
    for (double& x : lambda) x = uniform(random, -1, 1);
    DelassusOperator::reset(problem, prepared.factor(), rows, {lambda.data(), static_cast<std::size_t>(lambda.size())},
                            velocities);
    // One constraint after another changes.
    for (int c = 0; c < rows.constraints(); ++c) {
      double delta[3];
      for (int d = 0; d < rows.dims(c); ++d) lambda[rows.first_row(c) + d] += delta[d] = uniform(random, -1, 1);
      delassus.apply(rows, c, delta, velocities);
    }
    const Eigen::Map<const Eigen::VectorXd> free(prepared.free_constraint_velocity().data(), problem.rows);
    const Eigen::VectorXd expected = free + w * lambda;
    for (int c = 0; c < rows.constraints(); ++c) {
      const int dims = rows.dims(c), first = rows.first_row(c);
      double u[3];
      delassus.constraint_velocity(rows, c, velocities, u);
      for (int d = 0; d < dims; ++d) {
        RC_ASSERT(std::abs(u[d] - expected[first + d]) < 1e-9 * (1 + w.cwiseAbs().maxCoeff()));
        for (int e = 0; e < dims; ++e) {
          const double entry = w(first + d, first + e);
          RC_ASSERT(std::abs(delassus.diagonal(c)[d * dims + e] - entry) < 1e-9 * (1 + w.cwiseAbs().maxCoeff()));
        }
      }
    }
  }
}

TEST(PgsTest, ExplicitAndMatrixFreeAgreeToRounding) {
  for (const Problem& problem : {dish_stack(1, true, 0), sphere_pile(2, false, 0), scattered_bodies(12, 1)}) {
    const Result matrix_free = solve(problem, {.form = DelassusForm::MatrixFree}, 30);
    const Result explicit_form = solve(problem, {.form = DelassusForm::Explicit}, 30);
    double scale = 0;
    for (const double x : matrix_free.lambda) scale = std::max(scale, std::abs(x));
    for (std::size_t k = 0; k < matrix_free.lambda.size(); ++k) {
      EXPECT_NEAR(matrix_free.lambda[k], explicit_form.lambda[k], 1e-10 * scale);
    }
  }
}

TEST(Delassus, AutomaticTakesTheSmallerForm) {
  const auto is_explicit = [](const Problem& problem) {
    return PreparedProblem(problem).delassus(DelassusForm::Automatic).is_explicit();
  };
  EXPECT_FALSE(is_explicit(nut(1, true, 0)));        // 120 contacts on one body: W is full
  EXPECT_TRUE(is_explicit(scattered_bodies(1, 1)));  // one contact: nine numbers
}

/// The contact's own problem: what comes out satisfies the strict law to rounding.
RC_GTEST_PROP(LocalContact, SatisfiesTheLaw, (unsigned seed)) {
  Random random(seed);
  Eigen::Matrix3d root;
  for (double& x : root.reshaped()) x = uniform(random, -1, 1);
  const Eigen::Matrix3d w = root * root.transpose() + 0.05 * Eigen::Matrix3d::Identity();
  const double mu = uniform(random, 0, 1.5);
  const FrictionCone cone{mu, seed % 2 == 0 ? mu : uniform(random, 0.01, 1.5)};
  const Vec3 q = random_vec3(random), guess = project_strict(cone, random_vec3(random));
  const auto velocity = [&](const Vec3& lambda) {
    const Eigen::Vector3d u = w * eigen(lambda) + eigen(q);
    return Vec3{u.x(), u.y(), u.z()};
  };
  double block[9];
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) block[3 * r + c] = w(r, c);
  }
  Vec3 lambda;
  RC_ASSERT(solve_contact(cone, block, q, velocity(guess), guess, lambda));
  const Vec3 rest = lambda - project_strict(cone, lambda - velocity(lambda));
  RC_ASSERT(norm(rest) < 1e-10 * (1 + norm(lambda)));
}

}  // namespace
}  // namespace uzawa::test
