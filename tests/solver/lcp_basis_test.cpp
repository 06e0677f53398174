/// A basis keeps memory for the largest regular K, and forgets the size of the problem before.
#include "uzawa/solver/lcp/lcp_basis.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace uzawa {
namespace {

constexpr int kSides = 8;

/// Contacts of unit masses: W is the identity.
struct Contacts {
  explicit Contacts(int count) : delassus(static_cast<std::size_t>(9 * count * count)) {
    const int rows = 3 * count;
    for (int r = 0; r < rows; ++r) delassus[static_cast<std::size_t>(r * rows + r)] = 1;
    matrix.reset(delassus, rows);
    for (int i = 0; i < count; ++i) {
      const int normal = matrix.add_variable({.row = 3 * i, .dims = 3, .impulse = {0, 0, 1}});
      matrix.add_slip(normal, 0.5);
      for (int s = 0; s < kSides; ++s) {
        const double angle = 2 * M_PI * s / kSides;
        matrix.add_side({.row = 3 * i, .dims = 3, .impulse = {std::cos(angle), std::sin(angle), 0}});
      }
    }
    q.assign(static_cast<std::size_t>(matrix.size()), -1.0);
    roles.assign(q.size(), LcpRole::Complementary);
  }

  std::vector<double> delassus, q;
  std::vector<LcpRole> roles;
  ContactLcpMatrix matrix;
};

int add_all(LcpBasis& basis, const Contacts& contacts) {
  basis.attach(contacts.matrix, contacts.q, contacts.roles);
  EXPECT_TRUE(basis.clear());
  for (int pass = 0; pass < 2; ++pass) {
    for (int i = 0; i < contacts.matrix.size(); ++i) basis.try_add(i);
  }
  EXPECT_TRUE(basis.refresh());
  return static_cast<int>(std::count(basis.basic().begin(), basis.basic().end(), char{1}));
}

/// Normal, slip and three sides of a contact of three rows make a regular K: two more than the rank of W.
TEST(LcpBasisTest, SlipVariablesAddTwoToTheRank) {
  const Contacts one(1);
  LcpBasis basis;
  basis.attach(one.matrix, one.q, one.roles);
  std::vector<char> basic(one.q.size(), 0);
  for (const std::size_t i : {0, 1, 2, 4, 7}) basic[i] = 1;
  EXPECT_TRUE(basis.load(basic));
  EXPECT_EQ(one.matrix.largest_basis(), 5);
  basic[8] = 1;
  EXPECT_FALSE(basis.load(basic));
}

TEST(LcpBasisTest, FitsASmallProblemAfterALargeOne) {
  LcpBasis fresh, used;
  const Contacts small(2), large(12);
  const int expected = add_all(fresh, small);
  EXPECT_LE(expected, small.matrix.largest_basis());
  EXPECT_LE(add_all(used, large), large.matrix.largest_basis());
  EXPECT_EQ(add_all(used, small), expected);
  EXPECT_TRUE(std::equal(used.values().begin(), used.values().end(), fresh.values().begin(), fresh.values().end()));
}

}  // namespace
}  // namespace uzawa
