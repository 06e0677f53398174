#include <fmt/format.h>
#include <gtest/gtest.h>

#include "direction_oracle.hpp"
#include "mujoco_scene.hpp"

/// All pairs of primitives at 10,000 random poses each, against MuJoCo and against brute force over directions.
///
/// MuJoCo is exact where it has closed forms, with two exceptions that brute force settles: it prefers a face of two
/// boxes to an edge that is a little better, and pushes a capsule whose axis is inside a box out the wrong way. Its
/// general convex collisions, told to converge to 1e-12, are exact but for a few poses in which they stop early; their
/// normal is only as good as the square root of that tolerance.
namespace uzawa::test {
namespace {

constexpr int kModels = 10, kPoses = 1000;
constexpr double kMargin = 0.05;     // m
constexpr double kTolerance = 1e-6;  // m and rad: what we promise
/// m: a direction of MuJoCo's whose own gap differs by more from what MuJoCo reports is not a result.
constexpr double kConsistent = 1e-7;

struct Tally {
  int poses = 0, touching = 0, their_misses = 0, normals_compared = 0;
  double worst_gap = 0, worst_normal = 0, worst_own_gap = 0, worst_band = 0, worst_gain = 0, worst_missed = 0;
};

class PrimitivePairs : public testing::TestWithParam<std::pair<const char*, const char*>> {
 protected:
  /// Ours alone: the gap is what the normal says, and no direction beside it is better.
  static void judge_ours(const DirectionOracle& oracle, const SceneContact& c, bool plane, bool thorough,
                         Tally& tally) {
    tally.worst_own_gap = std::max(tally.worst_own_gap, std::abs(oracle.gap_along(c.normal) - c.gap));
    if (plane) return;
    tally.worst_gain = std::max(tally.worst_gain, oracle.gain_nearby(c.normal, 2 * kTolerance));
    if (thorough) tally.worst_missed = std::max(tally.worst_missed, oracle.largest() - c.gap);
  }

  static void compare(const DirectionOracle& oracle, const SceneContact& ours, const SceneContact& theirs,
                      Tally& tally) {
    const double along_theirs = oracle.gap_along(theirs.normal);
    // No direction is better than ours, so theirs is at most as good; where it is worse, they missed.
    tally.worst_missed = std::max(tally.worst_missed, along_theirs - ours.gap);
    if (std::abs(along_theirs - theirs.gap) > kConsistent || along_theirs < ours.gap - kConsistent) {
      ++tally.their_misses;
      return;
    }
    tally.worst_gap = std::max(tally.worst_gap, std::abs(ours.gap - theirs.gap));
    const double angle = norm(ours.normal - theirs.normal);
    if (angle > 0.1) return;  // two sides are equally near
    tally.worst_normal = std::max(tally.worst_normal, angle);
    ++tally.normals_compared;
  }
};

TEST_P(PrimitivePairs, AgreeWithMujocoAndBruteForce) {
  if (!kModernMujoco) GTEST_SKIP() << "margins add up differently in this MuJoCo";
  const auto [first, second] = GetParam();
  const bool plane = std::string(first) == "plane";
  std::mt19937_64 random(std::hash<std::string>{}(std::string(first) + second));
  Tally tally;
  for (int k = 0; k < kModels; ++k) {
    MujocoScene scene(pair_xml(first, second, kMargin, random));
    scene.make_exact();
    const auto& geoms = scene.collider().shapes().geoms();
    const double reach = (plane ? 0 : geoms[0].shape.radius) + geoms[1].shape.radius;
    for (int i = 0; i < kPoses; ++i) {
      scene.run(random_pair_pose(plane, reach, random));
      ++tally.poses;
      const SceneContact *ours = deepest(scene.our_contacts()), *theirs = deepest(scene.their_contacts());
      const DirectionOracle oracle(scene.theirs(), scene.their_data());
      if (ours != nullptr) judge_ours(oracle, *ours, plane, i % 50 == 0, tally);
      if (ours != nullptr && theirs != nullptr) {
        ++tally.touching;
        compare(oracle, *ours, *theirs, tally);
      } else if (ours != nullptr || theirs != nullptr) {
        // One side only: then the gap is the margin, to rounding; or they took a separation that is not the distance.
        const double gap = ours != nullptr ? ours->gap : oracle.largest();
        tally.worst_band =
            std::max(tally.worst_band, ours != nullptr ? gap - oracle.gap_along(ours->normal) : kMargin - gap);
        tally.their_misses += ours != nullptr && gap < kMargin - kTolerance ? 1 : 0;
      }
    }
  }
  EXPECT_EQ(tally.poses, kModels * kPoses);
  EXPECT_GT(tally.touching, tally.poses / 5);
  EXPECT_LT(tally.worst_own_gap, kTolerance);
  EXPECT_LE(tally.worst_gain, 1e-15) << "a direction 2e-6 rad beside the normal is better";
  EXPECT_LT(tally.worst_missed, kTolerance) << "another direction is better";
  EXPECT_LT(tally.worst_band, kTolerance) << "contact on one side only";
  EXPECT_LT(tally.worst_gap, kTolerance);
  const bool curved = std::string(first) == "ellipsoid" || std::string(second) == "ellipsoid" ||
                      std::string(second) == "cylinder" || std::string(first) == "cylinder";
  const bool closed_form = plane || !curved || (std::string(first) == "sphere" && std::string(second) == "cylinder");
  // Theirs, at a tolerance of 1e-12 m on the depth of shapes whose radii of curvature may exceed 1 cm by far.
  EXPECT_LT(tally.worst_normal, closed_form ? kTolerance : 2e-3);
  EXPECT_LT(tally.their_misses, tally.touching / 5);
  fmt::print("{:>9} - {:<9} touching {:>5}, MuJoCo missed {:>4}, gap {:.0e}, normal {:.0e}, own {:.0e}\n", first,
             second, tally.touching, tally.their_misses, tally.worst_gap, tally.worst_normal, tally.worst_own_gap);
}

std::vector<std::pair<const char*, const char*>> all_pairs() {
  const char* const shapes[] = {"plane", "sphere", "capsule", "ellipsoid", "cylinder", "box"};
  std::vector<std::pair<const char*, const char*>> pairs;
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t k = std::max<std::size_t>(i, 1); k < 6; ++k) pairs.emplace_back(shapes[i], shapes[k]);
  }
  return pairs;
}

INSTANTIATE_TEST_SUITE_P(All, PrimitivePairs, testing::ValuesIn(all_pairs()), [](const auto& param_info) {
  return std::string(param_info.param.first) + "_" + param_info.param.second;
});

}  // namespace
}  // namespace uzawa::test
