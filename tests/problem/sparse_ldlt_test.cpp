#include "uzawa/problem/sparse_ldlt.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "problem/random_problem.hpp"

namespace uzawa::test {
namespace {

/// Solutions with one factor for matrices of changing size and pattern agree with dense ones.
RC_GTEST_PROP(SparseLdlt, SolvesWhatDenseSolves, (unsigned seed)) {
  Random random(seed);
  SparseLdlt factor;
  for (const int size : {1, 7, 7, 25, 3}) {
    SparseBlock block = random_sparse(random, size);
    for (int again = 0; again < 2; ++again) {  // the same pattern, other numbers
      for (double& value : block.lower.value) value *= 1.5;
      RC_ASSERT(factor.factorize(block.lower));
      Eigen::VectorXd x(size);
      for (double& value : x) value = uniform(random, -1, 1);
      x[size / 2] = 0;
      const Eigen::VectorXd expected = dense_symmetric(block.lower).ldlt().solve(x);
      factor.solve({x.data(), static_cast<std::size_t>(size)});
      RC_ASSERT((x - expected).norm() < 1e-11 * (1 + expected.norm()));
    }
  }
}

TEST(SparseLdlt, SeesThatAMatrixIsNotPositiveDefinite) {
  SparseLdlt factor;
  Eigen::MatrixXd a = 2 * Eigen::MatrixXd::Identity(4, 4);
  a(2, 0) = 1;
  EXPECT_TRUE(factor.factorize(sparse(a)));
  a(2, 0) = 3;  // eigenvalues -1 and 5
  EXPECT_FALSE(factor.factorize(sparse(a)));
  a(2, 0) = 1.5;
  EXPECT_TRUE(factor.factorize(sparse(a)));
  std::vector<double> x{3.5, 2, 3.5, 4};
  factor.solve(x);
  for (const double value : {x[0] - 1, x[1] - 1, x[2] - 1, x[3] - 2}) EXPECT_NEAR(value, 0, 1e-14);
}

}  // namespace
}  // namespace uzawa::test
