#include <gtest/gtest.h>

#include "free_geoms.hpp"
#include "uzawa/base/error.hpp"

/// What no one draws on purpose: a clear error or the right contact, never NaN, never a hang.
namespace uzawa::test {
namespace {

bool finite(const Contact& c) { return all_finite(c.position) && all_finite(c.normal) && std::isfinite(c.gap); }

std::string refusal(const ModelSpec& spec) {
  try {
    const ShapeSet shapes{Model(spec)};
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Degenerate, ShapesWithoutSizeAreRefusedByName) {
  for (const ShapeType type :
       {ShapeType::Sphere, ShapeType::Capsule, ShapeType::Ellipsoid, ShapeType::Cylinder, ShapeType::Box}) {
    for (const Vec3& size : {Vec3{0, 0.1, 0.1}, Vec3{-0.1, 0.1, 0.1}}) {
      GeomSpec g = geom(type, size);
      g.name = "nothing";
      EXPECT_NE(refusal(free_geoms({g})).find("geom 'nothing'"), std::string::npos);
      g.contact_type = g.contact_affinity = 0;  // touches nothing: of no concern
      EXPECT_EQ(refusal(free_geoms({g})), "");
    }
  }
}

TEST(Degenerate, FlatMeshesAreRefusedByName) {
  ModelSpec spec = free_geoms({geom(ShapeType::Mesh, {}, 0)});
  MeshSpec sheet;
  sheet.name = "sheet";
  sheet.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  sheet.faces = {{0, 1, 2}, {0, 2, 3}};
  spec.meshes.push_back(sheet);
  EXPECT_NE(refusal(spec).find("mesh 'sheet'"), std::string::npos);
}

/// Open, inverted, with duplicate vertices: the hull does not mind.
TEST(Degenerate, DefectiveMeshesHaveTheSameHull) {
  const MeshSpec whole = box_mesh({0.1, 0.1, 0.1});
  MeshSpec open = whole, inverted = whole, doubled = whole;
  open.faces.resize(5);
  for (auto& face : inverted.faces) std::swap(face[0], face[1]);
  doubled.vertices.insert(doubled.vertices.end(), whole.vertices.begin(), whole.vertices.end());
  doubled.faces.push_back({0, 8, 8});
  for (const MeshSpec& mesh : {whole, open, inverted, doubled}) {
    ModelSpec spec =
        free_geoms({geom(ShapeType::Plane, {}), geom(ShapeType::Mesh, {}, 0), geom(ShapeType::Box, {1, 1, 0.1})});
    spec.meshes.push_back(mesh);
    Collider collider{Model(spec)};
    collider.run(std::vector<Pose>{at(0, 0, 0.0999), at(0, 0, 0.2998)});
    EXPECT_EQ(collider.contacts().size(), 8U);
    for (const Contact& c : collider.contacts()) EXPECT_NEAR(c.gap, -1e-4, 1e-7);
  }
}

/// Every pair with its centres at one point, aligned and turned, and with every exact offset by a size.
TEST(Degenerate, CoincidentCentresGiveFiniteContacts) {
  std::mt19937_64 random(1);
  const ShapeType types[] = {ShapeType::Sphere,   ShapeType::Capsule, ShapeType::Ellipsoid,
                             ShapeType::Cylinder, ShapeType::Box,     ShapeType::Mesh};
  const std::vector<Vec3> sizes = {{0.1, 0.1, 0.1}, {0.1, 0.2, 0.3}, {1e-6, 1, 1}, {1e-3, 1e3, 1e-3}};
  for (const ShapeType a : types) {
    for (const ShapeType b : types) {
      for (const Vec3& size_a : sizes) {
        for (const Vec3& size_b : sizes) {
          ModelSpec spec = free_geoms({geom(a, size_a, 0), geom(b, size_b, 0)});
          spec.meshes.push_back(box_mesh({0.1, 0.1, 0.1}));
          Collider collider{Model(spec)};
          for (int i = 0; i < 6; ++i) {
            const Quat turn = i < 4 ? Quat{} : random_turn(random);
            const double offset = i % 4 == 1 ? size_a.x() + size_b.x() : (i % 4 == 2 ? size_a.z() : 0);
            collider.run(std::vector<Pose>{Pose{}, at(offset, 0, 0, turn)}, {.distance = 1e-3});
            EXPECT_TRUE(i != 0 || !collider.contacts().empty());
            for (const Contact& c : collider.contacts()) {
              ASSERT_TRUE(finite(c)) << static_cast<int>(a) << ' ' << static_cast<int>(b) << " pose " << i;
              ASSERT_NEAR(norm(c.normal), 1, 1e-9)
                  << static_cast<int>(a) << ' ' << static_cast<int>(b) << " pose " << i;
              ASSERT_TRUE(i != 0 || c.gap < 0) << static_cast<int>(a) << ' ' << static_cast<int>(b);
            }
          }
        }
      }
    }
  }
}

/// Depths of coincident shapes that have closed forms.
TEST(Degenerate, CoincidentDepths) {
  const auto depth = [](const GeomSpec& a, const GeomSpec& b) {
    Collider collider{Model(free_geoms({a, b}))};
    collider.run(std::vector<Pose>(2));
    double least = 1;
    for (const Contact& c : collider.contacts()) least = std::min(least, c.gap);
    return -least;
  };
  const GeomSpec box = geom(ShapeType::Box, {0.1, 0.2, 0.3}), ball = geom(ShapeType::Sphere, {0.05, 0, 0});
  const GeomSpec rod = geom(ShapeType::Capsule, {0.02, 0.1, 0}), can = geom(ShapeType::Cylinder, {0.04, 0.1, 0});
  const GeomSpec egg = geom(ShapeType::Ellipsoid, {0.03, 0.06, 0.09});
  EXPECT_NEAR(depth(box, box), 0.2, 1e-9);
  EXPECT_NEAR(depth(ball, ball), 0.1, 1e-12);
  EXPECT_NEAR(depth(ball, box), 0.15, 1e-12);
  EXPECT_NEAR(depth(ball, can), 0.09, 1e-12);
  EXPECT_NEAR(depth(ball, egg), 0.08, 1e-12);
  EXPECT_NEAR(depth(rod, rod), 0.04, 1e-12);
  EXPECT_NEAR(depth(rod, box), 0.12, 1e-9);
  EXPECT_NEAR(depth(can, can), 0.08, 1e-9);
  EXPECT_NEAR(depth(egg, egg), 0.06, 1e-9);
  EXPECT_NEAR(depth(egg, can), 0.07, 1e-9);
  EXPECT_NEAR(depth(egg, box), 0.13, 1e-9);
}

/// Thin and huge shapes side by side, far from the origin.
TEST(Degenerate, ExtremeSizes) {
  std::mt19937_64 random(2);
  ModelSpec spec =
      free_geoms({geom(ShapeType::Box, {1000, 1000, 1000}), geom(ShapeType::Box, {1e-3, 1e-3, 1e-3}),
                  geom(ShapeType::Cylinder, {1e-3, 1e-3, 0}), geom(ShapeType::Ellipsoid, {1e-3, 2e-3, 3e-3})});
  Collider collider{Model(spec)};
  for (int i = 0; i < 50; ++i) {
    collider.run(std::vector<Pose>{Pose{}, at(10 + 0.1 * i, 0, 1000 + 0.999e-3), at(-10, 0.1 * i, 1000 + 0.999e-3),
                                   at(5, 5, 1000 + 2.999e-3)});
    std::vector<double> least(4, 1.0);
    for (const Contact& c : collider.contacts()) {
      ASSERT_TRUE(finite(c));
      ASSERT_EQ(c.geom1, 0);
      least[static_cast<std::size_t>(c.geom2)] = std::min(least[static_cast<std::size_t>(c.geom2)], c.gap);
      EXPECT_NEAR(c.normal.z(), 1, 1e-6);
    }
    for (int g = 1; g < 4; ++g) EXPECT_NEAR(least[static_cast<std::size_t>(g)], -1e-6, 1e-8) << g;
  }
}

}  // namespace
}  // namespace uzawa::test
