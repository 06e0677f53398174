/// Pattern and products of nodal matrices against dense ones.
#include "uzawa/math/nodal/nodal_matrix.hpp"

#include <gtest/gtest.h>

#include "math/nodal_cases.hpp"
#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"

namespace uzawa {
namespace {

TEST(NodalPattern, SortsCouplesAndAddsDiagonals) {
  const NodalPattern pattern = make_nodal_pattern(4, {{0, 3}, {3, 0}, {2, 2}, {3, 1}, {0, 1}});
  EXPECT_EQ(pattern.nodes(), 4);
  EXPECT_EQ(pattern.start, (std::vector<int>{0, 1, 3, 4, 7}));
  EXPECT_EQ(pattern.column, (std::vector<int>{0, 0, 1, 2, 0, 1, 3}));
  EXPECT_EQ(pattern.place(3, 1), 5u);
  EXPECT_EQ(pattern.place(2, 2), 3u);
  EXPECT_EQ(pattern.diagonal(3), 6u);
  EXPECT_EQ(make_nodal_pattern(0, {}).nodes(), 0);
}

TEST(NodalPattern, RefusesNodesThatAreNotThere) {
  EXPECT_THROW(make_nodal_pattern(4, {{0, 4}}), InputError);
  EXPECT_THROW(make_nodal_pattern(4, {{-1, 2}}), InputError);
}

TEST(NodalMatrix, MultipliesLikeADenseMatrix) {
  std::mt19937 random(1);
  for (const int nodes : {1, 2, 7, 40, 150}) {
    const NodalMatrix matrix = test::random_matrix(nodes, test::random_couples(nodes, 4, random), 1, random);
    const Eigen::MatrixXd a = test::dense(matrix);
    const Eigen::VectorXd x = test::random_vector(3 * nodes, random);
    // What was there before, and a number beyond the end.
    Eigen::VectorXd y = Eigen::VectorXd::Constant(3 * nodes + 1, 7);
    matrix.multiply({x.data(), at(3 * nodes)}, {y.data(), at(3 * nodes)});
    const Eigen::VectorXd terms = a.cwiseAbs() * x.cwiseAbs();
    for (int i = 0; i < 3 * nodes; ++i) EXPECT_NEAR(y[i], a.row(i) * x, 3 * nodes * 2.2e-16 * terms[i]);
    EXPECT_EQ(y[3 * nodes], 7);
  }
}

}  // namespace
}  // namespace uzawa
