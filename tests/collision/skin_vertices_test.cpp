/// Vertices of skins against every rigid shape.
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "soft_scene.hpp"

namespace uzawa::test {
namespace {

using Support = std::function<double(const Vec3&)>;

/// Signed distance from a convex body by brute force: the largest of n.p - h(n) over unit vectors n, h its support
/// function. True inside and outside.
double distance_by_directions(const Support& h, const Vec3& p) {
  const auto value = [&](const Vec3& n) { return dot(n, p) - h(n); };
  Vec3 best{0, 0, 1};
  constexpr int kDirections = 500;
  for (int i = 0; i < kDirections; ++i) {
    const double z = 1 - (2 * i + 1.) / kDirections, r = std::sqrt(1 - z * z), angle = 2.399963229728653 * i;
    const Vec3 n{r * std::cos(angle), r * std::sin(angle), z};
    if (value(n) > value(best)) best = n;
  }
  for (double step = 0.05; step > 1e-10;) {
    const Mat3 frame = contact_frame(best);
    Vec3 next = best;
    for (int k = 0; k < 8; ++k) {
      const Vec3 moved =
          best + frame.col[0] * (step * std::cos(k * M_PI / 4)) + frame.col[1] * (step * std::sin(k * M_PI / 4));
      const Vec3 n = moved * (1 / norm(moved));
      if (value(n) > value(next)) next = n;
    }
    if (value(next) > value(best)) {
      best = next;
    } else {
      step *= 0.6;
    }
  }
  return value(best);
}

struct ConvexCase {
  const char* name;
  GeomSpec geom;
  Support support;
};

std::vector<ConvexCase> convex_cases(const MeshSpec& mesh) {
  const auto hull = [mesh](const Vec3& n) {
    double most = -1e300;
    for (const auto& v : mesh.vertices) most = std::max(most, dot(n, Vec3{v[0], v[1], v[2]}));
    return most;
  };
  return {
      {"sphere", geom(ShapeType::Sphere, {0.1, 0, 0}), [](const Vec3&) { return 0.1; }},
      {"capsule", geom(ShapeType::Capsule, {0.05, 0.1, 0}), [](const Vec3& n) { return 0.05 + 0.1 * std::abs(n.z()); }},
      {"ellipsoid", geom(ShapeType::Ellipsoid, {0.1, 0.06, 0.08}),
       [](const Vec3& n) {
         return norm(Vec3{0.1 * n.x(), 0.06 * n.y(), 0.08 * n.z()});
       }},
      {"cylinder", geom(ShapeType::Cylinder, {0.07, 0.1, 0}),
       [](const Vec3& n) { return 0.07 * length(n.x(), n.y()) + 0.1 * std::abs(n.z()); }},
      {"box", geom(ShapeType::Box, {0.1, 0.07, 0.08}),
       [](const Vec3& n) { return 0.1 * std::abs(n.x()) + 0.07 * std::abs(n.y()) + 0.08 * std::abs(n.z()); }},
      {"mesh", geom(ShapeType::Mesh, {}, 0), hull}};
}

/// A cord's end is a bare point: its contact has the signed distance of the shape, inside and outside, and a normal
/// that attains it.
TEST(SkinVertices, DistancesFromConvexShapesAreThoseOfBruteForce) {
  std::mt19937_64 random(7);
  const MeshSpec mesh = rock(40, 0.1, random);
  std::uniform_real_distribution<double> place(-0.13, 0.13);
  for (const ConvexCase& c : convex_cases(mesh)) {
    for (int i = 0; i < 40; ++i) {
      const Vec3 p{place(random), place(random), place(random)};
      const Quat turn = random_turn(random);
      ModelSpec spec = empty_scene();
      spec.meshes.push_back(mesh);
      const Vec3 at_place{0.3, -0.2, 0.1};
      const Pose pose = Pose::from(at_place, turn);
      const int rigid = add_free(spec, c.geom, at_place, turn);
      // The second end leads straight away from the middle of the shape, so that nothing else of the cord is nearer.
      SoftElements e;
      const Vec3 outward = norm(p) > 1e-3 ? p * (1 / norm(p)) : Vec3{1, 0, 0};
      e.nodes = {pose * p, pose * (p + outward)};
      e.edges = {{0, 1}};
      const int skin = add_soft(spec, e, 0.003);
      const Model model(spec);
      Collider collider(model);
      collider.run(reference_poses(model), {.distance = 10});
      ASSERT_GE(collider.contacts().size(), 2U) << c.name;
      const Contact& contact = collider.contacts()[0];
      ASSERT_TRUE(is_sound(contact));
      EXPECT_EQ(contact.geom1, rigid);
      EXPECT_EQ(contact.geom2, skin);
      EXPECT_EQ(contact.face1, -1);
      ASSERT_EQ(contact.face2, 0);
      EXPECT_EQ(contact.weights2[0], 1.0);
      const Vec3 n = transpose_times(pose.rotation, contact.normal);
      // The direction attains the gap, and brute force, which may stop short at a kink, finds none that has more.
      EXPECT_NEAR(dot(n, p) - c.support(n) - 0.003, contact.gap, 1e-12) << c.name;
      EXPECT_LT(distance_by_directions(c.support, p) - 0.003, contact.gap + 1e-12) << c.name;
      // Midway between the surfaces.
      EXPECT_LT(norm(contact.position + contact.normal * (0.5 * contact.gap + 0.003) - pose * p), 1e-12) << c.name;
    }
  }
}

TEST(SkinVertices, PlaneOfAnyOrderAndPose) {
  for (const bool plane_first : {true, false}) {
    ModelSpec spec = empty_scene();
    GeomSpec plane = geom(ShapeType::Plane, {});
    plane.position = {0, 0, 0.1};
    plane.orientation = normalized({1, {0.2, -0.1, 0}});
    if (plane_first) spec.geoms.push_back(plane);
    const int skin = add_soft(spec, sheet(3, 0.2, {0, 0, 0.11}), 0.01);
    if (!plane_first) spec.geoms.push_back(plane);
    const Model model(spec);
    Collider collider(model);
    const std::vector<Pose> poses = reference_poses(model);
    collider.run(poses);
    const Pose in_world = Pose::from(plane.position, plane.orientation);
    int below = 0;
    for (const Pose& node : poses)
      below += dot(node.position - plane.position, in_world.rotation.col[2]) < 0.01 ? 1 : 0;
    ASSERT_GT(below, 3);
    ASSERT_LT(below, 16);
    EXPECT_EQ(static_cast<int>(collider.contacts().size()), below);
    EXPECT_EQ(collider.stats().candidates, 1);
    EXPECT_EQ(collider.stats().touching, 1);
    std::set<std::uint64_t> keys;
    for (const Contact& c : collider.contacts()) {
      ASSERT_TRUE(is_sound(c));
      const Vec3 up = plane_first ? c.normal : -c.normal;
      EXPECT_LT(norm(up - in_world.rotation.col[2]), 1e-12);
      const bool soft_first = skin < (plane_first ? 0 : 1);
      const Vec3 node = spot(model, poses, c, soft_first);
      EXPECT_NEAR(dot(node - plane.position, up) - 0.01, c.gap, 1e-12);
      EXPECT_TRUE(keys.insert(c.key).second);
    }
  }
}

/// A bumpy field, by brute force: points of a fine sampling of its triangles, and the sign of the height over it.
TEST(SkinVertices, HeightFieldByBruteForce) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<float> bump(0, 1);
  HeightFieldSpec field;
  field.size = {0.5, 0.4, 0.15, 0.3};
  field.rows = 6;
  field.columns = 7;
  for (int i = 0; i < 42; ++i) field.elevation.push_back(bump(random));
  const HeightField solid(field);
  std::uniform_real_distribution<double> x(-0.45, 0.45), y(-0.35, 0.35), z(-0.05, 0.25);
  for (int i = 0; i < 60; ++i) {
    const Vec3 p{x(random), y(random), z(random)};
    double least = 1e300, height = -1e300;
    for (int row = 0; row < 5; ++row) {
      for (int column = 0; column < 6; ++column) {
        for (int which = 0; which < 2; ++which) {
          const auto [a, b, c] = solid.triangle(row, column, which).corner;
          constexpr int kFine = 60;
          for (int u = 0; u <= kFine; ++u) {
            for (int v = 0; u + v <= kFine; ++v) {
              least = std::min(least, norm(a + (b - a) * (1. * u / kFine) + (c - a) * (1. * v / kFine) - p));
            }
          }
          const double area = (b - a).x() * (c - a).y() - (b - a).y() * (c - a).x();
          const double s = ((p - a).x() * (c - a).y() - (p - a).y() * (c - a).x()) / area;
          const double t = ((b - a).x() * (p - a).y() - (b - a).y() * (p - a).x()) / area;
          if (s >= 0 && t >= 0 && s + t <= 1) height = a.z() + s * (b - a).z() + t * (c - a).z();
        }
      }
    }
    ModelSpec spec = empty_scene();
    spec.height_fields.push_back(field);
    spec.geoms.push_back(geom(ShapeType::HeightField, {}, 0));
    SoftElements e;
    e.nodes = {p, p + Vec3{0, 0, 1}};
    e.edges = {{0, 1}};
    add_soft(spec, e);
    const Model model(spec);
    Collider collider(model);
    collider.run(reference_poses(model), {.distance = 10});
    ASSERT_FALSE(collider.contacts().empty());
    const Contact& c = collider.contacts()[0];
    // Samples are at most 17 mm / 60 apart: the nearest is further by half of that squared over twice the distance,
    // and by half of it where the point is on the surface.
    EXPECT_NEAR(c.gap, p.z() > height ? least : -least, 2e-3);
    EXPECT_EQ(c.gap > 0, p.z() > height);
    const Vec3 foot = p - c.normal * c.gap;
    double off = 1e300;
    for (int row = 0; row < 5; ++row) {
      for (int column = 0; column < 6; ++column) {
        for (int which = 0; which < 2; ++which) {
          const auto [a, b, d] = solid.triangle(row, column, which).corner;
          const Vec3 n = cross(b - a, d - a);
          off = std::min(off, std::abs(dot(foot - a, n)) / norm(n));
        }
      }
    }
    EXPECT_LT(off, 1e-9);  // the foot lies on the surface
  }
}

TEST(SkinVertices, SignedDistanceGeom) {
  ModelSpec spec = empty_scene();
  GeomSpec pot_geom = geom(ShapeType::Sphere, {0.05, 0, 0});
  pot_geom.sdf = SdfSpec{.parts = {{pot(0.1, 0.1, 0.01), {}, {}}}};
  add_free(spec, pot_geom, {});
  const int skin = add_soft(spec, sheet(4, 0.03, {0, 0, 0.0055}), 0.001);  // the floor's top is at 5 mm
  const Model model(spec);
  Collider collider(model);
  const std::vector<Pose> poses = reference_poses(model);
  collider.run(poses);
  ASSERT_EQ(collider.contacts().size(), 25U);  // every vertex once
  for (const Contact& c : collider.contacts()) {
    EXPECT_EQ(c.geom2, skin);
    EXPECT_NEAR(c.gap, -0.0005, 1e-6);
    EXPECT_NEAR(c.normal.z(), 1, 1e-6);
  }
}

/// However deep in a plate a vertex of a solid is, it is pushed back to where the solid is.
TEST(SkinVertices, DeepVerticesKeepTheirWayOut) {
  std::mt19937_64 random(5);
  for (const GeomSpec& plate : {geom(ShapeType::Box, {0.3, 0.3, 0.01}), geom(ShapeType::Cylinder, {0.3, 0.01, 0}),
                                geom(ShapeType::Mesh, {}, 0)}) {
    for (const double depth : {0.001, 0.009, 0.011, 0.019}) {
      ModelSpec spec = empty_scene();
      spec.meshes.push_back(box_mesh({0.3, 0.3, 0.01}));
      add_free(spec, plate, {0, 0, -0.01});
      add_soft(spec, block({3, 3, 2}, {0.1, 0.1, 0.1}, {0, 0, 0.1 - depth}));
      const Model model(spec);
      Collider collider(model);
      collider.run(reference_poses(model));
      int vertices = 0;
      for (const Contact& c : collider.contacts()) {
        EXPECT_GT(c.normal.z(), 0.99);
        EXPECT_NEAR(c.gap, -depth, 1e-9);
        vertices += std::max(c.weights2[0], std::max(c.weights2[1], 1 - c.weights2[0] - c.weights2[1])) == 1 ? 1 : 0;
      }
      EXPECT_EQ(vertices, 16);
      EXPECT_EQ(collider.contacts().size(), 16U);
    }
  }
}

}  // namespace
}  // namespace uzawa::test
