/// Inverse articulated-body inertias against J A^-1 J^T by dense algebra.
#include "uzawa/math/inverse_inertia.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "problem/random_problem.hpp"

namespace uzawa::test {
namespace {

/// Motion of a link for unit speeds of the tree: 6 x dofs, angular above linear.
Eigen::MatrixXd link_jacobian(const TreeInertia& tree, int link) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(6, tree.topology->dofs());
  for (int at = link; at >= 0; at = tree.topology->link_parent(at)) {
    for (int i = tree.topology->dof_begin(at); i < tree.topology->dof_begin(at + 1); ++i) {
      const Motion& s = tree.subspace[static_cast<std::size_t>(i)];
      out.col(i) << eigen(s.angular), eigen(s.linear);
    }
  }
  return out;
}

TreeMatrix factor_of(const TreeInertia& tree) {
  TreeMatrix a(tree.topology);
  std::vector<SpatialInertia> composite(tree.inertia.size());
  assemble(tree, composite, a);
  EXPECT_TRUE(a.factorize(a));
  return a;
}

TEST(InverseInertiaTest, IsTheInverseOfTheJointSpaceMatrix) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    const TreeInertia tree = random_tree(random, 3 + static_cast<int>(seed));
    const TreeMatrix factor = factor_of(tree);
    std::vector<int> handles;
    for (int link = static_cast<int>(seed) % 2; link < tree.topology->links(); link += 2) handles.push_back(link);
    handles.push_back(handles.front());  // the same link twice
    InverseInertias phi;
    phi.compute(tree, factor, handles);
    const Eigen::MatrixXd inverse = dense(tree).inverse();
    for (std::size_t i = 0; i < handles.size(); ++i) {
      for (std::size_t j = 0; j < handles.size(); ++j) {
        const Eigen::MatrixXd expected =
            link_jacobian(tree, handles[i]) * inverse * link_jacobian(tree, handles[j]).transpose();
        const InverseInertia& actual = phi.between(static_cast<int>(i), static_cast<int>(j));
        const double scale = std::max(1.0, expected.cwiseAbs().maxCoeff());
        for (int r = 0; r < 6; ++r) {
          for (int c = 0; c < 6; ++c) EXPECT_NEAR(actual(r, c), expected(r, c), 1e-9 * scale) << seed;
        }
      }
    }
  }
}

TEST(InverseInertiaTest, TurnsForcesIntoMotions) {
  Random random(4);
  const TreeInertia tree = random_tree(random, 6);
  const TreeMatrix factor = factor_of(tree);
  InverseInertias phi;
  const int handles[] = {2, 5};
  phi.compute(tree, factor, handles);
  const Force push{random_vec3(random), random_vec3(random)};
  const Motion motion = phi.between(0, 1) * push;
  Eigen::VectorXd f(6);
  f << eigen(push.moment), eigen(push.force);
  const Eigen::VectorXd expected =
      link_jacobian(tree, 2) * dense(tree).ldlt().solve(link_jacobian(tree, 5).transpose() * f);
  EXPECT_LE((expected.head(3) - eigen(motion.angular)).norm(), 1e-10 * std::max(1.0, expected.norm()));
  EXPECT_LE((expected.tail(3) - eigen(motion.linear)).norm(), 1e-10 * std::max(1.0, expected.norm()));
}

}  // namespace
}  // namespace uzawa::test
