/// Of a skin and anything convex that are apart, the least gap reported is their distance: nothing comes near unseen.
#include <gtest/gtest.h>

#include "soft_scene.hpp"
#include "uzawa/collision/convex/proximity.hpp"

namespace uzawa::test {
namespace {

/// Triangles of a skin as they are at the reference configuration.
std::vector<std::array<Vec3, 3>> triangles_of(const Model& model, int soft) {
  std::vector<std::array<Vec3, 3>> triangles;
  const SoftBodySpec& body = model.spec().soft_bodies[static_cast<std::size_t>(soft)];
  for (const std::array<int, 3>& face : model.skin(soft).faces) {
    std::array<Vec3, 3> t;
    for (std::size_t k = 0; k < 3; ++k) {
      const int node = face[face[k] < 0 ? 1 : k];
      t[k] = model.spec().bodies[static_cast<std::size_t>(body.bodies[static_cast<std::size_t>(node)])].position;
    }
    triangles.push_back(t);
  }
  return triangles;
}

ConvexCore core_of_corners(const std::array<Vec3, 3>& corners) {
  ConvexCore core;
  core.kind = ConvexCore::Kind::Corners;
  core.corners = corners;
  core.extent = norm(corners[1] - corners[0]) + norm(corners[2] - corners[0]);
  return core;
}

/// By GJK over all faces; negative: they overlap.
double distance_between(const std::vector<std::array<Vec3, 3>>& triangles, const ConvexCore& core, const Pose& pose) {
  static Epa epa;
  double least = 1e300;
  for (const std::array<Vec3, 3>& t : triangles) {
    const ConvexCore triangle = core_of_corners(t);
    const Proximity found = proximity({triangle, core, pose}, 1e30, epa);
    least = std::min(least, found.gap - core.radius);
  }
  return least;
}

/// A block, a sheet or a cord, shaken.
SoftElements shaken(int kind, std::mt19937_64& random) {
  SoftElements e = kind == 0   ? one_tet(0.3)
                   : kind == 1 ? block({2, 2, 1}, {0.2, 0.15, 0.1})
                   : kind == 2 ? sheet(2, 0.2)
                               : cord(4, 0.3);
  std::uniform_real_distribution<double> shake(-0.02, 0.02);
  for (Vec3& p : e.nodes) p += Vec3{shake(random), shake(random), shake(random)};
  return e;
}

TEST(SkinDistance, FromConvexShapes) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal;
  const MeshSpec mesh = rock(12, 0.15, random);
  const std::vector<GeomSpec> shapes = {
      geom(ShapeType::Sphere, {0.05, 0, 0}),         geom(ShapeType::Capsule, {0.02, 0.2, 0}),
      geom(ShapeType::Ellipsoid, {0.1, 0.03, 0.06}), geom(ShapeType::Cylinder, {0.08, 0.1, 0}),
      geom(ShapeType::Box, {0.1, 0.02, 0.07}),       geom(ShapeType::Mesh, {}, 0)};
  int apart = 0, overlapping = 0;
  for (int trial = 0; trial < 600; ++trial) {
    const GeomSpec& shape = shapes[static_cast<std::size_t>(trial) % shapes.size()];
    ModelSpec spec = empty_scene();
    spec.meshes.push_back(mesh);
    add_soft(spec, shaken(trial / 6 % 4, random));
    const Vec3 direction{normal(random), normal(random), normal(random)};
    const Vec3 place = direction * (0.25 / norm(direction));
    const Quat turn = random_turn(random);
    add_free(spec, shape, place, turn);
    const Model model(spec);
    Collider collider(model);
    const double expected =
        distance_between(triangles_of(model, 0), core_of(collider.shapes().geoms()[1].shape), Pose::from(place, turn));
    collider.run(reference_poses(model), {.distance = 2});
    double least = 1e300;
    for (const Contact& c : collider.contacts()) least = std::min(least, c.gap);
    if (expected < 1e-6) {  // however deep: some contact pushes them apart
      EXPECT_LT(least, std::max(expected, 0.) + 1e-8) << trial << " shape " << static_cast<int>(shape.shape);
      ++overlapping;
      continue;
    }
    ++apart;
    // Minima along edges are searched to a nanometre.
    EXPECT_NEAR(least, expected, 1e-8) << trial << " shape " << static_cast<int>(shape.shape);
  }
  EXPECT_GT(apart, 200);
  EXPECT_GT(overlapping, 100);
}

TEST(SkinDistance, BetweenSkins) {
  std::mt19937_64 random(12);
  std::normal_distribution<double> normal;
  int apart = 0;
  for (int trial = 0; trial < 320; ++trial) {
    ModelSpec spec = empty_scene();
    add_soft(spec, shaken(trial % 4, random));
    SoftElements other = shaken(trial / 4 % 4, random);
    const Vec3 direction{normal(random), normal(random), normal(random)};
    const Pose pose = Pose::from(direction * (0.35 / norm(direction)), random_turn(random));
    for (Vec3& p : other.nodes) p = pose * p;
    add_soft(spec, other);
    const Model model(spec);
    double expected = 1e300;
    const std::vector<std::array<Vec3, 3>> first = triangles_of(model, 0), second = triangles_of(model, 1);
    for (const std::array<Vec3, 3>& t : second) {
      expected = std::min(expected, distance_between(first, core_of_corners(t), {}));
    }
    if (expected < 1e-6) continue;
    ++apart;
    Collider collider(model);
    collider.run(reference_poses(model), {.distance = 2});
    double least = 1e300;
    for (const Contact& c : collider.contacts()) least = std::min(least, c.gap);
    EXPECT_NEAR(least, expected, 1e-9) << trial;
  }
  EXPECT_GT(apart, 100);
}

}  // namespace
}  // namespace uzawa::test
