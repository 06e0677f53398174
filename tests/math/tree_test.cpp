#include "uzawa/math/tree.hpp"

#include <gtest/gtest.h>

#include "uzawa/base/error.hpp"

namespace uzawa {
namespace {

//   0 (2 dofs)      3 (1 dof)
//   |      \        |
//   1 (1)   2 (0)   4 (3)
TEST(TreeTopologyTest, KnowsPathsTreesAndLastDofs) {
  const TreeTopology tree({-1, 0, 0, -1, 3}, {2, 1, 0, 1, 3});
  EXPECT_EQ(tree.links(), 5);
  EXPECT_EQ(tree.dofs(), 7);
  EXPECT_EQ(tree.trees(), 2);
  EXPECT_EQ(tree.link_tree(2), 0);
  EXPECT_EQ(tree.link_tree(4), 1);
  EXPECT_EQ(tree.tree_root(1), 3);
  EXPECT_EQ(tree.last_dof(2), 1);  // moves with its parent
  EXPECT_EQ(tree.dof_parent(0), -1);
  EXPECT_EQ(tree.dof_parent(2), 1);
  EXPECT_EQ(tree.dof_parent(4), 3);
  EXPECT_EQ(tree.depth(6), 4);
  const std::vector<int> path(tree.path(6).begin(), tree.path(6).end());
  EXPECT_EQ(path, (std::vector<int>{3, 4, 5, 6}));
  EXPECT_EQ(tree.dof_link(5), 4);
}

TEST(TreeTopologyTest, RefusesWhatIsNoForest) {
  EXPECT_THROW(TreeTopology({0}, {1}), InputError);         // its own parent
  EXPECT_THROW(TreeTopology({-1, 2}, {1, 1}), InputError);  // parent after child
  EXPECT_THROW(TreeTopology({-2}, {1}), InputError);
  EXPECT_THROW(TreeTopology({-1}, {-1}), InputError);
  EXPECT_THROW(TreeTopology({-1}, {1, 1}), InputError);
}

}  // namespace
}  // namespace uzawa
