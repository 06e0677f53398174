#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "free_geoms.hpp"
#include "uzawa/collision/planes/separating_planes.hpp"

/// Planes that keep two shapes apart, and what must stay beyond them.
namespace uzawa::test {
namespace {

constexpr double kTolerance = 5e-5;  // m

/// Two free shapes; the planes of their nearest contact.
class Pair {
 public:
  explicit Pair(ModelSpec spec) : collider_(Model(std::move(spec))) {}

  const SeparatingPlanes& planes(const Pose& a, const Pose& b) {
    collider_.run(std::vector<Pose>{a, b}, {.distance = 1});
    const auto contacts = collider_.contacts();
    const auto nearest = std::min_element(contacts.begin(), contacts.end(),
                                          [](const Contact& c, const Contact& d) { return c.gap < d.gap; });
    nearest_ = *nearest;
    planes_.find(placed(0, a), placed(1, b), nearest_, kTolerance);
    return planes_;
  }
  const Contact& nearest() const { return nearest_; }
  PlacedShape placed(std::size_t i, const Pose& pose) const { return {&collider_.shapes().geoms()[i].shape, pose}; }

 private:
  Collider collider_;
  Contact nearest_;
  SeparatingPlanes planes_;
};

ModelSpec two(const GeomSpec& a, const GeomSpec& b) {
  ModelSpec spec = free_geoms({a, b});
  spec.meshes.push_back(box_mesh({0.1, 0.1, 0.1}));
  return spec;
}

const Vec3 kHalf{0.1, 0.1, 0.1};

/// A box beside the top edge of a tile, flush with it: the tile's side and its top.
TEST(SeparatingPlanesTest, AtAFlushSeamThereAreTwo) {
  for (const bool mesh : {false, true}) {
    const GeomSpec tile = mesh ? geom(ShapeType::Mesh, {}, 0) : geom(ShapeType::Box, kHalf);
    for (const GeomSpec& slider :
         {geom(ShapeType::Box, {0.05, 0.05, 0.05}), geom(ShapeType::Cylinder, {0.05, 0.05, 0})}) {
      Pair pair(two(tile, slider));
      const SeparatingPlanes& planes = pair.planes(at(0, 0, 0), at(-0.15 - 1e-4, 0, 0.15));
      std::vector<double> separations;
      for (int k = 0; k < planes.size(); ++k) {
        if (planes[k].normal.x() < -0.99) separations.push_back(1e-4 - planes[k].separation);
        if (planes[k].normal.z() > 0.99) separations.push_back(planes[k].separation);
      }
      ASSERT_EQ(separations.size(), 2U) << mesh;
      for (const double s : separations) EXPECT_NEAR(s, 0, 2e-8);  // vertices of meshes are floats
    }
  }
}

TEST(SeparatingPlanesTest, OnAFaceThereIsOne) {
  Pair pair(two(geom(ShapeType::Box, kHalf), geom(ShapeType::Box, {0.05, 0.05, 0.05})));
  EXPECT_EQ(pair.planes(at(0, 0, 0), at(0.01, 0.02, 0.15)).size(), 1);
  EXPECT_EQ(pair.planes(at(0, 0, 0), at(0.01, 0.02, 0.17)).size(), 1);
}

/// Each plane separates now; carried along, its separation is that of all corners at the poses that follow.
TEST(SeparatingPlanesTest, SeparationIsThatOfAllPoints) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> place(-0.3, 0.3), small(-0.02, 0.02);
  const Vec3 half{0.05, 0.08, 0.03};
  Pair pair(two(geom(ShapeType::Box, kHalf), geom(ShapeType::Box, half)));
  int several = 0;
  for (int i = 0; i < 300; ++i) {
    const Pose a = at(0, 0, 0, random_turn(random));
    const Pose b = at(place(random), place(random), place(random), random_turn(random));
    const SeparatingPlanes& planes = pair.planes(a, b);
    if (pair.nearest().gap < 0) continue;
    several += planes.size() > 1 ? 1 : 0;
    const Pose a2 = at(small(random), small(random), 0, exp_rotation({small(random), 0, 0})) * a;
    for (int k = 0; k < planes.size(); ++k) {
      EXPECT_GE(planes[k].separation, -kTolerance);
      EXPECT_LE(planes[k].separation, pair.nearest().gap + 1e-9);  // the distance is the largest of all
      const Vec3 n =
          !planes[k].turns ? planes[k].normal : (planes[k].of_first ? a2.rotation : b.rotation) * planes[k].local;
      double highest = -1e300, lowest = 1e300;
      for (int corner = 0; corner < 8; ++corner) {
        const Vec3 sign{(corner & 1) != 0 ? 1. : -1., (corner & 2) != 0 ? 1. : -1., (corner & 4) != 0 ? 1. : -1.};
        highest = std::max(highest, dot(n, a2 * scaled(sign, kHalf)));
        lowest = std::min(lowest, dot(n, b * scaled(sign, half)));
      }
      EXPECT_NEAR(separation(planes[k], pair.placed(0, a2), pair.placed(1, b)), lowest - highest, 1e-12);
    }
  }
  EXPECT_GT(several, 30);
}

/// What must stay beyond a face of a large tile: the corners of the small box's bottom.
TEST(SeparatingPlanesTest, ContactsOfAFaceAreCornersOfTheOther) {
  Pair pair(two(geom(ShapeType::Box, kHalf), geom(ShapeType::Box, {0.05, 0.05, 0.05})));
  const Pose a = at(0, 0, 0), b = at(-0.15 - 1e-4, 0, 0.15 + 2e-5);
  const SeparatingPlanes& planes = pair.planes(a, b);
  Patch patch;
  Manifold manifold;
  for (int k = 1; k < planes.size(); ++k) {
    if (planes[k].normal.z() > 0.99)
      add_plane_contacts(planes[k], pair.placed(0, a), pair.placed(1, b), patch, manifold);
  }
  ASSERT_EQ(manifold.points.size(), 4U);
  for (const ManifoldPoint& p : manifold.points) {
    EXPECT_NEAR(p.gap, 2e-5, 1e-12);
    EXPECT_NEAR(std::abs(p.position.x() - b.position.x()), 0.05, 1e-12);
    EXPECT_NEAR(std::abs(p.position.y()), 0.05, 1e-12);
  }
}

/// A cylinder that lies along the edge of a face touches there, wherever rounding puts it.
TEST(SeparatingPlanesTest, LineOnAnEdgeTouchesThere) {
  Pair pair(two(geom(ShapeType::Box, kHalf), geom(ShapeType::Cylinder, {0.03, 0.05, 0})));
  const Quat across = exp_rotation({M_PI / 2, 0, 0});
  for (int i = -4; i <= 4; ++i) {
    for (int j = 0; j < 50; ++j) {
      const Quat rolled = exp_rotation({0, 0.37 * j, 0}) * across;
      pair.planes(at(1.2, 0, -0.1), at(1.1 + 2.3e-16 * i, 0, 0.03, rolled));
      // The nearest point of a curved surface is known to the square root of rounding.
      EXPECT_NEAR(pair.nearest().position.x(), 1.1, 1e-7) << i << ' ' << j;
      EXPECT_NEAR(pair.nearest().gap, 0, 1e-12) << i << ' ' << j;
    }
  }
}

}  // namespace
}  // namespace uzawa::test
