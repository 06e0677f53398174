/// Skins in the whole room: order, keys, threads, memory, look-ahead, filters.
#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "../support/allocations.hpp"
#include "soft_scene.hpp"

namespace uzawa::test {
namespace {

/// Soft and rigid things of all kinds in a heap.
ModelSpec heap() {
  ModelSpec spec = empty_scene();
  spec.geoms.push_back(geom(ShapeType::Plane, {}));
  spec.meshes.push_back(box_mesh({0.1, 0.05, 0.05}));
  add_soft(spec, block({4, 4, 3}, {0.2, 0.2, 0.1}, {0, 0, 0.0995}));
  add_free(spec, geom(ShapeType::Box, {0.05, 0.06, 0.07}), {0.05, 0.02, 0.268}, {1, {0, 0, 0.2}});
  add_soft(spec, sheet(6, 0.3, {0, 0, 0.345}), 0.008);
  spec.soft_bodies.back().self_contact = true;
  add_free(spec, geom(ShapeType::Sphere, {0.05, 0, 0}), {-0.1, 0, 0.4});
  add_free(spec, geom(ShapeType::Mesh, {}, 0), {0.1, 0.1, 0.4});
  add_soft(spec, cord(10, 0.3, {0, -0.05, 0.36}), 0.01);
  add_free(spec, geom(ShapeType::Capsule, {0.03, 0.1, 0}), {0.6, 0, 0.029}, {1, {1, 0, 0}});
  return spec;
}

bool same(std::span<const Contact> a, std::span<const Contact> b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const bool equal = a[i].geom1 == b[i].geom1 && a[i].geom2 == b[i].geom2 && a[i].key == b[i].key &&
                       a[i].gap == b[i].gap && a[i].face1 == b[i].face1 && a[i].face2 == b[i].face2 &&
                       a[i].weights1 == b[i].weights1 && a[i].weights2 == b[i].weights2 &&
                       std::memcmp(&a[i].normal, &b[i].normal, 24) == 0 &&
                       std::memcmp(&a[i].position, &b[i].position, 24) == 0;
    if (!equal) return false;
  }
  return true;
}

TEST(SkinCollider, ContactsAreInOrderAndTheSameForAnyNumberOfThreads) {
  const Model model(heap());
  const std::vector<Pose> poses = reference_poses(model);
  Collider alone(model);
  alone.run(poses, {.distance = 0.002});
  ASSERT_GT(alone.contacts().size(), 60U);
  std::set<std::pair<int, int>> pairs;
  std::pair<int, int> last{-1, -1};
  std::set<std::uint64_t> keys;
  for (const Contact& c : alone.contacts()) {
    ASSERT_TRUE(is_sound(c));
    const std::pair<int, int> pair{c.geom1, c.geom2};
    EXPECT_GE(pair, last);
    last = pair;
    pairs.insert(pair);
    EXPECT_TRUE(keys.insert(c.key).second) << c.geom1 << ' ' << c.geom2;
  }
  EXPECT_EQ(alone.stats().touching, static_cast<int>(pairs.size()));
  EXPECT_GE(pairs.size(), 6U);
  for (const int threads : {2, 3, 8}) {
    ThreadPool pool(threads);
    Collider several(model);
    for (int i = 0; i < 2; ++i) {
      several.run(poses, {.distance = 0.002}, &pool);
      EXPECT_TRUE(same(alone.contacts(), several.contacts()));
    }
  }
}

TEST(SkinCollider, NoMemoryIsTakenAfterTheFirstRun) {
  const Model model(heap());
  std::vector<Pose> poses = reference_poses(model);
  ThreadPool pool(2);
  for (ThreadPool* threads : {static_cast<ThreadPool*>(nullptr), &pool}) {
    Collider collider(model);
    for (int i = 0; i < 3; ++i) collider.run(poses, {.distance = 0.002}, threads);
    const long before = allocations();
    for (int i = 0; i < 5; ++i) collider.run(poses, {.distance = 0.002}, threads);
    EXPECT_EQ(allocations(), before);
  }
}

TEST(SkinCollider, KeysPersistUnderSmallMotions) {
  const Model model(heap());
  std::vector<Pose> poses = reference_poses(model);
  Collider collider(model);
  collider.run(poses, {.distance = 0.002});
  std::set<std::uint64_t> keys;
  for (const Contact& c : collider.contacts()) {
    if (c.gap < 0.0019) keys.insert(c.key);
  }
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> shake(-1e-7, 1e-7);
  for (Pose& p : poses) p.position += Vec3{shake(random), shake(random), shake(random)};
  collider.run(poses, {.distance = 0.002});
  std::set<std::uint64_t> later;
  for (const Contact& c : collider.contacts()) later.insert(c.key);
  std::size_t kept = 0;
  for (const std::uint64_t key : keys) kept += later.count(key);
  // Corners that lie exactly over an edge may change the face.
  EXPECT_GE(kept, keys.size() * 95 / 100) << keys.size();
}

/// A thin sheet that falls on a thin bar by a tenth of a metre a step is seen coming, by every kind of feature.
TEST(SkinCollider, LookAheadSeesFastThinThings) {
  for (const ShapeType bar : {ShapeType::Plane, ShapeType::Capsule, ShapeType::Box, ShapeType::Skin}) {
    for (const bool skin_moves : {true, false}) {
      ModelSpec spec = empty_scene();
      if (bar == ShapeType::Plane) {
        if (!skin_moves) continue;
        spec.geoms.push_back(geom(ShapeType::Plane, {}));
      } else if (bar == ShapeType::Skin) {
        add_soft(spec, sheet(2, 0.31, {0.01, 0.02, 0}));
      } else {
        add_free(spec, geom(bar, {1e-3, 0.1, 1e-3}), {0.03, 0.01, 0},
                 {1, {bar == ShapeType::Capsule ? 1. : 0., 0, 0.2}});
      }
      const int others = bar == ShapeType::Skin ? 9 : bar == ShapeType::Plane ? 0 : 1;
      add_soft(spec, sheet(2, 0.3, {0, 0, 0.09}));
      const Model model(spec);
      const std::vector<Pose> poses = reference_poses(model);
      std::vector<Vec3> linear(poses.size()), angular(poses.size());
      for (std::size_t i = 0; i < linear.size(); ++i) {
        const bool other = static_cast<int>(i) < others;
        if (other != skin_moves) linear[i] = {0, 0, other ? 100. : -100.};
      }
      Collider collider(model);
      collider.run(poses);
      EXPECT_TRUE(collider.contacts().empty());
      collider.run(poses, {.distance = 0, .time = 1e-3, .linear = linear, .angular = angular});
      ASSERT_FALSE(collider.contacts().empty()) << static_cast<int>(bar) << skin_moves;
      for (const Contact& c : collider.contacts()) EXPECT_GT(c.gap, 0.08);
      // Without a relative motion nothing is near.
      std::fill(linear.begin(), linear.end(), Vec3{0, 0, -100});
      if (bar == ShapeType::Plane) continue;
      collider.run(poses, {.distance = 0, .time = 1e-3, .linear = linear, .angular = angular});
      EXPECT_TRUE(collider.contacts().empty()) << static_cast<int>(bar);
    }
  }
}

int count(const ModelSpec& spec) {
  const Model model(spec);
  Collider collider(model);
  collider.run(reference_poses(model));
  return static_cast<int>(collider.contacts().size());
}

TEST(SkinCollider, MasksExcludesAndExplicitPairs) {
  ModelSpec spec = empty_scene();
  const int box = add_free(spec, geom(ShapeType::Box, {1, 1, 0.1}), {0, 0, -0.1});
  const int skin = add_soft(spec, sheet(2, 0.3, {0, 0, -1e-4}));
  EXPECT_EQ(count(spec), 9);
  ModelSpec masked = spec;
  masked.geoms[static_cast<std::size_t>(skin)].contact_type = 2;
  masked.geoms[static_cast<std::size_t>(skin)].contact_affinity = 2;
  EXPECT_EQ(count(masked), 0);
  ContactPairSpec pair;
  pair.geom1 = skin;
  pair.geom2 = box;
  masked.contact_pairs.push_back(pair);
  const Model model(masked);
  Collider collider(model);
  collider.run(reference_poses(model));
  EXPECT_EQ(collider.contacts().size(), 9U);
  for (const Contact& c : collider.contacts()) EXPECT_EQ(c.pair, 0);
  // A pair that is named counts once.
  ModelSpec named = spec;
  named.contact_pairs.push_back(pair);
  EXPECT_EQ(count(named), 9);
  // Excluded bodies: one node of the nine.
  ModelSpec excluded = spec;
  excluded.contact_excludes.push_back({1, spec.soft_bodies[0].bodies[4]});
  EXPECT_EQ(count(excluded), 8);
}

/// Nodes that a link carries do not touch it, nor do fixed nodes touch the ground; others do.
TEST(SkinCollider, CarriedNodesDoNotTouchWhatCarriesThem) {
  ModelSpec spec = empty_scene();
  spec.geoms.push_back(geom(ShapeType::Plane, {}));
  add_free(spec, geom(ShapeType::Box, {1, 1, 0.1}), {0, 0, -0.1});
  add_soft(spec, sheet(2, 0.3, {0, 0, -1e-4}));
  EXPECT_EQ(count(spec), 9 + 9 + 4);  // the plane has the box' lower corners, too
  ModelSpec carried = spec;
  SoftBodySpec& soft = carried.soft_bodies[0];
  soft.offsets.assign(9, {});
  soft.offsets[0] = {-0.3, -0.3, 0.0999};
  soft.bodies[0] = 1;  // the box
  EXPECT_EQ(count(carried), 8 + 9 + 4);
  soft.offsets[0] = {-0.3, -0.3, -1e-4};
  soft.bodies[0] = 0;  // the ground
  EXPECT_EQ(count(carried), 9 + 8 + 4);
}

/// Only pairs with one of the links asked for; and pairs by name.
TEST(SkinCollider, AmongAndPairs) {
  const Model model(heap());
  const std::vector<Pose> poses = reference_poses(model);
  Collider collider(model);
  collider.run(poses);
  const std::vector<Contact> all(collider.contacts().begin(), collider.contacts().end());
  std::vector<char> among(model.links().size(), 0);
  collider.run(poses, {.among = among});
  EXPECT_TRUE(collider.contacts().empty());
  among.back() = 1;  // the capsule, which is on the plane alone
  collider.run(poses, {.among = among});
  for (const Contact& c : collider.contacts()) EXPECT_EQ(c.geom2, 7);
  EXPECT_FALSE(collider.contacts().empty());
  // The block on the plane, by name.
  const std::vector<Collider::Pair> pairs = {{0, 1, -1}};
  collider.run_pairs(poses, pairs);
  std::vector<Contact> expected;
  for (const Contact& c : all) {
    if (c.geom1 == 0 && c.geom2 == 1) expected.push_back(c);
  }
  EXPECT_FALSE(expected.empty());
  EXPECT_TRUE(same(expected, collider.contacts()));
}

/// Soft bodies crushed to a plane, to a line or to a point, in and beside everything: contacts stay finite.
TEST(SkinCollider, CollapsedSkins) {
  const Model model(heap());
  const std::vector<Pose> start = reference_poses(model);
  Collider collider(model);
  for (int kept = 0; kept < 3; ++kept) {
    for (const double height : {0., 0.05, 0.27, 0.4}) {
      std::vector<Pose> poses = start;
      for (std::size_t i = 0; i < poses.size(); ++i) {
        if (model.flies_alone(static_cast<int>(i))) continue;  // not a node
        const Vec3 p = poses[i].position;
        poses[i].position = {kept > 0 ? p.x() : 0.05, kept > 1 ? p.y() : 0.02, height};
      }
      collider.run(poses, {.distance = 0.002});
      EXPECT_FALSE(collider.contacts().empty());
      for (const Contact& c : collider.contacts()) {
        ASSERT_TRUE(is_sound(c)) << kept << ' ' << height << ' ' << c.geom1 << ' ' << c.geom2;
        ASSERT_TRUE(std::isfinite(c.gap) && all_finite(c.position));
      }
    }
  }
}

}  // namespace
}  // namespace uzawa::test
