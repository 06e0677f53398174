#include "uzawa/math/nodal/nodal_krylov.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "math/nodal_cases.hpp"
#include "support/allocations.hpp"
#include "uzawa/base/at.hpp"
#include "uzawa/math/nodal/nodal_solver.hpp"

namespace uzawa {
namespace {

using Block = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

/// An unsymmetric matrix: other blocks above the diagonal than below, and on some nodes a stiff block that turns.
struct GeneralCase {
  NodalMatrix lower, upper;
  Eigen::MatrixXd whole;
  NodalSweeps sweeps;
  std::mt19937 random{5};

  explicit GeneralCase(double stiff) {
    lower = test::random_matrix(60, test::grid_couples(3, 4, 5), 5, random);
    upper = lower;
    std::normal_distribution<double> number;
    const NodalPattern& pattern = *lower.pattern;
    whole = test::dense(lower);
    for (int i = 0; i < 60; ++i) {
      for (int k = pattern.start[at(i)]; k < pattern.start[at(i) + 1] - 1; ++k) {
        for (int r = 0; r < 9; ++r) upper.block(at(k))[r] += 0.1 * number(random);
        const Block transposed(upper.block(at(k)));
        whole.block<3, 3>(3 * pattern.column[at(k)], 3 * i) = transposed.transpose();
      }
    }
    sweeps.start(pattern, lower.value.data(), upper.value.data());
    for (int i = 0; i < 60; i += 7) {
      Block added;
      added << 1, 0, 0.8, 0, 1, -0.3, 0, 0, 1;
      added *= stiff;
      sweeps.add_to_diagonal(i, std::span<const double, 9>(added.data(), 9));
      whole.block<3, 3>(3 * i, 3 * i) += added;
    }
  }
  Eigen::VectorXd apply(auto&& work, const Eigen::VectorXd& x) const {
    AlignedVector<double> in(sweeps.size()), out(sweeps.size());
    sweeps.pad({x.data(), at(static_cast<int>(x.size()))}, in.data());
    work(in.data(), out.data());
    Eigen::VectorXd y(x.size());
    sweeps.strip(out.data(), {y.data(), at(static_cast<int>(x.size()))});
    return y;
  }
};

TEST(NodalSweepsTest, AreThoseOfTheDenseMatrix) {
  GeneralCase c(100);
  ASSERT_TRUE(c.sweeps.finish());
  Eigen::MatrixXd diagonal = Eigen::MatrixXd::Zero(180, 180), strict = c.whole;
  for (int i = 0; i < 180; i += 3) {
    diagonal.block<3, 3>(i, i) = c.whole.block<3, 3>(i, i);
    strict.block<3, 3>(i, i).setZero();
  }
  const Eigen::MatrixXd below = strict.triangularView<Eigen::Lower>(), above = strict - below;
  const Eigen::VectorXd x = test::random_vector(180, c.random);
  const auto near = [](const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
    EXPECT_LT((a - b).norm(), 1e-12 * b.norm());
  };
  near(c.apply([&](const double* in, double* out) { c.sweeps.multiply(in, out); }, x), c.whole * x);
  near(c.apply([&](const double* in, double* out) { c.sweeps.multiply_diagonal(in, out); }, x), diagonal * x);
  near(c.apply([&](const double* in, double* out) { c.sweeps.forward(in, out); }, x),
       (diagonal + below).partialPivLu().solve(x));
  AlignedVector<double> ut(c.sweeps.size()), t(c.sweeps.size());
  const Eigen::VectorXd back = (diagonal + above).partialPivLu().solve(x);
  near(c.apply([&](const double* in, double* out) { c.sweeps.backward(in, out, ut.data()); }, x), back);
  near(c.apply([&](const double* in, double* out) { c.sweeps.backward(in, t.data(), out); }, x), above * back);
}

TEST(NodalSweepsTest, SingularDiagonalBlocksAreSaid) {
  NodalMatrix matrix(std::make_shared<NodalPattern>(make_nodal_pattern(2, {{0, 1}})));
  matrix.add_to_diagonal(0, 1);
  NodalSweeps sweeps;
  sweeps.start(*matrix.pattern, matrix.value.data(), matrix.value.data());
  EXPECT_FALSE(sweeps.finish());
}

/// Blocks stiffer than the rest by up to a million, as contacts make them.
TEST(NodalKrylovTest, GeneralSystemsAsADenseFactorSolvesThem) {
  for (const double stiff : {1.0, 1e3, 1e6}) {
    GeneralCase c(stiff);
    ASSERT_TRUE(c.sweeps.finish());
    const Eigen::VectorXd b = test::random_vector(180, c.random);
    Eigen::VectorXd x(180);
    NodalKrylov krylov;
    const double goal = 1e-11 * b.norm();
    const KrylovOutcome outcome = krylov.solve_general(c.sweeps, {b.data(), 180}, goal, 500, {x.data(), 180});
    EXPECT_TRUE(outcome.solved) << stiff;
    EXPECT_LE((b - c.whole * x).norm(), 1.1 * goal);
    const Eigen::VectorXd exact = c.whole.partialPivLu().solve(b);
    EXPECT_LT((x - exact).norm(), 1e-9 * exact.norm());
  }
}

TEST(NodalKrylovTest, SymmetricSystemsFromAnyGuess) {
  std::mt19937 random(6);
  const NodalMatrix matrix = test::random_matrix(60, test::grid_couples(3, 4, 5), 2, random);
  NodalSweeps sweeps;
  sweeps.start(*matrix.pattern, matrix.value.data(), matrix.value.data());
  ASSERT_TRUE(sweeps.finish());
  const Eigen::VectorXd b = test::random_vector(180, random), exact = test::dense(matrix).llt().solve(b);
  NodalKrylov krylov;
  const double size = krylov.energy_size(sweeps, {b.data(), 180});
  const auto solve = [&](Eigen::VectorXd x, double share) {
    const KrylovOutcome outcome =
        krylov.solve_symmetric(sweeps, {b.data(), 180}, 1e-13 * size, share, 500, {x.data(), 180});
    EXPECT_TRUE(outcome.solved);
    return std::pair{outcome.iterations, (x - exact).norm() / exact.norm()};
  };
  const auto [cold, cold_error] = solve(Eigen::VectorXd::Zero(180), 0);
  EXPECT_LT(cold_error, 1e-11);
  const auto [near, near_error] = solve(exact + 1e-8 * test::random_vector(180, random), 0);
  EXPECT_LT(near_error, 1e-11);
  EXPECT_LT(near, cold);
  const auto [bad, bad_error] = solve(1e6 * test::random_vector(180, random), 0);
  EXPECT_LT(bad_error, 1e-11);
  EXPECT_EQ(bad, cold);  // zero was better
  const auto [loose, loose_error] = solve(Eigen::VectorXd::Zero(180), 1e-2);
  EXPECT_LT(loose, cold);
  EXPECT_LT(loose_error, 0.1);
  EXPECT_EQ(solve(exact, 0).first, 0);
}

TEST(NodalKrylovTest, IndefiniteMatricesAreNotSolved) {
  std::mt19937 random(7);
  NodalMatrix matrix = test::random_matrix(27, test::grid_couples(3, 3, 3), 1, random);
  const double least = test::dense(matrix).selfadjointView<Eigen::Lower>().eigenvalues()[0];
  for (int i = 0; i < 27; ++i) matrix.add_to_diagonal(i, -1.5 * least);
  NodalSweeps sweeps;
  sweeps.start(*matrix.pattern, matrix.value.data(), matrix.value.data());
  ASSERT_TRUE(sweeps.finish());
  const Eigen::VectorXd b = test::random_vector(81, random);
  std::vector<double> x(81, 0.0);
  EXPECT_FALSE(NodalKrylov().solve_symmetric(sweeps, {b.data(), 81}, 1e-14, 0, 10'000, x).solved);
}

/// A cube on springs between neighbours, with a mass a node.
NodalMatrix spring_cube(int side, double mass) {
  NodalMatrix out(
      std::make_shared<NodalPattern>(make_nodal_pattern(side * side * side, test::grid_couples(side, side, side))));
  const NodalPattern& pattern = *out.pattern;
  for (int i = 0; i < pattern.nodes(); ++i) {
    out.add_to_diagonal(i, mass);
    for (int k = pattern.start[at(i)]; k < pattern.start[at(i) + 1] - 1; ++k) {
      for (int r = 0; r < 3; ++r) out.block(at(k))[4 * r] -= 1;
      out.add_to_diagonal(i, 1);
      out.add_to_diagonal(pattern.column[at(k)], 1);
    }
  }
  return out;
}

TEST(NodalSolverTest, IterationsAndFactorAgree) {
  const NodalMatrix matrix = spring_cube(12, 1);
  NodalSolver iterations, factor;
  ASSERT_TRUE(iterations.factorize(matrix, true));
  ASSERT_TRUE(factor.factorize(matrix, false));
  ASSERT_TRUE(iterations.iterates());
  ASSERT_FALSE(factor.iterates());
  EXPECT_NEAR(iterations.cost().mass, 12 * 12 * 12, 1e-6);
  std::mt19937 random(8);
  const Eigen::VectorXd b = test::random_vector(3 * matrix.nodes(), random);
  const std::size_t size = at(static_cast<int>(b.size()));
  Eigen::VectorXd x = b, y = b;
  iterations.solve(std::span(x.data(), size));
  factor.solve(std::span(y.data(), size));
  EXPECT_LT((x - y).norm(), 1e-11 * y.norm());
  // The mobility of a node in the middle, of one at a corner: an estimate, within a factor of two.
  for (const int node : {6 * 144 + 6 * 12 + 6, 0}) {
    Eigen::VectorXd unit = Eigen::VectorXd::Zero(b.size());
    unit[3 * node + 1] = 1;
    const double exact = factor.factor().inverse_form({unit.data(), size});
    const double entries[3] = {0, 1, 0};
    EXPECT_LT(std::abs(std::log2(iterations.local_form(node, entries) / exact)), 1);
  }
  const long before = test::allocations();
  iterations.solve(std::span(x.data(), size));
  EXPECT_TRUE(iterations.factorize(matrix, true));
  iterations.solve(std::span(x.data(), size));
  EXPECT_EQ(test::allocations(), before);
}

TEST(NodalSolverTest, FactorWhereIterationsCostMore) {
  NodalSolver solver;
  ASSERT_TRUE(solver.factorize(spring_cube(12, 1e-6), true));  // hardly any mass
  EXPECT_FALSE(solver.iterates());
  ASSERT_TRUE(solver.factorize(spring_cube(4, 1), true));  // few nodes
  EXPECT_FALSE(solver.iterates());
}

TEST(NodalSolverTest, NoNumbersWhereItIsNotPositiveDefinite) {
  NodalMatrix matrix = spring_cube(12, 1);
  matrix.add_to_diagonal(6 * 144 + 6 * 12 + 6, -26);  // of 27: its own block stays positive definite
  NodalSolver solver;
  EXPECT_FALSE(solver.factorize(matrix, false));
  ASSERT_TRUE(solver.factorize(matrix, true));
  ASSERT_TRUE(solver.iterates());
  std::vector<double> x(3 * at(matrix.nodes()), 1.0);
  solver.solve(x);
  EXPECT_TRUE(std::isnan(x[0]));
  std::fill(x.begin(), x.end(), 1.0);
  solver.solve(x);
  EXPECT_TRUE(std::isnan(x[7]));
}

}  // namespace
}  // namespace uzawa
