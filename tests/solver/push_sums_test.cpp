#include "uzawa/solver/admm/push_sums.hpp"

#include <gtest/gtest.h>

namespace uzawa {
namespace {

Six push_of(double x) { return {{x, 2 * x, 3 * x}, {-x, 5 * x, 7 * x}}; }

/// Six links with 0, 3, 1, 2, 3 and 1 pushes; the k-th push on link i is 10^i + k.
class PushSumsTest : public testing::Test {
 protected:
  PushSumsTest() {
    sums.place(start);
    double scale = 1;
    for (std::size_t i = 0; i + 1 < start.size(); ++i, scale *= 10) {
      for (int s = start[i]; s < start[i + 1]; ++s) {
        sums.slots()[s] = push_of(scale + (s - start[i]));
        expected[i] += scale + (s - start[i]);
      }
    }
  }
  void expect_sum(int link) const {
    const Force want = push_of(expected[static_cast<std::size_t>(link)]).force(), found = sums.sum_on(link).force();
    for (int k = 0; k < 3; ++k) {
      EXPECT_DOUBLE_EQ(found.moment[k], want.moment[k]) << link;
      EXPECT_DOUBLE_EQ(found.force[k], want.force[k]) << link;
    }
  }

  const std::vector<int> start = {0, 0, 3, 4, 6, 9, 10};
  double expected[6] = {};
  PushSums sums;
};

TEST_F(PushSumsTest, EveryLinkHasItsOwn) {
  const int all[] = {0, 1, 2, 3, 4, 5};
  sums.add_up(sums.add_part(all));
  for (int link = 0; link < 6; ++link) expect_sum(link);
}

TEST_F(PushSumsTest, PartsLeaveEachOtherAlone) {
  const int first[] = {0, 4, 2}, second[] = {1, 3, 5};
  const int a = sums.add_part(first), b = sums.add_part(second);
  sums.add_up(a);
  for (const int link : first) expect_sum(link);
  const Force untouched = sums.sum_on(3).force();
  EXPECT_EQ(untouched.force.x(), 0);
  sums.add_up(b);
  for (int link = 0; link < 6; ++link) expect_sum(link);
}

TEST_F(PushSumsTest, SumsFollowTheSlotsAndSpareOnesBelongToNobody) {
  const int all[] = {0, 1, 2, 3, 4, 5};
  const int part = sums.add_part(all);
  const int spare = sums.add_spare_slot();
  sums.slots()[spare] = push_of(1e9);
  sums.add_up(part);
  sums.slots()[4] = push_of(0);  // the first of two on link 3
  expected[3] -= 1000;
  sums.add_up(part);
  for (int link = 0; link < 6; ++link) expect_sum(link);
}

}  // namespace
}  // namespace uzawa
