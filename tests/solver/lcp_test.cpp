/// The linear complementarity layer: bases, dense problems with known answers, contact that is degenerate.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <random>

#include "problem/random_problem.hpp"
#include "small_problems.hpp"
#include "support/stacked_plates.hpp"
#include "uzawa/solver/lcp/lcp_solver.hpp"
#include "uzawa/solver/lcp/polyhedral_form.hpp"

namespace uzawa {
namespace {

constexpr LcpMethod kAllMethods[] = {LcpMethod::Automatic, LcpMethod::Search, LcpMethod::Lemke,
                                     LcpMethod::Lexicographic};

LcpOptions options_for(LcpMethod method) {
  LcpOptions options;
  options.method = method;
  options.tableau.lexicographic = method == LcpMethod::Lexicographic;
  options.limits.nodes = 10000;
  options.limits.bytes = 100'000'000;
  return options;
}

void expect_solution(const std::vector<double>& m, const std::vector<double>& q, const std::vector<double>& z) {
  ASSERT_EQ(z.size(), q.size());
  for (std::size_t i = 0; i < q.size(); ++i) {
    double w = q[i];
    for (std::size_t j = 0; j < q.size(); ++j) w += m[i * q.size() + j] * z[j];
    EXPECT_GE(z[i], 0);
    EXPECT_NEAR(std::min(z[i], w), 0, 1e-9) << "pair " << i;
  }
}

TEST(DenseLcpTest, KnownAnswers) {
  for (const LcpMethod method : kAllMethods) {
    // Nothing to do.
    EXPECT_EQ(solve_dense_lcp(std::vector<double>{1}, std::vector<double>{2}, options_for(method)).z,
              std::vector<double>{0});
    EXPECT_EQ(solve_dense_lcp({}, {}, options_for(method)).end, LcpEnd::Solved);
    // Murty's example of a path through all bases, n = 3: z = (0, 0, 1).
    const std::vector<double> m = {1, 0, 0, 2, 1, 0, 2, 2, 1}, q = {-1, -1, -1};
    const LcpAnswer answer = solve_dense_lcp(m, q, options_for(method));
    EXPECT_EQ(answer.end, LcpEnd::Solved);
    expect_solution(m, q, answer.z);
    EXPECT_NEAR(answer.z[0], 1, 1e-12);
    // 0 >= w = -1 - z.
    const LcpAnswer none = solve_dense_lcp(std::vector<double>{-1}, std::vector<double>{-1}, options_for(method));
    EXPECT_EQ(none.end, LcpEnd::NoSolution);
  }
}

TEST(DenseLcpTest, RandomProblemsOfAnyScale) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 60; ++k) {
    const int n = 1 + k % 20;
    Eigen::MatrixXd g = Eigen::MatrixXd::NullaryExpr(n, n, [&] { return normal(random); });
    Eigen::MatrixXd d = Eigen::VectorXd::NullaryExpr(n, [&] { return std::pow(10, 2 * normal(random)); }).asDiagonal();
    const Eigen::MatrixXd skew = g - g.transpose();
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> a = d * (g * g.transpose() + skew) * d;
    Eigen::VectorXd b = d * Eigen::VectorXd::NullaryExpr(n, [&] { return normal(random); });
    const std::vector<double> m(a.data(), a.data() + a.size()), q(b.data(), b.data() + b.size());
    for (const LcpMethod method : kAllMethods) {
      const LcpAnswer answer = solve_dense_lcp(m, q, options_for(method));
      EXPECT_EQ(answer.end, LcpEnd::Solved) << "problem " << k << ", method " << static_cast<int>(method);
      EXPECT_LE(answer.error, 1e-9);
    }
  }
}

TEST(DenseLcpTest, BadInputIsAStatus) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const LcpMethod method : kAllMethods) {
    const LcpOptions options = options_for(method);
    EXPECT_EQ(solve_dense_lcp(std::vector<double>{1, 2}, std::vector<double>{1}, options).end, LcpEnd::BadInput);
    EXPECT_EQ(solve_dense_lcp(std::vector<double>{nan}, std::vector<double>{-1}, options).end, LcpEnd::BadInput);
    EXPECT_EQ(solve_dense_lcp(std::vector<double>{1}, std::vector<double>{nan}, options).end, LcpEnd::BadInput);
    EXPECT_NE(solve_dense_lcp(std::vector<double>{0, 0, 0, 0}, std::vector<double>{-1, -1}, options).end,
              LcpEnd::Solved);
  }
}

TEST(DenseLcpTest, CapsAreStatuses) {
  // All 20 z are positive: as many pivots.
  std::vector<double> m(400, 0.0), q(20);
  for (std::size_t i = 0; i < 20; ++i) {
    m[21 * i] = 1;
    q[i] = -1 - 0.1 * static_cast<double>(i);
  }
  LcpOptions options = options_for(LcpMethod::Lemke);
  options.limits.pivots = 3;
  EXPECT_EQ(solve_dense_lcp(m, q, options).end, LcpEnd::PivotLimit);
  options = options_for(LcpMethod::Search);
  options.limits.nodes = 2;
  EXPECT_EQ(solve_dense_lcp(m, q, options).end, LcpEnd::NodeLimit);
  options.limits.nodes = 100000;
  options.limits.bytes = 100;
  EXPECT_EQ(solve_dense_lcp(m, q, options).end, LcpEnd::NodeLimit);
}

/// The structure of [LCP] eq. 25 against its definition as a dense matrix.
TEST(ContactLcpTest, StructureIsTheDenseMatrix) {
  test::Random random(3);
  const Problem problem = test::random_problem(random);
  PreparedProblem prepared(problem);
  PolyhedralForm form;
  ASSERT_TRUE(form.build(prepared, {}, {}));
  const ContactLcpMatrix& m = form.matrix();
  std::vector<int> all(static_cast<std::size_t>(m.size()));
  for (int j = 0; j < m.size(); ++j) {
    std::vector<double> column(all.size(), 0.0);
    const double one = 1;
    m.add_product({&j, 1}, {&one, 1}, column);
    for (int i = 0; i < m.size(); ++i) {
      EXPECT_NEAR(column[static_cast<std::size_t>(i)], m.entry(i, j), 1e-12) << i << ", " << j;
    }
  }
  for (const ContactLcpMatrix::Slip& slip : m.slips()) {
    if (slip.normal >= 0) {
      EXPECT_GT(m.entry(slip.variable, slip.normal), 0);
    }
    for (int s = 0; s < slip.sides; ++s) {
      EXPECT_EQ(m.entry(slip.variable, slip.first_side + s), -1);
      EXPECT_EQ(m.entry(slip.first_side + s, slip.variable), 1);
    }
  }
}

/// Redundant contacts, mass ratios of up to 1000: all are solved to 1e-9, by the default and by the search.
TEST(ContactLcpTest, DegenerateContactIsSolved) {
  LcpSolver solver;
  LcpAnswer answer;
  PolyhedralForm form;
  for (unsigned seed = 1; seed <= 200; ++seed) {
    const Problem problem = test::stacked_plates(seed);
    PreparedProblem prepared(problem);
    ASSERT_TRUE(form.build(prepared, {}, {}));
    solver.solve(form.lcp(), options_for(LcpMethod::Automatic), answer);
    EXPECT_EQ(answer.end, LcpEnd::Solved) << seed;
    EXPECT_LE(answer.error, 1e-9) << seed;
    if (seed % 4 != 0) continue;
    solver.solve(form.lcp(), options_for(LcpMethod::Search), answer);
    EXPECT_EQ(answer.end, LcpEnd::Solved) << "search, " << seed;
    EXPECT_LE(answer.error, 1e-9) << "search, " << seed;
  }
}

}  // namespace
}  // namespace uzawa
