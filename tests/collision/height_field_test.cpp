#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "free_geoms.hpp"
#include "mujoco_scene.hpp"

namespace uzawa::test {
namespace {

HeightFieldSpec field_of(int rows, int columns, double size, double height, const std::vector<float>& elevation) {
  HeightFieldSpec field;
  field.name = "ground";
  field.size = {size, size, height, 0.5};
  field.rows = rows;
  field.columns = columns;
  field.elevation = elevation;
  return field;
}

double least_gap(std::span<const Contact> contacts) {
  double least = 1e300;
  for (const Contact& c : contacts) least = std::min(least, c.gap);
  return least;
}

/// A flat field is a plane: the same gaps, and no normal that leans, wherever the seams of the triangles are.
TEST(HeightFieldTest, FlatFieldIsAPlane) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> place(-0.5, 0.5), height(-0.02, 0.02);
  const std::vector<GeomSpec> shapes = {
      geom(ShapeType::Sphere, {0.1, 0, 0}),          geom(ShapeType::Capsule, {0.05, 0.1, 0}),
      geom(ShapeType::Box, {0.1, 0.05, 0.08}),       geom(ShapeType::Cylinder, {0.05, 0.1, 0}),
      geom(ShapeType::Ellipsoid, {0.1, 0.05, 0.08}), geom(ShapeType::Mesh, {}, 0)};
  for (const GeomSpec& shape : shapes) {
    ModelSpec on_field = free_geoms({geom(ShapeType::HeightField, {}, 0), shape});
    ModelSpec on_plane = free_geoms({geom(ShapeType::Plane, {}), shape});
    on_field.meshes.push_back(rock(30, 0.1, random));
    on_plane.meshes = on_field.meshes;
    on_field.height_fields.push_back(field_of(21, 21, 1, 1, std::vector<float>(441, 0.0F)));
    Collider field{Model(on_field)}, plane{Model(on_plane)};
    for (int i = 0; i < 300; ++i) {
      std::vector<Pose> pose = {at(place(random), place(random), 0.5, random_turn(random))};
      plane.run(pose, {.distance = 1});
      pose[0].position.set(2, 0.5 - least_gap(plane.contacts()) + height(random));
      plane.run(pose, {.distance = 0.01});
      field.run(pose, {.distance = 0.01});
      ASSERT_EQ(plane.contacts().empty(), field.contacts().empty()) << static_cast<int>(shape.shape) << ' ' << i;
      if (plane.contacts().empty()) continue;
      EXPECT_NEAR(least_gap(plane.contacts()), least_gap(field.contacts()), 1e-7) << static_cast<int>(shape.shape);
      for (const Contact& c : field.contacts()) EXPECT_GT(c.normal.z(), 0.999999) << static_cast<int>(shape.shape);
    }
  }
}

TEST(HeightFieldTest, BoxOnAFlatFieldIsHeldAtItsCorners) {
  ModelSpec spec = free_geoms({geom(ShapeType::HeightField, {}, 0), geom(ShapeType::Box, {0.1, 0.1, 0.1})});
  spec.height_fields.push_back(field_of(11, 11, 1, 1, std::vector<float>(121, 0.0F)));
  Collider collider{Model(spec)};
  collider.run(std::vector<Pose>{at(0.033, 0.047, 0.0999)});
  int corners = 0;
  for (const Contact& c : collider.contacts()) {
    EXPECT_NEAR(c.gap, -1e-4, 1e-9);
    const bool corner = std::abs(std::abs(c.position.x() - 0.033) - 0.1) < 1e-9 &&
                        std::abs(std::abs(c.position.y() - 0.047) - 0.1) < 1e-9;
    corners += corner ? 1 : 0;
  }
  EXPECT_EQ(corners, 4);
}

/// The foot of the perpendicular where it is inside, else the nearest point of an edge.
double distance_to_triangle(const HeightField::Triangle& t, const Vec3& p) {
  const Vec3 n = cross(t.corner[1] - t.corner[0], t.corner[2] - t.corner[0]);
  const Vec3 foot = p - n * (dot(p - t.corner[0], n) / dot(n, n));
  bool inside = true;
  double least = 1e300;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 a = t.corner[k], ab = t.corner[(k + 1) % 3] - a;
    inside = inside && dot(cross(ab, foot - a), n) >= 0;
    const double s = std::clamp(dot(p - a, ab) / dot(ab, ab), 0., 1.);
    least = std::min(least, norm(p - a - ab * s));
  }
  return inside ? norm(p - foot) : least;
}

/// The point is under the triangle.
bool is_below(const HeightField::Triangle& t, const Vec3& p) {
  const Vec3 n = cross(t.corner[1] - t.corner[0], t.corner[2] - t.corner[0]);
  bool inside = true;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 a = t.corner[k], ab = t.corner[(k + 1) % 3] - a;
    inside = inside && ab.x() * (p - a).y() - ab.y() * (p - a).x() >= 0;
  }
  return inside && dot(p - t.corner[0], n) < 0;
}

/// Spheres on hills: the gap against the distance to all triangles, by brute force.
TEST(HeightFieldTest, SpheresOnHillsByBruteForce) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> elevation(0, 1), place(-0.7, 0.7), up(0.02, 0.2);
  std::vector<float> hills(15 * 15);
  for (float& h : hills) h = static_cast<float>(elevation(random));
  ModelSpec spec = free_geoms({geom(ShapeType::HeightField, {}, 0), geom(ShapeType::Sphere, {0.1, 0, 0})});
  spec.height_fields.push_back(field_of(15, 15, 1, 0.3, hills));
  const HeightField field(spec.height_fields[0]);
  Collider collider{Model(spec)};
  int checked = 0;
  for (int i = 0; i < 2000; ++i) {
    const Vec3 center{place(random), place(random), 0.1 + up(random)};
    double least = 1e300;
    bool below = false;
    for (int row = 0; row < 14; ++row) {
      for (int column = 0; column < 14; ++column) {
        for (int which = 0; which < 2; ++which) {
          const HeightField::Triangle t = field.triangle(row, column, which);
          least = std::min(least, distance_to_triangle(t, center));
          below = below || is_below(t, center);
        }
      }
    }
    if (below) continue;  // the centre is underground: no closed form
    ++checked;
    collider.run(std::vector<Pose>{Pose{Mat3::identity(), center}}, {.distance = 0.05});
    const double gap = least - 0.1;
    if (gap > 0.05) continue;
    ASSERT_FALSE(collider.contacts().empty()) << gap;
    EXPECT_NEAR(least_gap(collider.contacts()), gap, 1e-9) << "pose " << i;
  }
  EXPECT_GT(checked, 500);
}

/// The diagonals of the cells are MuJoCo's: a small sphere over a twisted cell touches at the same height.
TEST(HeightFieldTest, TrianglesAreMujocos) {
  if (!kModernMujoco) GTEST_SKIP() << "height fields in XML need a newer MuJoCo";
  MujocoScene scene(
      R"(<mujoco><asset><hfield name="h" nrow="2" ncol="2" size="0.5 0.5 0.2 0.3" elevation="0 1 1 0"/></asset>
      <worldbody><geom type="hfield" hfield="h" margin="0.5"/><body><freejoint/><geom size="0.02"/></body></worldbody></mujoco>)");
  scene.make_exact();
  for (const auto& [x, y] : {std::pair{0.0, 0.0}, {0.2, -0.25}, {-0.1, -0.1}, {0.15, 0.2}}) {
    scene.run({x, y, 0.4, 1, 0, 0, 0});
    ASSERT_FALSE(scene.our_contacts().empty());
    ASSERT_FALSE(scene.their_contacts().empty());
    EXPECT_NEAR(deepest(scene.our_contacts())->gap, deepest(scene.their_contacts())->gap, 1e-6) << x << ' ' << y;
    EXPECT_NEAR(norm(deepest(scene.our_contacts())->normal - deepest(scene.their_contacts())->normal), 0, 1e-5);
  }
}

TEST(HeightFieldTest, BeyondTheRimThereIsNothing) {
  ModelSpec spec = free_geoms({geom(ShapeType::HeightField, {}, 0), geom(ShapeType::Sphere, {0.1, 0, 0})});
  spec.height_fields.push_back(field_of(3, 3, 1, 1, std::vector<float>(9, 0.5F)));
  Collider collider{Model(spec)};
  for (const Vec3& p : {Vec3{2, 0, 0.5}, Vec3{0, -2, 0.5}, Vec3{0, 0, 5}, Vec3{0, 0, -5}, Vec3{1e9, 1e9, 0}}) {
    collider.run(std::vector<Pose>{Pose{Mat3::identity(), p}});
    EXPECT_TRUE(collider.contacts().empty());
  }
  collider.run(std::vector<Pose>{at(1.09, 0, 0.2)});  // against the outer wall
  ASSERT_FALSE(collider.contacts().empty());
  EXPECT_NEAR(collider.contacts()[0].normal.x(), 1, 1e-9);
  EXPECT_NEAR(collider.contacts()[0].gap, -0.01, 1e-9);
}

}  // namespace
}  // namespace uzawa::test
