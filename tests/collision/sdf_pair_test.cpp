#include <gtest/gtest.h>

#include "sdf_samples.hpp"
#include "uzawa/base/error.hpp"

/// Pairs of geoms of which one is a signed distance.
namespace uzawa::test {
namespace {

SdfSpec of(decltype(SdfPart::shape) shape) { return {.parts = {{std::move(shape), {}, {}}}}; }

SdfShape dish_shape() { return SdfShape::from_spec(of(dish(0.1, 0.03, 0.05, 0.004)), nullptr, "dish"); }

double deepest(const Manifold& manifold) {
  double least = 1e9;
  for (const ManifoldPoint& point : manifold.points) least = std::min(least, point.gap);
  return least;
}

TEST(SdfPair, DishOnThePlane) {
  const SdfShape dish = dish_shape(), plane = SdfShape::from_primitive(ShapeType::Plane, {});
  SdfContactFinder finder;
  Manifold manifold;
  const Pose pose{Mat3::identity(), {0, 0, 0.0021}};
  collide_sdf(plane, {}, dish, pose, {.margin = 1e-3}, finder, manifold);
  ASSERT_GT(manifold.points.size(), 3U);
  double reach = 0;
  for (const ManifoldPoint& point : manifold.points) {
    EXPECT_NEAR(point.normal.z(), 1, 1e-12);
    EXPECT_NEAR(point.position.z(), point.gap / 2, 1e-12);
    reach = std::max(reach, length(point.position.x(), point.position.y()));
  }
  EXPECT_NEAR(deepest(manifold), 1e-4, 1e-12);
  EXPECT_GT(reach, 0.045);  // the whole foot carries it
}

TEST(SdfPair, SwappingTurnsTheNormals) {
  const SdfShape dish = dish_shape(), box = SdfShape::from_primitive(ShapeType::Box, {0.02, 0.02, 0.02});
  const Pose pose = Pose::from({0.03, 0.01, 0.0215}, exp_rotation({0, 0, 0.3}));
  SdfContactFinder finder;
  Manifold forward, backward;
  collide_sdf(dish, {}, box, pose, {.margin = 1e-3}, finder, forward);
  collide_sdf(box, pose, dish, {}, {.margin = 1e-3}, finder, backward);
  ASSERT_GT(forward.points.size(), 3U);
  ASSERT_EQ(forward.points.size(), backward.points.size());
  for (std::size_t i = 0; i < forward.points.size(); ++i) {
    EXPECT_EQ(norm(forward.points[i].normal + backward.points[i].normal), 0);
    EXPECT_EQ(forward.points[i].gap, backward.points[i].gap);
    EXPECT_EQ(norm(forward.points[i].position - backward.points[i].position), 0);
  }
}

TEST(SdfPair, SphereByItsCentre) {
  const SdfShape pot_shape = SdfShape::from_spec(of(pot(0.1, 0.1, 0.004)), nullptr, "pot");
  const SdfShape ball = SdfShape::from_primitive(ShapeType::Sphere, {0.01, 0, 0});
  SdfContactFinder finder;
  Manifold manifold;
  collide_sdf(pot_shape, {}, ball, Pose{Mat3::identity(), {0, 0, 0.0119}}, {.margin = 1e-3}, finder, manifold);
  ASSERT_EQ(manifold.points.size(), 1U);
  EXPECT_NEAR(manifold.points[0].gap, -1e-4, 1e-14);
  EXPECT_NEAR(manifold.points[0].normal.z(), 1, 1e-14);
  EXPECT_NEAR(manifold.points[0].position.z(), 0.002 - 5e-5, 1e-14);
}

TEST(SdfPair, NutIsSampledAgainstBolt) {
  const SdfShape bolt = SdfShape::from_spec(of(m48_bolt()), nullptr, "bolt");
  const SdfShape nut = SdfShape::from_spec(of(m48_nut()), nullptr, "nut");
  SdfContactFinder finder;
  Manifold manifold;
  const Pose pose = Pose::from({0, 0, 0.05 - 3e-4}, {});  // pulled down by more than the play
  collide_sdf(bolt, {}, nut, pose, {.margin = 1e-4}, finder, manifold);
  ASSERT_GT(manifold.points.size(), 100U);
  double upwards = 0;
  for (const ManifoldPoint& point : manifold.points) {
    EXPECT_EQ(point.feature >> 62, 2U);  // a feature of the second, the nut
    if (point.gap < 0) upwards += point.normal.z();
  }
  EXPECT_GT(upwards, 10);  // the bolt's flanks push the nut back up
}

TEST(SdfPair, PosesOfPartsAndFrames) {
  SdfSpec spec;
  spec.parts.push_back({RoundedBoxSpec{{0.01, 0.02, 0.03}, 0}, {0.1, 0, 0}, exp_rotation({0, 0, M_PI / 2})});
  spec.position = {0, 0.2, 0};
  spec.orientation = exp_rotation({0, 0, M_PI / 2});
  const SdfShape shape = SdfShape::from_spec(spec, nullptr, "box");
  // The part's x axis is turned by 180 degrees in all; its centre is at (0, 0.3, 0).
  EXPECT_NEAR(shape.distance()->evaluate({0.015, 0.3, 0}).distance, 0.005, 1e-14);
  EXPECT_NEAR(shape.distance()->evaluate({0, 0.325, 0}).distance, 0.005, 1e-14);
  for (const Vec3& vertex : shape.surface()->surface().vertices) {
    EXPECT_NEAR(shape.distance()->evaluate(vertex).distance, 0, 1e-14);
  }
}

TEST(SdfPair, BakedMeshAndHull) {
  setenv("XDG_CACHE_HOME", "/proc/no-such-place", 1);
  MeshSpec mesh{.name = "angle"};
  const Surface angle = angle_mesh();
  for (const Vec3& v : angle.vertices) {
    mesh.vertices.push_back({static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z())});
  }
  mesh.faces = angle.faces;
  const SdfShape baked = SdfShape::from_spec(of(BakedMeshSpec{0.002}), &mesh, "geom");
  const SdfShape hull = SdfShape::from_surface(box_mesh({0.02, 0.02, 0.02}), 0.01);
  EXPECT_TRUE(can_touch(baked, hull));
  EXPECT_FALSE(can_touch(hull, hull));
  SdfContactFinder finder;
  Manifold manifold;
  // In the corner of the L, 0.2 mm from both of its sides.
  collide_sdf(baked, {}, hull, Pose{Mat3::identity(), {0.0602, 0.0602, 0}}, {.margin = 1e-3}, finder, manifold);
  bool along_x = false, along_y = false;
  for (const ManifoldPoint& point : manifold.points) {
    // Where the L's sides meet, the grid rounds the corner by a fraction of its cell.
    const double from_corner = length(point.position.x() - 0.04, point.position.y() - 0.04);
    EXPECT_NEAR(point.gap, 2e-4, from_corner < 0.006 ? 5e-4 : 1e-5);
    along_x = along_x || point.normal.x() > 0.99;
    along_y = along_y || point.normal.y() > 0.99;
  }
  EXPECT_TRUE(along_x && along_y);
  EXPECT_THROW(SdfShape::from_spec(of(BakedMeshSpec{}), nullptr, "geom"), InputError);
  unsetenv("XDG_CACHE_HOME");
}

}  // namespace
}  // namespace uzawa::test
