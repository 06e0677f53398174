#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "uzawa/math/eight.hpp"
#include "uzawa/math/offset.hpp"
#include "uzawa/math/six.hpp"

namespace uzawa {
namespace {

using Random = std::mt19937;

Vec3 any_vec3(Random& random) {
  std::uniform_real_distribution<double> any(-1, 1);
  const double x = any(random), y = any(random);
  return {x, y, any(random)};
}

TEST(LanesTest, GatherAndScatterAreInverse) {
  Random random(2);
  const Vec3 in[4] = {any_vec3(random), any_vec3(random), any_vec3(random), any_vec3(random)};
  const Vec3x4 lanes = gather(in[0], in[1], in[2], in[3]);
  Vec3 out[4];
  scatter(lanes, out[0], out[1], out[2], out[3]);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(norm(lanes.lane(i) - in[i]), 0);
    EXPECT_EQ(norm(out[i] - in[i]), 0);
    EXPECT_EQ(out[i].lanes[3], 0);
  }
}

TEST(LanesTest, OverRootIsExactOverAllMagnitudes) {
  for (int exponent = -300; exponent <= 300; ++exponent) {
    WideLanes square{};
    for (int i = 0; i < kWide; ++i) square[i] = (1 + i * 0.99 / kWide) * std::pow(10.0, exponent);
    const WideLanes found = over_root(broadcast_wide(3), square);
    for (int i = 0; i < kWide; ++i) {
      const double expected = 3 / std::sqrt(square[i]);
      EXPECT_NEAR(found[i], expected, 4e-16 * expected) << square[i];
    }
  }
}

TEST(SixTest, MotionsAndForcesComeBack) {
  Random random(3);
  const Vec3 first = any_vec3(random), second = any_vec3(random);
  const Motion motion = Six(Motion{first, second}).motion();
  const Force force = Six(Force{first, second}).force();
  EXPECT_EQ(norm(motion.angular - first) + norm(motion.linear - second), 0);
  EXPECT_EQ(norm(force.moment - first) + norm(force.force - second), 0);
  EXPECT_EQ(motion.angular.lanes[3], 0);
  EXPECT_EQ(motion.linear.lanes[3], 0);
}

TEST(SixTest, GatherAndScatterAreInverse) {
  Random random(4);
  Six in[kWide], out[kWide];
  for (Six& six : in) six = Six(Motion{any_vec3(random), any_vec3(random)});
  Vec3Wide first, second;
  gather_six([&](int i) -> const Six& { return in[i]; }, first, second);
  scatter_six(first, second, [&](int i) -> Six& { return out[i]; });
  for (int i = 0; i < kWide; ++i) {
    EXPECT_EQ(norm(first.lane(i) - in[i].first()), 0) << i;
    EXPECT_EQ(norm(second.lane(i) - in[i].second()), 0) << i;
    EXPECT_EQ(norm(out[i].first() - in[i].first()), 0) << i;
    EXPECT_EQ(norm(out[i].second() - in[i].second()), 0) << i;
  }
}

TEST(EightTest, AllEightTakePart) {
  const double x[] = {1, 2, 3, 4, 5, 6, 7, 8}, y[] = {8, 7, 6, 5, 4, 3, 2, 1};
  EXPECT_EQ(sum(Eight::load(x)), 36);
  EXPECT_EQ(sum(Eight::load(x) * Eight::load(y)), 120);
  double out[8];
  (Eight::load(x) * 2 - Eight::load(y)).store(out);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(out[i], 2 * x[i] - y[i]);
}

TEST(OffsetTest, LeadsToTheEntry) {
  Six data[3];
  Offset<Six>(2).in(data) = Six({1, 2, 3}, {4, 5, 6});
  EXPECT_EQ(data[2].second().z(), 6);
  EXPECT_EQ(Offset<Six>().in(data).first().x(), 0);
}

}  // namespace
}  // namespace uzawa
