/// Rigid corners, edges and round shapes between the vertices of skins.
#include <gtest/gtest.h>

#include <set>

#include "soft_scene.hpp"

namespace uzawa::test {
namespace {

std::vector<Contact> found(const ModelSpec& spec, const Speculation& ahead = {}) {
  const Model model(spec);
  Collider collider(model);
  collider.run(reference_poses(model), ahead);
  for (const Contact& c : collider.contacts()) EXPECT_TRUE(is_sound(c));
  return {collider.contacts().begin(), collider.contacts().end()};
}

/// A pyramid with its tip at the origin of its frame, pointing down.
MeshSpec spike(double half, double height) {
  MeshSpec mesh;
  const auto h = static_cast<float>(half), z = static_cast<float>(height);
  mesh.vertices = {{0, 0, 0}, {-h, -h, z}, {h, -h, z}, {h, h, z}, {-h, h, z}};
  return mesh;
}

/// One triangle of 1 m; a tip that comes down on it is found before, at and behind the face, from either side of a
/// shell, and of a solid from outside.
TEST(SkinFeatures, SpikeIntoACoarseFace) {
  for (const bool solid : {false, true}) {
    for (const bool from_below : {false, true}) {
      for (const double gap : {0.004, 0.0, -0.004, -0.05}) {
        ModelSpec spec = empty_scene();
        spec.meshes.push_back(spike(0.01, 0.3));
        SoftElements e;
        if (solid) {
          e = one_tet(1, {0, 0, 0});  // its face at z = 0 looks down
          if (!from_below) continue;
        } else {
          e.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
          e.triangles = {{0, 1, 2}};
        }
        const double radius = 0.001, side = from_below ? -1 : 1;
        const Quat turn = from_below ? Quat{0, {1, 0, 0}} : Quat{};
        add_free(spec, geom(ShapeType::Mesh, {}, 0), {0.3, 0.2, side * (gap + radius)}, turn);
        add_soft(spec, e, radius);
        const std::vector<Contact> contacts = found(spec, {.distance = 0.005});
        ASSERT_EQ(contacts.size(), 1U) << solid << from_below << gap;
        const Contact& c = contacts[0];
        EXPECT_NEAR(c.gap, gap, 1e-9);
        EXPECT_NEAR(c.normal.z(), -side, 1e-9);  // from the spike to the skin
        const Model model(spec);
        const Vec3 place = spot(model, reference_poses(model), c, false);
        EXPECT_LT(norm(place - Vec3{0.3, 0.2, 0}), 1e-9);
        EXPECT_NEAR(c.position.z(), side * (radius + 0.5 * gap), 1e-9);
      }
    }
  }
}

TEST(SkinFeatures, RoundShapesOnACoarseFace) {
  struct Case {
    GeomSpec geom;
    Quat turn;
    double height;  ///< of the centre over the lowest point
    std::size_t contacts;
  };
  const Quat lying = normalized({1, {1, 0, 0}});
  const std::vector<Case> cases = {{geom(ShapeType::Sphere, {0.02, 0, 0}), {}, 0.02, 1},
                                   {geom(ShapeType::Capsule, {0.02, 0.05, 0}), lying, 0.02, 2},
                                   {geom(ShapeType::Capsule, {0.02, 0.05, 0}), {}, 0.07, 1},
                                   {geom(ShapeType::Ellipsoid, {0.03, 0.04, 0.01}), {}, 0.01, 1},
                                   {geom(ShapeType::Cylinder, {0.02, 0.05, 0}), lying, 0.02, 2},
                                   {geom(ShapeType::Cylinder, {0.02, 0.05, 0}), {}, 0.05, 6},
                                   {geom(ShapeType::Box, {0.02, 0.03, 0.04}), {}, 0.04, 4}};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    for (const double gap : {1e-4, -1e-4}) {
      ModelSpec spec = empty_scene();
      SoftElements e;
      e.nodes = {{-1, -1, 0}, {2, -1, 0}, {-1, 2, 0}};
      e.triangles = {{0, 1, 2}};
      add_soft(spec, e);
      add_free(spec, cases[i].geom, {0, 0, cases[i].height + gap}, cases[i].turn);
      const std::vector<Contact> contacts = found(spec, {.distance = 1e-3});
      EXPECT_EQ(contacts.size(), cases[i].contacts) << i << ' ' << gap;
      std::set<std::uint64_t> keys;
      for (const Contact& c : contacts) {
        EXPECT_NEAR(c.gap, gap, 1e-9) << i;
        EXPECT_NEAR(c.normal.z(), 1, 1e-9) << i;
        EXPECT_EQ(c.face1, 0);
        EXPECT_EQ(c.face2, -1);
        EXPECT_TRUE(keys.insert(c.key).second);
      }
    }
  }
}

/// A thin bar across the ridge of a solid, between its vertices; and the ridge across the bar's edge.
TEST(SkinFeatures, EdgesCross) {
  for (const GeomSpec& bar : {geom(ShapeType::Capsule, {0.01, 0.5, 0}), geom(ShapeType::Cylinder, {0.01, 0.5, 0}),
                              geom(ShapeType::Box, {0.01 / std::sqrt(2.), 0.01 / std::sqrt(2.), 0.5})}) {
    for (const double gap : {1e-3, -1e-3}) {
      ModelSpec spec = empty_scene();
      SoftElements e;  // ridge along x at z = 0
      e.nodes = {{-1, 0, 0}, {1, 0, 0}, {0, 0.5, -1}, {0, -0.5, -1}};
      e.tets = {{0, 2, 1, 3}};
      add_soft(spec, e);
      // Along y, above the ridge; the box stands on its edge.
      const double s = std::sqrt(0.5), c8 = std::cos(M_PI / 8), s8 = std::sin(M_PI / 8);
      const Quat along_y{s, {-s, 0, 0}}, about_axis{c8, {0, 0, s8}};
      const Quat turn = bar.shape == ShapeType::Box ? along_y * about_axis : along_y;
      add_free(spec, bar, {0.2, 0.1, 0.01 + gap}, turn);
      const std::vector<Contact> contacts = found(spec, {.distance = 2e-3});
      ASSERT_EQ(contacts.size(), 1U) << static_cast<int>(bar.shape) << ' ' << gap;
      const Contact& c = contacts[0];
      EXPECT_NEAR(c.gap, gap, 1e-8);
      EXPECT_NEAR(c.normal.z(), 1, 1e-6);
      const Model model(spec);
      EXPECT_LT(norm(spot(model, reference_poses(model), c, true) - Vec3{0.2, 0, 0}), 1e-4);
    }
  }
}

/// A coarse sheet over a peak of a height field and over the rim of a pot.
TEST(SkinFeatures, PeakOfAFieldAndRimOfAPot) {
  SoftElements e;
  e.nodes = {{-0.5, -0.5, 0.1}, {1, -0.5, 0.1}, {-0.5, 1, 0.1}};
  e.triangles = {{0, 1, 2}};
  {
    ModelSpec spec = empty_scene();
    HeightFieldSpec field;
    field.size = {1, 1, 0.1, 0.3};
    field.rows = field.columns = 21;
    field.elevation.assign(441, 0);
    field.elevation[10 * 21 + 10] = 1;
    spec.height_fields.push_back(field);
    spec.geoms.push_back(geom(ShapeType::HeightField, {}, 0));
    for (Vec3& node : e.nodes) node.set(2, 0.099);
    add_soft(spec, e);
    const std::vector<Contact> contacts = found(spec, {.distance = 1e-3});
    ASSERT_EQ(contacts.size(), 1U);
    EXPECT_LT(norm(contacts[0].position - Vec3{0, 0, 0.0995}), 2e-3);
    EXPECT_LT(contacts[0].gap, 0);
  }
  ModelSpec spec = empty_scene();
  GeomSpec pot_geom = geom(ShapeType::Sphere, {0.05, 0, 0});
  pot_geom.sdf = SdfSpec{.parts = {{pot(0.1, 0.1, 0.01), {}, {}}}};
  add_free(spec, pot_geom, {});
  for (Vec3& node : e.nodes) node.set(2, 0.1051);  // the rim is a half circle of 5 mm about the height 0.1
  add_soft(spec, e);
  const std::vector<Contact> contacts = found(spec, {.distance = 1e-3});
  ASSERT_GE(contacts.size(), 1U);
  EXPECT_NEAR(contacts[0].gap, 1e-4, 1e-5);
  EXPECT_LT(contacts[0].normal.z(), 1);
}

/// A rod that leans through a coarse face, its ends beside the face and its middle in it, is pushed out of it.
TEST(SkinFeatures, RodAcrossAFace) {
  ModelSpec spec = empty_scene();
  SoftElements e;
  e.nodes = {{-0.3, -0.3, 0}, {0.3, -0.3, 0}, {0, 0.4, 0}};
  e.triangles = {{0, 1, 2}};
  add_soft(spec, e);
  add_free(spec, geom(ShapeType::Box, {0.01, 0.01, 1}), {0.02, -0.1, 0.1}, {1, {0, 0.5, 0.1}});
  const std::vector<Contact> contacts = found(spec);
  ASSERT_EQ(contacts.size(), 1U);
  EXPECT_LT(contacts[0].gap, 0);
  // Moved out along the normal by the depth, and a little more, nothing overlaps any more.
  ModelSpec apart = spec;
  apart.bodies.back().position += contacts[0].normal * (1e-6 - contacts[0].gap);
  for (const Contact& c : found(apart)) EXPECT_GE(c.gap, 0);
}

/// A fine sheet on a box touches by its vertices only.
TEST(SkinFeatures, FineSkinsTouchFlatSidesByVerticesOnly) {
  ModelSpec spec = empty_scene();
  add_free(spec, geom(ShapeType::Box, {1, 1, 0.1}), {0, 0, -0.1});
  add_soft(spec, sheet(10, 0.3, {0, 0, -1e-6}));
  EXPECT_EQ(found(spec).size(), 121U);
  // Over the rim of the box the sheet's edges cross the box' edges.
  ModelSpec over = empty_scene();
  add_free(over, geom(ShapeType::Box, {0.21, 0.2, 0.1}), {0, 0, -0.1});
  add_soft(over, sheet(1, 0.3, {0, 0, -1e-6}));
  const std::vector<Contact> contacts = found(over);
  int corners = 0;
  for (const Contact& c : contacts) {
    EXPECT_NEAR(c.gap, -1e-6, 1e-8);
    const Vec3 p = c.position;
    corners += std::abs(std::abs(p.x()) - 0.21) < 1e-6 && std::abs(std::abs(p.y()) - 0.2) < 1e-6 ? 1 : 0;
  }
  EXPECT_EQ(corners, 4);
}

/// A block that has slid over the edge of a plate: the plate's corner touches the block's lower side, far behind the
/// two sides that its middle is in front of. It has not come through these.
TEST(SkinFeatures, CornerUnderABlockIsNotBehindItsSides) {
  for (const double depth : {-1e-7, 1e-7, 1e-4}) {
    ModelSpec spec = empty_scene();
    add_free(spec, geom(ShapeType::Box, {0.036, 0.036, 0.005}, 0), {0, 0, -0.005});
    add_soft(spec, block({1, 1, 1}, {0.03, 0.03, 0.02}, {0.04, 0.04, 0.02 - depth}));
    const std::vector<Contact> contacts = found(spec, {.distance = 0.001});
    double deepest = 1;
    for (const Contact& c : contacts) {
      deepest = std::min(deepest, c.gap);
      EXPECT_GE(c.gap, -depth - 1e-9) << depth;
    }
    EXPECT_NEAR(deepest, -depth, 1e-9);
  }
}

}  // namespace
}  // namespace uzawa::test
