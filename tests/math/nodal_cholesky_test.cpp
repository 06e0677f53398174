/// The nodal Cholesky factor against dense ones of Eigen.
#include "uzawa/math/nodal/nodal_cholesky.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "math/nodal_cases.hpp"
#include "support/allocations.hpp"
#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"

namespace uzawa {
namespace {

using test::Couples;

constexpr double kEpsilon = 2.2e-16;

/// Backward error of a solution: |A x - b| / (|A| |x|), which Cholesky keeps at a small multiple of n eps whatever the
/// condition (Higham 2002, theorem 10.4).
double backward_error(const Eigen::MatrixXd& a, const Eigen::VectorXd& x, const Eigen::VectorXd& b) {
  return (a * x - b).norm() / (a.norm() * x.norm());
}

std::vector<int> some_nodes(int nodes, int count, std::mt19937& random) {
  std::vector<int> out(at(nodes));
  std::iota(out.begin(), out.end(), 0);
  std::shuffle(out.begin(), out.end(), random);
  out.resize(at(count));
  return out;
}

Eigen::MatrixXd pick(const Eigen::MatrixXd& a, const std::vector<int>& rows, const std::vector<int>& columns) {
  Eigen::MatrixXd out(3 * rows.size(), 3 * columns.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      out.block<3, 3>(static_cast<int>(3 * i), static_cast<int>(3 * j)) = a.block<3, 3>(3 * rows[i], 3 * columns[j]);
    }
  }
  return out;
}

void expect_solves(NodalCholesky& factor, const NodalMatrix& matrix, std::span<const int> last, std::mt19937& random) {
  factor.analyse(*matrix.pattern, last);
  ASSERT_TRUE(factor.factorize(matrix));
  const Eigen::MatrixXd a = test::dense(matrix);
  const int size = static_cast<int>(a.rows()), count = 11;
  const Eigen::MatrixXd b =
      Eigen::MatrixXd::NullaryExpr(size, count, [&] { return std::normal_distribution<double>()(random); });
  Eigen::MatrixXd x = b;
  Eigen::VectorXd x0 = b.col(0);
  factor.solve({x0.data(), at(size)});
  EXPECT_LT(backward_error(a, x0, b.col(0)), size * kEpsilon);
  factor.solve_many({x.data(), at(size) * count}, count);
  for (int r = 0; r < count; ++r) EXPECT_LT(backward_error(a, x.col(r), b.col(r)), size * kEpsilon) << r;
  // Of a full vector, and of one that reaches a part of the fronts.
  Eigen::VectorXd few = Eigen::VectorXd::Zero(size);
  few.head<3>() = b.col(0).head<3>();
  const double condition = a.norm() * a.inverse().norm();
  for (const Eigen::VectorXd& form : {Eigen::VectorXd(b.col(0)), few}) {
    const double expected = form.dot(a.llt().solve(form));
    EXPECT_NEAR(factor.inverse_form({form.data(), at(size)}), expected, 3 * size * kEpsilon * condition * expected);
  }
}

/// S, condense and expand by their definitions.
void expect_condenses(NodalCholesky& factor, const NodalMatrix& matrix, const std::vector<int>& last,
                      std::mt19937& random) {
  const Eigen::MatrixXd a = test::dense(matrix);
  const int nodes = matrix.nodes();
  std::vector<int> others;
  for (int i = 0; i < nodes; ++i) {
    if (std::find(last.begin(), last.end(), i) == last.end()) others.push_back(i);
  }
  factor.analyse(*matrix.pattern, last);
  ASSERT_TRUE(factor.factorize_leading(matrix));
  const int size = static_cast<int>(3 * last.size());
  const Eigen::MatrixXd ci = pick(a, last, others), inner = pick(a, others, others);
  const Eigen::LLT<Eigen::MatrixXd> llt(inner);
  const Eigen::MatrixXd s = pick(a, last, last) - (others.empty() ? Eigen::MatrixXd::Zero(size, size).eval()
                                                                  : (ci * llt.solve(ci.transpose())).eval());
  Eigen::MatrixXd full(size, size);
  factor.copy_schur({full.data(), at(size * size)});
  const double scale =
      a.norm() *
      std::max(1.0, inner.norm() *
                        (others.empty() ? 0 : llt.solve(Eigen::MatrixXd::Identity(inner.rows(), inner.rows())).norm()));
  EXPECT_LT((full - s).norm(), 3 * nodes * kEpsilon * scale);
  ASSERT_EQ(factor.schur().size(), at(factor.schur_stride() * size));
  for (int j = 0; j < size; ++j) {
    for (int i = j; i < size; ++i) EXPECT_EQ(factor.schur()[at(j * factor.schur_stride() + i)], full(i, j));
  }

  // A solve on the last nodes alone, then back to all, is a solve of the whole.
  const Eigen::VectorXd b = test::random_vector(3 * nodes, random);
  Eigen::VectorXd reduced(size), x(3 * nodes);
  factor.condense({b.data(), at(3 * nodes)}, {reduced.data(), at(size)});
  const Eigen::VectorXd x_last = size > 0 ? full.llt().solve(reduced).eval() : reduced;
  factor.expand({b.data(), at(3 * nodes)}, {x_last.data(), at(size)}, {x.data(), at(3 * nodes)});
  EXPECT_LT(backward_error(a, x, b), 10 * nodes * kEpsilon);
  for (std::size_t k = 0; k < last.size(); ++k)
    EXPECT_EQ(x.segment<3>(3 * last[k]), x_last.segment<3>(static_cast<int>(3 * k)));
  Eigen::VectorXd again(3 * nodes);
  for (int k = 0; k < 2; ++k) {
    factor.expand({x_last.data(), at(size)}, {again.data(), at(3 * nodes)});
    EXPECT_EQ(again, x);
  }
}

TEST(NodalCholesky, SolvesRandomMatrices) {
  std::mt19937 random(1);
  NodalCholesky factor;
  for (const int nodes : {1, 2, 3, 5, 8, 13, 30, 61, 120}) {
    for (const double couples : {0.3, 1.0, 3.0, 10.0}) {
      SCOPED_TRACE(testing::Message() << nodes << " nodes, " << couples);
      const NodalMatrix matrix = test::random_matrix(nodes, test::random_couples(nodes, couples, random), 0.1, random);
      expect_solves(factor, matrix, {}, random);
      for (const int last : {1, nodes / 3, nodes - 1, nodes}) {
        SCOPED_TRACE(testing::Message() << last << " last");
        const std::vector<int> chosen = some_nodes(nodes, last, random);
        expect_solves(factor, matrix, chosen, random);
        expect_condenses(factor, matrix, chosen, random);
      }
    }
  }
}

TEST(NodalCholesky, SolvesGrids) {
  std::mt19937 random(2);
  NodalCholesky factor;
  for (const auto& [x, y, z] : std::vector<std::array<int, 3>>{{40, 1, 1}, {9, 9, 1}, {5, 6, 7}, {30, 3, 3}}) {
    SCOPED_TRACE(testing::Message() << x << " x " << y << " x " << z);
    const NodalMatrix matrix = test::random_matrix(x * y * z, test::grid_couples(x, y, z), 0.01, random);
    expect_solves(factor, matrix, {}, random);
    const std::vector<int> chosen = some_nodes(x * y * z, 25, random);
    expect_solves(factor, matrix, chosen, random);
    expect_condenses(factor, matrix, chosen, random);
  }
}

/// More pivots in a front than are taken at a time, with and without rows below.
TEST(NodalCholesky, SolvesDenseMatrices) {
  std::mt19937 random(3);
  NodalCholesky factor;
  for (const int nodes : {31, 32, 33, 34, 65, 70}) {
    Couples couples;
    for (int i = 0; i < nodes; ++i)
      for (int j = 0; j < i; ++j) couples.emplace_back(i, j);
    const NodalMatrix matrix = test::random_matrix(nodes, couples, 1, random);
    for (const int last : {0, 5, 33, nodes - 3}) {
      SCOPED_TRACE(testing::Message() << nodes << " nodes, " << last << " last");
      if (last > nodes) continue;
      const std::vector<int> chosen = some_nodes(nodes, last, random);
      expect_solves(factor, matrix, chosen, random);
      expect_condenses(factor, matrix, chosen, random);
    }
  }
}

/// A row of links, two nodes each, open or closed.
TEST(NodalCholesky, SolvesRodsWithoutFill) {
  std::mt19937 random(4);
  NodalCholesky factor;
  for (const bool closed : {false, true}) {
    const int links = 60;
    Couples couples;
    for (int i = 0; i < links; ++i) {
      couples.emplace_back(2 * i, 2 * i + 1);
      if (i + 1 == links && !closed) continue;
      const int next = (i + 1) % links;
      for (const int a : {0, 1})
        for (const int b : {0, 1}) couples.emplace_back(2 * i + a, 2 * next + b);
    }
    const NodalMatrix matrix = test::random_matrix(2 * links, couples, 0.01, random);
    expect_solves(factor, matrix, {}, random);
    // Of 36 numbers a link on the diagonal and 36 beside it, and as many again for the link that closes it.
    EXPECT_LT(factor.fill(), at((closed ? 2 : 1) * links * 100));
    const std::vector<int> chosen = some_nodes(2 * links, 7, random);
    expect_condenses(factor, matrix, chosen, random);
  }
}

TEST(NodalCholesky, ReplacesTheLastNodesMatrix) {
  std::mt19937 random(5);
  NodalMatrix matrix = test::random_matrix(60, test::grid_couples(5, 4, 3), 0.1, random);
  const std::vector<int> last{7, 3, 59};
  NodalCholesky factor;
  factor.analyse(*matrix.pattern, last);
  ASSERT_TRUE(factor.factorize(matrix));
  // 5 at the first number of node 3: in the trailing matrix, and in the matrix itself.
  std::vector<double> changed(factor.schur().begin(), factor.schur().end());
  changed[at(3 * factor.schur_stride() + 3)] += 5;
  ASSERT_TRUE(factor.factorize_last(changed));
  Eigen::VectorXd x = test::random_vector(180, random);
  const Eigen::VectorXd b = x;
  factor.solve({x.data(), 180});
  matrix.block(matrix.pattern->diagonal(3))[0] += 5;
  EXPECT_LT(backward_error(test::dense(matrix), x, b), 180 * kEpsilon);
  changed[0] = -1;
  EXPECT_FALSE(factor.factorize_last(changed));
}

TEST(NodalCholesky, SaysWhatIsNotPositiveDefinite) {
  std::mt19937 random(6);
  const NodalMatrix good = test::random_matrix(60, test::grid_couples(5, 4, 3), 0.1, random);
  const double least = test::dense(good).selfadjointView<Eigen::Lower>().eigenvalues().minCoeff();
  for (const std::vector<int>& last : {std::vector<int>{}, {4, 5, 20}, some_nodes(60, 60, random)}) {
    NodalCholesky factor;
    factor.analyse(*good.pattern, last);
    for (const double share : {0.999, 1.001}) {
      NodalMatrix shifted = good;
      for (int i = 0; i < 60; ++i) shifted.add_to_diagonal(i, -share * least);
      EXPECT_EQ(factor.factorize(shifted), share < 1) << share;
    }
    NodalMatrix broken = good;
    broken.block(broken.pattern->diagonal(30))[4] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(factor.factorize(broken));
    EXPECT_TRUE(factor.factorize(good));
  }
}

/// Rows and columns scaled by 1e-8 to 1e8: Cholesky does not notice (van der Sluis 1969), so each row's error is small
/// beside that row's terms.
TEST(NodalCholesky, KeepsAccuracyWhereScalesDiffer) {
  std::mt19937 random(7);
  NodalMatrix matrix = test::random_matrix(80, test::grid_couples(5, 4, 4), 0.1, random);
  Eigen::VectorXd scale = Eigen::VectorXd::NullaryExpr(
      240, [&] { return std::pow(10, std::uniform_real_distribution<double>(-8, 8)(random)); });
  const NodalPattern& pattern = *matrix.pattern;
  for (int i = 0; i < 80; ++i) {
    for (int k = pattern.start[at(i)]; k < pattern.start[at(i) + 1]; ++k) {
      for (int r = 0; r < 9; ++r)
        matrix.block(at(k))[r] *= scale[3 * i + r / 3] * scale[3 * pattern.column[at(k)] + r % 3];
    }
  }
  NodalCholesky factor;
  factor.analyse(pattern, std::vector<int>{11, 2});
  ASSERT_TRUE(factor.factorize(matrix));
  const Eigen::MatrixXd a = test::dense(matrix);
  const Eigen::VectorXd b = scale.cwiseProduct(test::random_vector(240, random));
  Eigen::VectorXd x = b;
  factor.solve({x.data(), 240});
  const Eigen::VectorXd terms = a.diagonal().cwiseSqrt() * (a.diagonal().cwiseSqrt().cwiseProduct(x.cwiseAbs())).sum();
  for (int i = 0; i < 240; ++i) EXPECT_LT(std::abs(a.row(i) * x - b[i]), 240 * kEpsilon * terms[i]) << i;
}

/// Nearly free to move as a whole: 1e-10 beside stiffnesses of order one.
TEST(NodalCholesky, SolvesNearlySingularMatrices) {
  std::mt19937 random(8);
  const NodalMatrix matrix = test::random_matrix(90, test::grid_couples(30, 3, 1), 1e-10, random);
  NodalCholesky factor;
  expect_solves(factor, matrix, {}, random);
  expect_solves(factor, matrix, some_nodes(90, 10, random), random);
}

/// The same matrix under other names of its nodes.
TEST(NodalCholesky, DoesNotDependOnNumbering) {
  std::mt19937 random(9);
  const Couples couples = test::grid_couples(6, 5, 4);
  const NodalMatrix matrix = test::random_matrix(120, couples, 0.1, random);
  const std::vector<int> name = some_nodes(120, 120, random);
  Couples renamed;
  for (const auto& [i, j] : couples) renamed.emplace_back(name[at(i)], name[at(j)]);
  NodalMatrix other(std::make_shared<NodalPattern>(make_nodal_pattern(120, renamed)));
  for (int i = 0; i < 120; ++i) {
    for (int k = matrix.pattern->start[at(i)]; k < matrix.pattern->start[at(i) + 1]; ++k) {
      const int a = name[at(i)], b = name[at(matrix.pattern->column[at(k)])];
      double* to = other.block(other.pattern->place(std::max(a, b), std::min(a, b)));
      for (int r = 0; r < 9; ++r) to[a >= b ? r : 3 * (r % 3) + r / 3] = matrix.block(at(k))[r];
    }
  }
  const Eigen::VectorXd b = test::random_vector(360, random);
  Eigen::VectorXd x = b, y(360), z(360);
  NodalCholesky factor;
  factor.analyse(*matrix.pattern);
  ASSERT_TRUE(factor.factorize(matrix));
  factor.solve({x.data(), 360});
  for (int i = 0; i < 120; ++i) y.segment<3>(3 * name[at(i)]) = b.segment<3>(3 * i);
  factor.analyse(*other.pattern);
  ASSERT_TRUE(factor.factorize(other));
  factor.solve({y.data(), 360});
  for (int i = 0; i < 120; ++i) z.segment<3>(3 * i) = y.segment<3>(3 * name[at(i)]);
  const Eigen::MatrixXd a = test::dense(matrix);
  const double condition = a.norm() * a.inverse().norm();
  EXPECT_LT((x - z).norm(), 360 * kEpsilon * condition * x.norm());
}

TEST(NodalCholesky, AllocatesNothingOnceAnalysed) {
  std::mt19937 random(10);
  const NodalMatrix matrix = test::random_matrix(200, test::grid_couples(10, 5, 4), 0.1, random);
  const std::vector<int> last = some_nodes(200, 20, random);
  NodalCholesky factor;
  std::vector<double> x(600 * 9, 1.0), y(600), reduced(60);
  factor.analyse(*matrix.pattern, last);
  const long before = test::allocations();
  factor.analyse(*matrix.pattern, last);
  const bool fine = factor.factorize(matrix) && factor.factorize_last();
  factor.solve(std::span(x).first(600));
  factor.solve_many(x, 9);
  matrix.multiply(std::span(x).first(600), y);
  factor.condense(y, reduced);
  factor.expand(y, reduced, std::span(x).first(600));
  EXPECT_EQ(test::allocations(), before);
  EXPECT_TRUE(fine);
}

/// Contacts come and go: after the largest set, smaller ones and as large ones elsewhere fit in the same memory.
TEST(NodalCholesky, OtherLastNodesUseTheSameMemory) {
  std::mt19937 random(12);
  const NodalMatrix matrix = test::random_matrix(200, test::grid_couples(10, 5, 4), 0.1, random);
  std::vector<std::vector<int>> sets;
  for (const int count : {60, 20, 40, 5}) sets.push_back(some_nodes(200, count, random));
  NodalCholesky factor;
  bool fine = true;
  const auto run = [&] {
    for (const std::vector<int>& last : sets) {
      factor.analyse(*matrix.pattern, last);
      fine = factor.factorize(matrix) && fine;
    }
  };
  run();
  const long before = test::allocations();
  run();
  EXPECT_EQ(test::allocations(), before);
  EXPECT_TRUE(fine);
}

TEST(NodalCholesky, RefusesNodesThatAreNotThere) {
  std::mt19937 random(11);
  const NodalMatrix matrix = test::random_matrix(3, {{0, 1}, {1, 2}}, 1, random);
  const NodalPattern& pattern = *matrix.pattern;
  NodalCholesky factor;
  factor.analyse(pattern, std::vector<int>{2});
  EXPECT_THROW(factor.analyse(pattern, std::vector<int>{3}), InputError);
  EXPECT_THROW(factor.analyse(pattern, std::vector<int>{-1}), InputError);
  EXPECT_THROW(factor.analyse(pattern, std::vector<int>{1, 1}), InputError);
  // Nothing has changed by that.
  expect_solves(factor, matrix, std::vector<int>{2}, random);
  const NodalMatrix other(std::make_shared<NodalPattern>(make_nodal_pattern(4, {})));
  EXPECT_THROW(static_cast<void>(factor.factorize(other)), InputError);
}

}  // namespace
}  // namespace uzawa
