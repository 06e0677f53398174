#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "free_geoms.hpp"
#include "support/allocations.hpp"

/// The whole room: looking ahead, keys, order, memory.
namespace uzawa::test {
namespace {

std::vector<GeomSpec> zoo() {
  return {geom(ShapeType::Plane, {}),
          geom(ShapeType::Box, {0.1, 0.1, 0.1}),
          geom(ShapeType::Box, {0.1, 0.12, 0.1}),
          geom(ShapeType::Sphere, {0.1, 0, 0}),
          geom(ShapeType::Capsule, {0.05, 0.1, 0}),
          geom(ShapeType::Cylinder, {0.08, 0.1, 0}),
          geom(ShapeType::Ellipsoid, {0.1, 0.08, 0.06}),
          geom(ShapeType::Mesh, {}, 0),
          geom(ShapeType::Mesh, {}, 1)};
}

Model zoo_model() {
  std::mt19937_64 random(1);
  ModelSpec spec = free_geoms(zoo());
  spec.meshes = {rock(30, 0.12, random), rock(200, 0.12, random)};
  return Model(std::move(spec));
}

std::vector<Pose> crowd(std::mt19937_64& random) {
  std::uniform_real_distribution<double> place(-0.12, 0.12);
  std::vector<Pose> poses;
  for (int i = 0; i < 8; ++i) {
    poses.push_back(at(place(random), place(random), 0.1 + place(random), random_turn(random)));
  }
  return poses;
}

TEST(ColliderTest, AllocatesNothingOnceWarm) {
  const Model model = zoo_model();
  Collider collider(model);
  std::mt19937_64 random(2);
  std::vector<std::vector<Pose>> scenes;
  for (int i = 0; i < 50; ++i) scenes.push_back(crowd(random));
  const std::vector<Vec3> velocity(8, Vec3{1, 0, 0});
  const Speculation ahead{.distance = 0.001, .time = 0.002, .linear = velocity, .angular = velocity};
  for (const auto& poses : scenes) collider.run(poses, ahead);
  EXPECT_GT(collider.contacts().size(), 10U);
  const long before = allocations();
  for (const auto& poses : scenes) collider.run(poses, ahead);
  EXPECT_EQ(allocations() - before, 0);
}

TEST(ColliderTest, SameBitsForTheSamePoses) {
  const Model model = zoo_model();
  std::mt19937_64 random(3);
  std::vector<std::vector<Pose>> scenes;
  for (int i = 0; i < 20; ++i) scenes.push_back(crowd(random));
  Collider one(model), other(model);
  for (const auto& poses : scenes) one.run(poses);
  for (std::size_t i = scenes.size(); i-- > 0;) {  // in another order
    one.run(scenes[i]);
    other.run(scenes[i]);
    ASSERT_EQ(one.contacts().size(), other.contacts().size());
    for (std::size_t k = 0; k < one.contacts().size(); ++k) {
      const Contact &a = one.contacts()[k], &b = other.contacts()[k];
      EXPECT_TRUE(a.key == b.key && a.gap == b.gap && norm(a.position - b.position) == 0);
    }
    const auto ordered = [](const Contact& a, const Contact& b) {
      return a.geom1 != b.geom1 ? a.geom1 < b.geom1 : a.geom2 < b.geom2;
    };
    EXPECT_TRUE(std::is_sorted(one.contacts().begin(), one.contacts().end(), ordered));
  }
}

/// A normal that kept a pair apart is tried again; what is found must not depend on it.
TEST(ColliderTest, SlowMotionFindsWhatAFreshColliderFinds) {
  const Model model = zoo_model();
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> drift(-0.004, 0.004);
  std::vector<Pose> poses = crowd(random);
  Collider old(model);
  std::size_t most = 0, least = 1000;
  for (int step = 0; step < 300; ++step) {
    for (Pose& pose : poses) {
      pose.position += Vec3{drift(random), drift(random), drift(random)};
      pose.rotation = pose.rotation * to_matrix(exp_rotation({drift(random) * 5, drift(random) * 5, 0}));
    }
    old.run(poses, {.distance = 0.005});
    Collider fresh(model);
    fresh.run(poses, {.distance = 0.005});
    ASSERT_EQ(old.contacts().size(), fresh.contacts().size()) << "step " << step;
    for (std::size_t k = 0; k < old.contacts().size(); ++k) {
      const Contact &a = old.contacts()[k], &b = fresh.contacts()[k];
      EXPECT_TRUE(a.key == b.key && a.gap == b.gap && norm(a.position - b.position) == 0) << "step " << step;
    }
    most = std::max(most, old.contacts().size());
    least = std::min(least, old.contacts().size());
  }
  EXPECT_GT(most, least + 10);  // pairs came and went
}

TEST(ColliderTest, SameBitsForAnyNumberOfThreads) {
  std::mt19937_64 random(8);
  std::vector<GeomSpec> geoms;
  for (int i = 0; i < 4; ++i) {
    for (const GeomSpec& g : zoo()) {
      if (i == 0 || g.shape != ShapeType::Plane) geoms.push_back(g);
    }
  }
  ModelSpec spec = free_geoms(std::move(geoms));
  spec.meshes = {rock(30, 0.12, random), rock(200, 0.12, random)};
  const Model model(std::move(spec));
  ThreadPool two(2), eight(8);
  Collider alone(model), with_two(model), with_eight(model);
  for (int scene = 0; scene < 20; ++scene) {
    std::vector<Pose> poses;
    for (int i = 0; i < 4; ++i) {
      for (const Pose& pose : crowd(random)) poses.push_back(pose);
    }
    alone.run(poses);
    with_two.run(poses, {}, &two);
    with_eight.run(poses, {}, &eight);
    ASSERT_GT(alone.stats().candidates, 100);  // enough for all threads
    for (const Collider* other : {&with_two, &with_eight}) {
      ASSERT_EQ(alone.contacts().size(), other->contacts().size());
      EXPECT_EQ(alone.stats().touching, other->stats().touching);
      EXPECT_EQ(alone.stats().dropped, other->stats().dropped);
      for (std::size_t k = 0; k < alone.contacts().size(); ++k) {
        const Contact &a = alone.contacts()[k], &b = other->contacts()[k];
        EXPECT_TRUE(a.geom1 == b.geom1 && a.geom2 == b.geom2 && a.key == b.key && a.gap == b.gap);
        EXPECT_TRUE(norm(a.position - b.position) == 0 && norm(a.normal - b.normal) == 0);
      }
    }
  }
}

/// Two boxes, one turned on the other; small motions keep the features and so the keys, and the points move little.
TEST(ColliderTest, KeysPersistUnderSmallMotions) {
  ModelSpec spec = free_geoms({geom(ShapeType::Plane, {}), geom(ShapeType::Box, {0.1, 0.1, 0.1}),
                               geom(ShapeType::Box, {0.1, 0.1, 0.1}), geom(ShapeType::Cylinder, {0.05, 0.1, 0}),
                               geom(ShapeType::Capsule, {0.05, 0.1, 0}), geom(ShapeType::Mesh, {}, 0)});
  spec.meshes.push_back(box_mesh({0.1, 0.1, 0.1}));
  Collider collider{Model(spec)};
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> shake(-1e-7, 1e-7);
  const double s = std::sqrt(0.5);
  const std::vector<Pose> rest = {at(0, 0, 0.1), at(0.01, 0.02, 0.3, exp_rotation({0, 0, 0.5})), at(0.5, 0, 0.1),
                                  at(1, 0, 0.05, {s, {s, 0, 0}}), at(0.01, 0, 0.5, exp_rotation({0, 0, 0.2}))};
  std::map<std::uint64_t, Vec3> first;
  for (int i = 0; i < 200; ++i) {
    std::vector<Pose> poses = rest;
    for (Pose& pose : poses) {
      pose.position += Vec3{shake(random), shake(random), shake(random)};
      pose.rotation = to_matrix(exp_rotation({shake(random), shake(random), shake(random)})) * pose.rotation;
    }
    collider.run(poses, {.distance = 1e-5});
    std::map<std::uint64_t, Vec3> now;
    for (const Contact& c : collider.contacts()) {
      // The rim of a standing cylinder turns with its tilt: its points have names, not places.
      EXPECT_TRUE(now.emplace(c.key, c.geom2 == 3 ? Vec3{} : c.position).second) << "a key twice";
    }
    if (i == 0) first = now;
    ASSERT_EQ(now.size(), first.size());
    for (const auto& [key, position] : now) {
      ASSERT_TRUE(first.contains(key));
      EXPECT_LT(norm(position - first[key]), 1e-5);
    }
  }
  EXPECT_EQ(first.size(), 4U + 8U + 6U + 2U + 8U);
}

/// Pairs are reported as soon as they can meet within the step, and not before.
TEST(ColliderTest, LooksAheadByRelativeSpeed) {
  const Model model(free_geoms({geom(ShapeType::Sphere, {0.1, 0, 0}), geom(ShapeType::Sphere, {0.1, 0, 0})}));
  Collider collider(model);
  const double gap = 0.05;
  const std::vector<Pose> poses = {at(0, 0, 0), at(0.2 + gap, 0, 0)};
  const auto count = [&](const Vec3& v1, const Vec3& v2, const Vec3& w, double time, double distance = 0) {
    const std::vector<Vec3> linear = {v1, v2}, angular = {w, w};
    collider.run(poses, {.distance = distance, .time = time, .linear = linear, .angular = angular});
    return collider.contacts().size();
  };
  EXPECT_EQ(count({}, {}, {}, 0.01), 0U);
  EXPECT_EQ(count({4, 0, 0}, {}, {}, 0.01), 0U);
  EXPECT_EQ(count({6, 0, 0}, {}, {}, 0.01), 1U);
  EXPECT_EQ(count({3, 0, 0}, {-3, 0, 0}, {}, 0.01), 1U);
  EXPECT_EQ(count({100, 0, 0}, {100, 0, 0}, {}, 0.01), 0U) << "they travel together";
  EXPECT_EQ(count({}, {}, {0, 0, 30}, 0.01), 1U) << "turning shapes reach further";
  EXPECT_EQ(count({}, {}, {}, 0.01, 0.06), 1U);
  EXPECT_NEAR(collider.contacts()[0].gap, gap, 1e-12);
}

/// A mesh of many corners on a plane: no more points than the cap, and a word about the rest.
TEST(ColliderTest, CapsAreReported) {
  MeshSpec coin;
  for (int i = 0; i < 64; ++i) {
    for (const float z : {-0.01F, 0.01F}) {
      coin.vertices.push_back(
          {static_cast<float>(0.1 * std::cos(i * M_PI / 32)), static_cast<float>(0.1 * std::sin(i * M_PI / 32)), z});
    }
  }
  ModelSpec spec = free_geoms({geom(ShapeType::Plane, {}), geom(ShapeType::Mesh, {}, 0)});
  spec.meshes.push_back(coin);
  Collider collider{Model(spec), {.convex_cap = 8}};
  collider.run(std::vector<Pose>{at(0, 0, 0.0099)});
  EXPECT_EQ(collider.contacts().size(), 8U);
  EXPECT_EQ(collider.stats().dropped, 56);
  double reach[4] = {};  // what stays covers the coin
  for (const Contact& c : collider.contacts()) {
    reach[0] = std::max(reach[0], c.position.x());
    reach[1] = std::max(reach[1], -c.position.x());
    reach[2] = std::max(reach[2], c.position.y());
    reach[3] = std::max(reach[3], -c.position.y());
  }
  for (const double r : reach) EXPECT_GT(r, 0.09);
}

ManifoldPoint point(double x, double y, double gap, std::uint64_t feature, const Vec3& normal = {0, 0, 1}) {
  return {{x, y, 0}, normal, gap, feature};
}

TEST(Reduction, MergesNearDuplicatesIntoTheDeeper) {
  Reducer reducer;
  std::vector<ManifoldPoint> points = {point(0, 0, -1e-3, 1), point(1e-5, 0, -2e-3, 2), point(0, 1e-5, 0, 3, {1, 0, 0}),
                                       point(1, 0, 0, 4)};
  EXPECT_EQ(reducer.reduce({.merge_distance = 1e-4}, points), 0);
  ASSERT_EQ(points.size(), 3U);  // another normal is another contact
  EXPECT_EQ(points[0].feature, 2U);
}

/// A ridge of points at gap 0 between many at 1 mm that are far from each other.
TEST(Reduction, PrefersTheDeepOnes) {
  Reducer reducer;
  std::vector<ManifoldPoint> points;
  for (int i = 0; i < 40; ++i) {
    for (int k = 0; k < 40; ++k) {
      points.push_back(point(0.001 * i, 0.001 * k, k % 4 == 0 ? 0 : 1e-3, static_cast<std::uint64_t>(points.size())));
    }
  }
  reducer.reduce({.merge_distance = 1e-6, .cap = 120}, points);
  const auto deep = std::count_if(points.begin(), points.end(), [](const ManifoldPoint& p) { return p.gap == 0; });
  EXPECT_EQ(points.size(), 120U);
  EXPECT_GT(deep, 100);  // 30 by position alone
}

TEST(Reduction, KeepsTheDeepestAndTheExtremes) {
  std::mt19937_64 random(6);
  std::uniform_real_distribution<double> place(-1, 1);
  Reducer reducer;
  std::vector<ManifoldPoint> points;
  for (std::uint64_t i = 0; i < 2000; ++i)
    points.push_back(point(place(random), place(random), 1e-3 * place(random), i));
  const double low =
      std::min_element(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.gap < b.gap; })->gap;
  const std::vector<ManifoldPoint> all = points;
  EXPECT_EQ(reducer.reduce({.merge_distance = 1e-6, .cap = 120}, points), 2000 - 120);
  ASSERT_EQ(points.size(), 120U);
  EXPECT_TRUE(std::any_of(points.begin(), points.end(), [&](const auto& p) { return p.gap == low; }));
  EXPECT_TRUE(
      std::is_sorted(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.feature < b.feature; }));
  double corner[4] = {9, 9, 9, 9}, worst = 0;
  for (const ManifoldPoint& p : points) {
    for (int k = 0; k < 4; ++k) {
      const Vec3 c{(k & 1) != 0 ? 1. : -1., (k & 2) != 0 ? 1. : -1., 0};
      corner[k] = std::min(corner[k], norm(p.position - c));
    }
  }
  for (const double d : corner) EXPECT_LT(d, 0.2);
  for (const ManifoldPoint& q : all) {  // every point that went has one near it that stayed
    double least = 9;
    for (const ManifoldPoint& p : points) least = std::min(least, norm(p.position - q.position));
    worst = std::max(worst, least);
  }
  EXPECT_LT(worst, 0.3);
}

}  // namespace
}  // namespace uzawa::test
