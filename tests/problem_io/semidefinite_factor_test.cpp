#include "uzawa/problem_io/semidefinite_factor.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "problem/random_problem.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/problem/judge.hpp"
#include "uzawa/problem_io/from_matrices.hpp"

namespace uzawa::test {
namespace {

SparseRows lower(const Eigen::MatrixXd& w) { return sparse(Eigen::MatrixXd(w.triangularView<Eigen::Lower>())); }

/// Largest |W - L L^T| relative to sqrt(w_ii w_jj).
double error(const Eigen::MatrixXd& w, const SparseRows& rows) {
  const Eigen::MatrixXd l = dense(rows), rest = w - l * l.transpose();
  double worst = 0;
  for (int r = 0; r < w.rows(); ++r) {
    for (int c = 0; c < w.cols(); ++c) {
      const double scale = std::sqrt(w(r, r) * w(c, c));
      worst = std::max(worst, scale > 0 ? std::abs(rest(r, c)) / scale : std::abs(rest(r, c)));
    }
  }
  return worst;
}

/// W = B B^T with bodies of very different weight: rank is the number of columns of B.
RC_GTEST_PROP(SemidefiniteFactor, FindsTheRankAndTheMatrix, (unsigned seed)) {
  Random random(seed);
  const auto rank = static_cast<Eigen::Index>(uniform(random, 1, 12)),
             extra = static_cast<Eigen::Index>(uniform(random, 0, 20));
  Eigen::MatrixXd b = Eigen::MatrixXd::NullaryExpr(rank + extra, rank, [&] { return uniform(random, -1, 1); });
  b.topRows(rank) += 3 * Eigen::MatrixXd::Identity(rank, rank);
  const double weight = std::exp(uniform(random, -20, 20));
  const Eigen::VectorXd scale =
      Eigen::VectorXd::NullaryExpr(rank + extra, [&] { return std::exp(uniform(random, -6, 6)); });
  b = weight * scale.asDiagonal() * b;
  Eigen::MatrixXd w = b * b.transpose();
  const SemidefiniteFactor factor = factor_semidefinite(lower(w), "test", "W");
  w = dense_symmetric(lower(w));
  RC_ASSERT(factor.rank() == rank);
  RC_ASSERT(error(w, factor.rows) < 1e-13);
}

/// Small eigenvalues that are real must survive: 1, 1e-8 in one coupled pair.
TEST(SemidefiniteFactor, KeepsSmallEigenvalues) {
  const double small = 1e-8;
  Eigen::MatrixXd w(2, 2);
  w << 1, 1 - small, 1 - small, 1;
  const SemidefiniteFactor factor = factor_semidefinite(lower(w), "test", "W");
  EXPECT_EQ(factor.rank(), 2);
  EXPECT_LT(error(w, factor.rows), 1e-15);
}

/// An arrow: eliminating the hub first would fill everything.
TEST(SemidefiniteFactor, KeepsAnArrowSparse) {
  const int size = 40;
  Eigen::MatrixXd w = Eigen::MatrixXd::Identity(size, size);
  w.row(0).setConstant(0.1);
  w.col(0).setConstant(0.1);
  w(0, 0) = 4;
  const SemidefiniteFactor factor = factor_semidefinite(lower(w), "test", "W");
  EXPECT_EQ(factor.rank(), size);
  EXPECT_EQ(factor.rows.value.size(), static_cast<std::size_t>(2 * size - 1));
  EXPECT_LT(error(w, factor.rows), 40 * 2.3e-16);
}

TEST(SemidefiniteFactor, ZeroMatrixHasRankZero) {
  const SemidefiniteFactor factor = factor_semidefinite(sparse(Eigen::MatrixXd::Zero(3, 3)), "test", "W");
  EXPECT_EQ(factor.rank(), 0);
  EXPECT_EQ(factor.rows.rows(), 3);
}

TEST(SemidefiniteFactor, RefusesIndefinite) {
  for (const double off : {1.001, 2.0, -3.0}) {
    Eigen::MatrixXd w = Eigen::MatrixXd::Identity(3, 3);
    w(2, 0) = w(0, 2) = off;
    EXPECT_THROW(factor_semidefinite(lower(w), "test", "W"), InputError) << off;
  }
}

/// Seven digits of a matrix with small real eigenvalues: its pivots turn negative by more than the digits.
TEST(SemidefiniteFactor, AcceptsWhatRoundingExplains) {
  // Rank 2 of 6, with eigenvalues 1 and 7e-4, rounded to seven digits.
  Eigen::MatrixXd b(6, 2);
  for (int i = 0; i < 6; ++i) b.row(i) << 1 + 0.1 * i, 0.0265 * std::sin(3.0 * i);
  const Eigen::MatrixXd exact = b * b.transpose();
  const Eigen::MatrixXd w = exact.unaryExpr([](double x) { return std::round(x * 1e6) * 1e-6; });
  ASSERT_LT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(w).eigenvalues()[0], -1e-8);
  const SemidefiniteFactor factor = factor_semidefinite(lower(w), "test", "W");
  EXPECT_LT(error(w, factor.rows), 3e-6);
  const std::vector<FrictionCone> cones(2, FrictionCone{0.5, 0.5});
  const Problem problem = from_delassus(sparse(w), std::vector<double>(6, -1.0), cones, "test");
  EXPECT_EQ(problem.comment.empty(), factor.shift == 0);
}

/// The general form must give the same contact velocities u = W lambda + q for any lambda.
RC_GTEST_PROP(LocalForm, IsTheSameMap, (unsigned seed)) {
  Random random(seed);
  const auto number = [&] { return uniform(random, -1, 1); };
  const int contacts = static_cast<int>(uniform(random, 1, 7)), dofs = static_cast<int>(uniform(random, 1, 9));
  Eigen::MatrixXd b = Eigen::MatrixXd::NullaryExpr(3 * contacts, dofs, number);
  for (int c = 0; c < contacts; ++c) {  // islands: contacts of even and odd number share no dof
    for (int d = c % 2; d < dofs; d += 2) b.middleRows(3 * c, 3).col(d).setZero();
  }
  const Eigen::MatrixXd w = dense_symmetric(lower(b * b.transpose()));
  std::vector<double> q(static_cast<std::size_t>(3 * contacts));
  for (double& value : q) value = number();
  const std::vector<FrictionCone> cones(static_cast<std::size_t>(contacts), FrictionCone{0.5, 0.5});
  const Problem problem = from_delassus(sparse(w), q, cones, "test");
  validate(problem);
  const PreparedProblem prepared(problem);
  Judge judge;
  Eigen::VectorXd lambda = Eigen::VectorXd::NullaryExpr(3 * contacts, number);
  judge.evaluate(prepared, {lambda.data(), static_cast<std::size_t>(lambda.size())});
  const Eigen::VectorXd expected = w * lambda + Eigen::Map<Eigen::VectorXd>(q.data(), 3 * contacts);
  for (int r = 0; r < 3 * contacts; ++r) {
    const Vec3& e = problem.contacts.e[static_cast<std::size_t>(r / 3)];
    RC_ASSERT(std::abs(judge.constraint_velocity()[static_cast<std::size_t>(r)] + e[r % 3] - expected[r]) < 1e-11);
  }
}

/// What of q is in the range of W goes into b: e is orthogonal to the range.
TEST(LocalForm, OffsetIsWhatTheRangeLeaves) {
  Eigen::MatrixXd b(6, 2);
  b << 1, 0, 0, 1, 1, 1, 2, 0, 0, 1, 1, -1;
  const Eigen::VectorXd q = b * Eigen::Vector2d(0.3, -0.7);
  const std::vector<double> in_range(q.begin(), q.end());
  const std::vector<FrictionCone> cones(2, FrictionCone{0.5, 0.5});
  const Problem problem = from_delassus(sparse(b * b.transpose()), in_range, cones, "test");
  for (const Vec3& e : problem.contacts.e) EXPECT_LT(norm(e), 1e-14);
  const Problem other = from_delassus(sparse(b * b.transpose()), {1, 2, 3, 4, 5, 6}, cones, "test");
  Eigen::VectorXd e(6);
  for (int r = 0; r < 6; ++r) e[r] = other.contacts.e[static_cast<std::size_t>(r / 3)][r % 3];
  EXPECT_GT(e.norm(), 0.1);
  EXPECT_LT((b.transpose() * e).norm(), 1e-12);
}

TEST(LocalForm, OneBlockAnIsland) {
  // Contacts 0 and 2 are coupled, 1 is alone, 3 is between fixed things.
  Eigen::MatrixXd w = Eigen::MatrixXd::Zero(12, 12);
  w.diagonal().head(9).setOnes();
  w(1, 8) = w(8, 1) = 0.5;
  const std::vector<FrictionCone> cones(4, FrictionCone{0.5, 0.5});
  const Problem problem = from_delassus(sparse(w), std::vector<double>(12, -1.0), cones, "test");
  validate(problem);
  ASSERT_EQ(problem.blocks.size(), 2U);
  EXPECT_EQ(problem.blocks[0].size, 6);
  EXPECT_EQ(problem.blocks[1].size, 3);
  ASSERT_EQ(problem.attachments.size(), 3U);
  EXPECT_EQ(problem.attachments[0].block, 0);
  EXPECT_EQ(problem.attachments[1].block, 1);
  EXPECT_EQ(problem.attachments[2].block, 0);
  EXPECT_EQ(problem.contacts.e[3].x(), -1);
}

}  // namespace
}  // namespace uzawa::test
