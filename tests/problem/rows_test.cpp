#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "problem/random_problem.hpp"
#include "support/dense_jacobian.hpp"
#include "uzawa/base/at.hpp"
#include "uzawa/problem/problem.hpp"

namespace uzawa::test {
namespace {

RC_GTEST_PROP(ConstraintRows, AreWhatTheAttachmentsSay, (unsigned seed)) {
  Random random(seed);
  const Problem problem = random_problem(random);
  const SparseRows rows = constraint_rows(problem);
  RC_ASSERT(rows.rows() == problem.rows);
  RC_ASSERT(rows.columns == problem.n());
  RC_ASSERT((dense(rows) - dense_jacobian(problem)).norm() < 1e-13);
}

/// Several attachments on one block, in any order of the blocks, and memory that held other rows before.
RC_GTEST_PROP(ConstraintRows, AddUpWhereAttachmentsOverlap, (unsigned seed)) {
  Random random(seed);
  Problem problem = random_problem(random);
  SparseRows rows = constraint_rows(problem);
  const auto blocks = static_cast<int>(problem.blocks.size());
  std::vector<Attachment> many;
  for (int i = 0; i < 7; ++i) {
    const int block = static_cast<int>(uniform(random, 0, blocks));
    Eigen::MatrixXd entries(3, problem.blocks[at(block)].size);
    for (double& x : entries.reshaped()) x = uniform(random, -1, 1) > 0 ? uniform(random, -1, 1) : 0;
    many.push_back(problem.explicit_rows(block, sparse(entries)));
  }
  problem.add_contact({0.5, 0.5}, {}, many);
  Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(3, problem.n());
  for (const Attachment& a : many) {
    const Block& block = problem.blocks[at(a.block)];
    expected.middleCols(block.offset, block.size) += dense(problem.attachment_rows[at(a.entries)]);
  }
  constraint_rows(problem, rows);
  RC_ASSERT((dense(rows).bottomRows(3) - expected).norm() < 1e-14);
  for (int r = 0; r < rows.rows(); ++r) {
    for (std::size_t k = rows.begin(r) + 1; k < rows.end(r); ++k) RC_ASSERT(rows.column[k - 1] < rows.column[k]);
  }
}

TEST(ConstraintRows, OfAPointOnALinkThatNothingMovesAreEmpty) {
  TreeInertia tree(std::make_shared<const TreeTopology>(std::vector<int>{-1, 0}, std::vector<int>{0, 1}));
  tree.subspace[0] = {{0, 0, 1}, {}};
  tree.inertia[1].add_point_mass(1, {1, 0, 0});
  Problem problem;
  problem.add_tree(tree, {0});
  Attachment a;
  a.kind = AttachmentKind::LinkPoint;
  a.frame = Mat3::identity();
  a.point = {2, 0, 0};
  problem.add_contact({0.5, 0.5}, {}, {a});
  a.link = 1;
  problem.add_contact({0.5, 0.5}, {}, {a});
  const Eigen::MatrixXd j = dense(constraint_rows(problem));
  EXPECT_EQ(j.topRows(3).norm(), 0);
  EXPECT_EQ(j(4, 0), 2);  // turning about z moves the point at x = 2 along y
}

RC_GTEST_PROP(SparseRows, ProductsAgreeWithDense, (unsigned seed)) {
  Random random(seed);
  const auto number = [&] { return uniform(random, -1, 1); };
  const auto rows = static_cast<Eigen::Index>(uniform(random, 1, 9)),
             columns = static_cast<Eigen::Index>(uniform(random, 1, 9));
  Eigen::MatrixXd m = Eigen::MatrixXd::NullaryExpr(rows, columns, number);
  m.row(rows / 2).setZero();
  const Eigen::VectorXd x = Eigen::VectorXd::NullaryExpr(columns, number),
                        y = Eigen::VectorXd::NullaryExpr(rows, number);
  Eigen::VectorXd product(rows), transposed = x;
  const auto span = [](auto& v) { return std::span(v.data(), static_cast<std::size_t>(v.size())); };
  sparse(m).multiply(span(x), span(product));
  sparse(m).add_transposed(span(y), span(transposed));
  RC_ASSERT((product - m * x).norm() < 1e-14);
  RC_ASSERT((transposed - x - m.transpose() * y).norm() < 1e-14);
}

}  // namespace
}  // namespace uzawa::test
