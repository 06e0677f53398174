#include "uzawa/problem/prepared_problem.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "problem/random_problem.hpp"
#include "uzawa/base/error.hpp"

namespace uzawa::test {
namespace {

/// Everything that is derived from a problem against dense matrices; memory of an earlier problem leaves no trace.
RC_GTEST_PROP(PreparedProblem, IsWhatDenseMatricesSay, (unsigned seed)) {
  Random random(seed);
  PreparedProblem prepared;
  for (int i = 0; i < 2; ++i) {
    const Problem problem = random_problem(random);
    prepared.prepare(problem);
    const Eigen::MatrixXd a = dense_a(problem), j = dense(constraint_rows(problem));
    const Eigen::LDLT<Eigen::MatrixXd> inverse = a.ldlt();
    const Eigen::Map<const Eigen::VectorXd> b(problem.b.data(), problem.n());
    const Eigen::VectorXd free = inverse.solve(b);
    const double near = 1e-10 * (1 + free.cwiseAbs().maxCoeff());
    RC_ASSERT(&prepared.problem() == &problem);
    for (int k = 0; k < problem.n(); ++k) {
      RC_ASSERT(std::abs(prepared.free_velocity()[static_cast<std::size_t>(k)] - free[k]) < near);
    }
    const Eigen::VectorXd free_u = j * free;
    for (int r = 0; r < problem.rows; ++r) {
      RC_ASSERT(std::abs(prepared.free_constraint_velocity()[static_cast<std::size_t>(r)] - free_u[r]) < 10 * near);
    }

    const Eigen::MatrixXd w = j * inverse.solve(j.transpose());
    const double rounding = 1e-10 * (1 + w.cwiseAbs().maxCoeff());
    RC_ASSERT(prepared.mobility().size() == problem.constraints.size());
    for (std::size_t c = 0; c < problem.constraints.size(); ++c) {
      const int dims = problem.dims(static_cast<int>(c)), row = problem.constraints[c].row;
      RC_ASSERT(std::abs(prepared.mobility()[c] - w.block(row, row, dims, dims).trace()) < rounding);
    }
    RC_ASSERT(prepared.compact_rows().constraints() == static_cast<int>(problem.constraints.size()));
  }
}

RC_GTEST_PROP(PreparedProblem, VelocityFollowsFromImpulses, (unsigned seed)) {
  Random random(seed);
  const Problem problem = random_problem(random);
  const PreparedProblem prepared(problem);
  Eigen::VectorXd lambda(problem.rows), v(problem.n());
  for (double& x : lambda) x = uniform(random, -1, 1);
  prepared.velocity({lambda.data(), static_cast<std::size_t>(lambda.size())},
                    {v.data(), static_cast<std::size_t>(v.size())});
  const Eigen::Map<const Eigen::VectorXd> b(problem.b.data(), problem.n());
  const Eigen::VectorXd momentum = b + dense(constraint_rows(problem)).transpose() * lambda;
  RC_ASSERT((dense_a(problem) * v - momentum).norm() < 1e-10 * (1 + momentum.norm()));
}

/// An operator that is there already is handed out again; another form is another operator.
TEST(PreparedProblem, DelassusOperatorIsMadeOnDemand) {
  Random random(3);
  const Problem problem = random_problem(random);
  PreparedProblem prepared(problem);
  EXPECT_TRUE(prepared.delassus(DelassusForm::Explicit).is_explicit());
  const double* diagonal = prepared.delassus(DelassusForm::Explicit).diagonal(0);
  EXPECT_EQ(prepared.delassus(DelassusForm::Explicit).diagonal(0), diagonal);
  EXPECT_FALSE(prepared.delassus(DelassusForm::MatrixFree).is_explicit());
}

TEST(PreparedProblem, RefusesAThatIsNotPositiveDefinite) {
  Problem problem;
  problem.add_sparse({sparse(-Eigen::MatrixXd::Identity(2, 2))}, {0, 0});
  EXPECT_THROW(PreparedProblem{problem}, InputError);
}

}  // namespace
}  // namespace uzawa::test
