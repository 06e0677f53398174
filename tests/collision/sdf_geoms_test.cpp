#include <gtest/gtest.h>

#include <set>

#include "free_geoms.hpp"

/// Geoms that collide as signed distances, through the whole room.
namespace uzawa::test {
namespace {

GeomSpec sdf_geom(decltype(SdfPart::shape) shape) {
  GeomSpec g = geom(ShapeType::Sphere, {0.05, 0, 0});  // what it looks like does not count
  g.sdf = SdfSpec{.parts = {{std::move(shape), {}, {}}}};
  return g;
}

double least_gap(std::span<const Contact> contacts) {
  double least = 1e300;
  for (const Contact& c : contacts) least = std::min(least, c.gap);
  return least;
}

TEST(SdfGeoms, DishOnPlaneBoxMeshAndField) {
  const RevolvedSpec shape = dish(0.1, 0.03, 0.05, 0.004);  // its lowest point is 2 mm below its frame
  const std::vector<GeomSpec> grounds = {geom(ShapeType::Plane, {}), geom(ShapeType::Box, {0.2, 0.2, 0.1}),
                                         geom(ShapeType::Mesh, {}, 0), geom(ShapeType::HeightField, {}, 0)};
  for (const GeomSpec& ground : grounds) {
    ModelSpec spec = free_geoms({ground, sdf_geom(shape)});
    spec.meshes.push_back(box_mesh({0.2, 0.2, 0.1}));
    HeightFieldSpec field;
    field.size = {0.3, 0.3, 1, 0.1};
    field.rows = field.columns = 61;
    field.elevation.assign(61 * 61, 0.0F);
    spec.height_fields.push_back(field);
    Collider collider{Model(spec)};
    std::vector<Pose> poses = {at(0, 0, 0.0019)};
    if (ground.shape == ShapeType::Box || ground.shape == ShapeType::Mesh) poses.insert(poses.begin(), at(0, 0, -0.1));
    collider.run(poses, {.distance = 1e-4});
    ASSERT_GT(collider.contacts().size(), 3U) << static_cast<int>(ground.shape);
    EXPECT_LE(collider.contacts().size(), 120U);
    EXPECT_NEAR(least_gap(collider.contacts()), -1e-4, 2e-5) << static_cast<int>(ground.shape);
    std::set<std::uint64_t> keys;
    for (const Contact& c : collider.contacts()) {
      EXPECT_EQ(c.geom1, 0);
      // The foot is rounded by 2 mm and sinks by 0.1 mm: within the margin its normal leans by up to acos(1.9 / 2.1).
      EXPECT_GT(c.normal.z(), 1.9 / 2.1);
      EXPECT_TRUE(keys.insert(c.key).second);
    }
    poses.back().position.set(2, 0.01);
    collider.run(poses);
    EXPECT_TRUE(collider.contacts().empty());
  }
}

/// A nut in the middle of its bolt, resting on it 17 um deep, raised by `lift`.
struct NutOnBolt {
  static Model model() {
    ThreadSpec bolt{.diameter = 0.048, .pitch = 0.005, .length = 0.1, .clearance = 2e-4};
    ThreadSpec nut = bolt;
    nut.internal = true;
    nut.length = 0.038;
    nut.width = 0.075;
    return Model(free_geoms({sdf_geom(bolt), sdf_geom(nut)}));
  }
  static std::vector<Pose> poses(double lift) { return {at(0, 0, 0), at(0, 0, 0.05 - 1.8e-4 + lift)}; }
};

TEST(SdfGeoms, NutOnBoltIsThinnedToTheCap) {
  Collider collider{NutOnBolt::model()};
  collider.run(NutOnBolt::poses(0), {.distance = 1e-3});
  EXPECT_LE(collider.contacts().size(), 120U);
  EXPECT_GT(collider.contacts().size(), 90U);
  EXPECT_GT(collider.stats().dropped, 1000);
  const std::vector<Contact> before(collider.contacts().begin(), collider.contacts().end());
  collider.run(NutOnBolt::poses(0), {.distance = 1e-3});
  ASSERT_EQ(collider.contacts().size(), before.size());
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(collider.contacts()[i].key, before[i].key);
}

/// Every contact of the whole list has one beside it that stayed, is pushed the same way and is about as deep.
TEST(SdfGeoms, ThinningLeavesNoPartOfTheThreadBare) {
  const auto shapes = std::make_shared<const ShapeSet>(NutOnBolt::model());
  Collider thinned(shapes), whole(shapes, {.reduction = {.merge_distance = 0, .cap = 100000}});
  for (const double tilt : {0., 5e-4}) {
    std::vector<Pose> poses = NutOnBolt::poses(0);
    poses[1] = Pose::from(poses[1].position, normalized({1, {tilt, 0, 0}}));
    thinned.run(poses, {.distance = 1e-3});
    whole.run(poses, {.distance = 1e-3});
    ASSERT_GT(whole.contacts().size(), 2000U);
    EXPECT_NEAR(least_gap(thinned.contacts()), least_gap(whole.contacts()), 4e-6);
    for (const Contact& all : whole.contacts()) {
      double deepest_beside = 1e300;
      for (const Contact& c : thinned.contacts()) {
        const bool beside = norm(c.position - all.position) < 0.025 && dot(c.normal, all.normal) > 0.5;
        if (beside) deepest_beside = std::min(deepest_beside, c.gap);
      }
      ASSERT_LT(deepest_beside, all.gap + 1e-4) << "tilt " << tilt << ", gap " << all.gap;
    }
  }
}

/// What warm starts live on: a nut that turns by 0.1 mrad a step (2.4 um at the thread).
TEST(SdfGeoms, KeysPersistWhileANutTurns) {
  Collider collider{NutOnBolt::model()};
  std::set<std::uint64_t> before;
  int kept = 0, all = 0;
  for (int step = 0; step < 50; ++step) {
    const double angle = 1e-4 * step;
    std::vector<Pose> poses = NutOnBolt::poses(angle * 0.005 / (2 * M_PI));
    poses[1] = Pose::from(poses[1].position, {std::cos(angle / 2), {0, 0, std::sin(angle / 2)}});
    collider.run(poses, {.distance = 1e-3});
    std::set<std::uint64_t> keys;
    for (const Contact& c : collider.contacts()) keys.insert(c.key);
    for (const std::uint64_t key : keys) kept += before.contains(key) ? 1 : 0;
    if (step > 0) all += static_cast<int>(keys.size());
    before = std::move(keys);
  }
  EXPECT_GT(kept, 0.9 * all);
}

}  // namespace
}  // namespace uzawa::test
