#include "uzawa/solver/admm/nodal_penalty.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "uzawa/base/at.hpp"
#include "uzawa/problem/problem.hpp"

namespace uzawa {
namespace {

/// Rows by constraint, three of a contact or one of an equality, on some dofs.
struct Rows {
  Problem problem;
  SparseRows j;
  Eigen::MatrixXd dense;

  explicit Rows(int columns) : dense(0, columns) {
    j.columns = columns;
    j.start.assign(1, 0);
  }
  void add(int dims, const std::vector<int>& dofs, std::mt19937& random) {
    std::normal_distribution<double> number;
    std::vector<int>& of_kind = dims == 3 ? problem.contacts.row : problem.equality.row;
    problem.constraints.push_back({dims == 3 ? ConstraintKind::Contact : ConstraintKind::Equality,
                                   static_cast<int>(of_kind.size()), problem.rows});
    of_kind.push_back(problem.rows);
    problem.rows += dims;
    dense.conservativeResizeLike(Eigen::MatrixXd::Zero(problem.rows, dense.cols()));
    for (int d = 0; d < dims; ++d) {
      for (const int dof : dofs) {
        j.column.push_back(dof);
        j.value.push_back(number(random));
        dense(problem.rows - dims + d, dof) = j.value.back();
      }
      j.start.push_back(static_cast<int>(j.column.size()));
    }
  }
  CompactRows compact() const {
    CompactRows out;
    out.build(problem, j);
    return out;
  }
};

/// A chain of five nodes: the mass and a random stiffness between neighbours.
NodalMatrix chain(std::mt19937& random, Eigen::MatrixXd& dense) {
  NodalMatrix matrix(std::make_shared<NodalPattern>(make_nodal_pattern(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}})));
  std::normal_distribution<double> number;
  dense = Eigen::MatrixXd::Zero(15, 15);
  for (int i = 0; i < 5; ++i) {
    for (int k = std::max(0, i - 1); k <= i; ++k) {
      double* block = matrix.block(matrix.pattern->place(i, k));
      for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) {
          const double value = k < i ? number(random) : r == c ? 20 : 0;
          block[3 * r + c] = value;
          dense(3 * i + r, 3 * k + c) = dense(3 * k + c, 3 * i + r) = value;
        }
      }
    }
  }
  return matrix;
}

TEST(NodalPenalty, SolvesWithTheSumAsADenseMatrixDoes) {
  std::mt19937 random(3);
  Eigen::MatrixXd a;
  const NodalMatrix matrix = chain(random, a);
  Rows rows(15);
  rows.add(3, {0, 1, 2, 3, 4, 5}, random);  // nodes 0 and 1
  rows.add(1, {10}, random);
  rows.add(3, {9, 10, 11, 12, 13, 14}, random);
  const std::vector<double> weights{0.5, 3, 2};
  const CompactRows compact = rows.compact();
  NodalPenalty penalty;
  ASSERT_TRUE(penalty.prepare(matrix, compact));
  for (const double beta : {0.1, 40.0}) {
    ASSERT_TRUE(penalty.factorize(matrix, compact, weights, beta));
    Eigen::MatrixXd sum = a;
    int row = 0;
    for (std::size_t c = 0; c < weights.size(); ++c) {
      const int dims = rows.problem.dims(static_cast<int>(c));
      const Eigen::MatrixXd own = rows.dense.middleRows(row, dims);
      sum += beta * weights[c] * own.transpose() * own;
      row += dims;
    }
    const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(15, -1, 2);
    Eigen::VectorXd x = b;
    penalty.solve({x.data(), 15});
    EXPECT_LT((sum * x - b).norm(), 15 * 15 * std::numeric_limits<double>::epsilon() * sum.norm() * x.norm()) << beta;
  }
}

TEST(NodalPenalty, RefusesConstraintsBeyondThePattern) {
  std::mt19937 random(4);
  Eigen::MatrixXd a;
  const NodalMatrix matrix = chain(random, a);
  Rows rows(15);
  rows.add(1, {0, 8}, random);  // nodes 0 and 2
  EXPECT_FALSE(NodalPenalty().prepare(matrix, rows.compact()));
}

}  // namespace
}  // namespace uzawa
