/// Skins against skins, and against themselves.
#include <gtest/gtest.h>

#include <set>

#include "soft_scene.hpp"

namespace uzawa::test {
namespace {

struct Found {
  explicit Found(const ModelSpec& spec, const Speculation& ahead = {}) : model(spec), poses(reference_poses(model)) {
    Collider collider(model);
    collider.run(poses, ahead);
    contacts.assign(collider.contacts().begin(), collider.contacts().end());
    std::set<std::uint64_t> keys;
    for (const Contact& c : contacts) {
      EXPECT_TRUE(is_sound(c));
      EXPECT_TRUE(keys.insert(c.key).second);
      EXPECT_GE(c.face1, 0);
      EXPECT_GE(c.face2, 0);
    }
  }
  /// Gap by the two points that the contact's weights name.
  double gap_of(const Contact& c, double radii) const {
    return dot(spot(model, poses, c, false) - spot(model, poses, c, true), c.normal) - radii;
  }
  Model model;
  std::vector<Pose> poses;
  std::vector<Contact> contacts;
};

/// The tip of one solid over the broad face of another: before, and inside; in either order of the geoms.
TEST(SkinSoft, VertexOnFace) {
  for (const bool tip_first : {true, false}) {
    for (const double gap : {0.01, -0.01, -0.2}) {
      ModelSpec spec = empty_scene();
      SoftElements tip, base;
      tip.nodes = {{0.1, 0.2, gap}, {0, 0, 3}, {1, 0, 3}, {0, 1, 3}};
      tip.tets = {{0, 1, 2, 3}};
      base.nodes = {{-2, -2, 0}, {4, -2, 0}, {-2, 4, 0}, {0, 0, -4}};
      base.tets = {{0, 2, 1, 3}};
      if (tip_first) add_soft(spec, tip);
      add_soft(spec, base);
      if (!tip_first) add_soft(spec, tip);
      const Found found(spec, {.distance = 0.02});
      ASSERT_EQ(found.contacts.size(), 1U) << gap;
      const Contact& c = found.contacts[0];
      EXPECT_NEAR(c.gap, gap, 1e-12);
      EXPECT_NEAR(c.normal.z(), tip_first ? -1 : 1, 1e-12);
      EXPECT_NEAR(found.gap_of(c, 0), gap, 1e-12);
      EXPECT_LT(norm(c.position - Vec3{0.1, 0.2, 0.5 * gap}), 1e-12);
    }
  }
}

/// Two ridges that cross.
TEST(SkinSoft, EdgesCross) {
  for (const double gap : {0.01, -0.01}) {
    ModelSpec spec = empty_scene();
    SoftElements lower, upper;
    lower.nodes = {{-1, 0, 0}, {1, 0, 0}, {0, 0.5, -1}, {0, -0.5, -1}};
    lower.tets = {{0, 2, 1, 3}};
    upper.nodes = {{0.3, -1, gap}, {0.3, 1, gap}, {0.8, 0, 1 + gap}, {-0.2, 0, 1 + gap}};
    upper.tets = {{0, 2, 1, 3}};
    for (SoftElements* e : {&lower, &upper}) {
      const auto& x = e->nodes;
      if (dot(cross(x[2] - x[0], x[1] - x[0]), x[3] - x[0]) < 0) e->tets = {{0, 1, 2, 3}};
    }
    add_soft(spec, lower);
    add_soft(spec, upper);
    const Found found(spec, {.distance = 0.02});
    ASSERT_EQ(found.contacts.size(), 1U) << gap;
    const Contact& c = found.contacts[0];
    EXPECT_NEAR(c.gap, gap, 1e-12);
    EXPECT_NEAR(c.normal.z(), 1, 1e-12);
    EXPECT_NEAR(found.gap_of(c, 0), gap, 1e-12);
    EXPECT_LT(norm(spot(found.model, found.poses, c, true) - Vec3{0.3, 0, 0}), 1e-12);
  }
}

/// Blocks stacked 1 um deep: every vertex of either over the other's side has one contact, straight up.
TEST(SkinSoft, BlockOnBlock) {
  ModelSpec spec = empty_scene();
  add_soft(spec, block({4, 4, 2}, {0.2, 0.2, 0.1}, {0, 0, -0.1}));
  add_soft(spec, block({3, 3, 2}, {0.1, 0.1, 0.1}, {0.013, 0.007, 0.1 - 1e-6}));
  const Found found(spec);
  int up = 0;
  for (const Contact& c : found.contacts) {
    EXPECT_NEAR(c.normal.z(), 1, 1e-9);
    EXPECT_NEAR(c.gap, -1e-6, 1e-9);
    ++up;
  }
  // 16 vertices of the upper one, the nine of the lower one within its outline |x - 0.013|, |y - 0.007| < 0.1 (places
  // 0, +-0.1), of which +-0.1 lie inside on one side each: {0, 0.1} x {0, 0.1}.
  EXPECT_EQ(up, 16 + 4);
}

/// Sheets with a radius keep their sides.
TEST(SkinSoft, SheetsKeepTheirSides) {
  for (const double side : {-1., 1.}) {
    ModelSpec spec = empty_scene();
    add_soft(spec, sheet(4, 0.2), 0.004);
    add_soft(spec, sheet(3, 0.1, {0.011, 0.003, side * 0.007}), 0.004);
    const Found found(spec);
    int straight = 0;
    for (const Contact& c : found.contacts) {
      EXPECT_NEAR(found.gap_of(c, 0.008), c.gap, 1e-12);
      EXPECT_GT(c.normal.z() * side, 0.9);  // vertices just beside the smaller one touch its round border
      if (c.normal.z() * side < 1 - 1e-12) continue;
      EXPECT_NEAR(c.gap, -0.001, 1e-12);
      ++straight;
    }
    EXPECT_EQ(straight, 16 + 4);  // vertices of the smaller one, and of the larger one under it
  }
}

/// Cords that cross, that lie side by side, and that meet end to face.
TEST(SkinSoft, Cords) {
  ModelSpec crossing = empty_scene();
  add_soft(crossing, cord(3, 0.3), 0.01);
  SoftElements other = cord(3, 0.3, {0.02, 0.01, 0.018});
  for (Vec3& p : other.nodes) p = {0.02 - p.y(), p.x(), p.z()};
  add_soft(crossing, other, 0.01);
  const Found found(crossing);
  ASSERT_EQ(found.contacts.size(), 1U);
  EXPECT_NEAR(found.contacts[0].gap, -0.002, 1e-12);
  EXPECT_NEAR(found.contacts[0].normal.z(), 1, 1e-12);
  EXPECT_NEAR(found.gap_of(found.contacts[0], 0.02), -0.002, 1e-12);

  ModelSpec beside = empty_scene();
  add_soft(beside, cord(3, 0.3), 0.01);
  add_soft(beside, cord(3, 0.3, {0.05, 0, 0.019}), 0.01);
  const Found parallel(beside);
  EXPECT_EQ(parallel.contacts.size(), 6U);  // three vertices of each lie beside the other
  for (const Contact& c : parallel.contacts) {
    EXPECT_NEAR(c.gap, -0.001, 1e-12);
    EXPECT_NEAR(c.normal.z(), 1, 1e-12);
  }

  ModelSpec onto = empty_scene();
  add_soft(onto, sheet(1, 1));
  SoftElements upright = cord(2, 0.2);
  for (Vec3& p : upright.nodes) p = {0.3, 0.2, p.x() + 0.205};
  add_soft(onto, upright, 0.01);
  const Found end(onto);
  ASSERT_EQ(end.contacts.size(), 1U);
  EXPECT_NEAR(end.contacts[0].gap, -0.005, 1e-12);
  EXPECT_NEAR(end.contacts[0].normal.z(), 1, 1e-12);
}

/// A cord over rigid shapes touches them between its vertices.
TEST(SkinSoft, CordOverRigidShapes) {
  const double s = std::sqrt(0.5);
  for (const GeomSpec& bar : {geom(ShapeType::Cylinder, {0.05, 0.2, 0}), geom(ShapeType::Capsule, {0.05, 0.2, 0}),
                              geom(ShapeType::Sphere, {0.05, 0, 0})}) {
    ModelSpec spec = empty_scene();
    add_free(spec, bar, {0.02, 0, 0}, {s, {s, 0, 0}});
    add_soft(spec, cord(3, 0.3, {0, 0, 0.054}), 0.005);
    const Model model(spec);
    Collider collider(model);
    collider.run(reference_poses(model));
    ASSERT_EQ(collider.contacts().size(), 1U);
    const Contact& c = collider.contacts()[0];
    EXPECT_NEAR(c.gap, -0.001, 1e-9);
    EXPECT_NEAR(c.normal.z(), 1, 1e-6);
    EXPECT_NEAR(spot(model, reference_poses(model), c, false).x(), 0.02, 1e-5);
  }
}

/// A sheet folded over itself touches itself across the fold, and nowhere else; flat, it does not.
TEST(SkinSoft, SelfContactOfAFoldedSheet) {
  const int n = 8;
  const double half = 0.4, radius = 0.01;
  ModelSpec spec = empty_scene();
  add_soft(spec, sheet(n, half), radius);
  spec.soft_bodies[0].self_contact = true;
  const Model model(spec);
  Collider collider(model);
  std::vector<Pose> poses = reference_poses(model);
  collider.run(poses, {.distance = 0.005});
  EXPECT_TRUE(collider.contacts().empty());
  // The part beyond x = 0.05 is turned over about y, to lie 19 mm above.
  for (Pose& p : poses) {
    const double x = p.position.x();
    if (x > 0.05) p.position = {0.1 - x + 0.013, p.position.y() + 0.007, 0.019};
  }
  collider.run(poses);
  ASSERT_FALSE(collider.contacts().empty());
  int up = 0;
  for (const Contact& c : collider.contacts()) {
    ASSERT_TRUE(is_sound(c));
    EXPECT_EQ(c.geom1, c.geom2);
    EXPECT_LT(c.gap, 0);
    up += std::abs(std::abs(c.normal.z()) - 1) < 1e-9 ? 1 : 0;
    // Features apart at rest.
    const Model& m = model;
    const std::vector<Pose> rest = reference_poses(model);
    EXPECT_GT(norm(spot(m, rest, c, true) - spot(m, rest, c, false)), 2 * radius);
  }
  EXPECT_GT(up, 30);
  spec.soft_bodies[0].self_contact = false;
  Collider without{Model(spec)};
  without.run(poses);
  EXPECT_TRUE(without.contacts().empty());
}

/// A cord coiled so that its ends cross touches itself there; neighbours, closer than its radius, never do.
TEST(SkinSoft, SelfContactOfACord) {
  const int n = 60;
  ModelSpec spec = empty_scene();
  SoftElements e = cord(n, 1);
  add_soft(spec, e, 0.03);  // stretches are as long as the radius
  spec.soft_bodies[0].self_contact = true;
  const Model model(spec);
  Collider collider(model);
  std::vector<Pose> poses = reference_poses(model);
  collider.run(poses);
  EXPECT_TRUE(collider.contacts().empty());
  for (int i = 0; i <= n; ++i) {
    const double angle = 2 * M_PI * 1.05 * i / n, r = 2 / (2 * M_PI * 1.05);
    poses[static_cast<std::size_t>(i)].position = {r * std::cos(angle), r * std::sin(angle), 0.059 * i / n};
  }
  collider.run(poses);
  ASSERT_FALSE(collider.contacts().empty());
  for (const Contact& c : collider.contacts()) {
    EXPECT_LT(c.gap, 0);
    EXPECT_GT(std::abs(c.normal.z()), 0.9);
    EXPECT_GT(std::abs(c.face1 - c.face2), 40);
  }
}

}  // namespace
}  // namespace uzawa::test
