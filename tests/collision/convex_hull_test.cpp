#include <ccd/ccd.h>
#include <gtest/gtest.h>

#include "free_geoms.hpp"
#include "support/cpu_time.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/collision/convex/proximity.hpp"

/// Hulls, and distances and penetrations of hulls against libccd.
namespace uzawa::test {
namespace {

std::vector<Vec3> points_of(const MeshSpec& mesh) {
  std::vector<Vec3> points;
  for (const auto& v : mesh.vertices) points.emplace_back(v[0], v[1], v[2]);
  return points;
}

TEST(ConvexHullTest, OfABoxHasSixFaces) {
  std::vector<Vec3> points = points_of(box_mesh({0.1, 0.2, 0.3}));
  points.emplace_back(0, 0, 0);      // inside
  points.emplace_back(0.1, 0, 0);    // within a face
  points.push_back(points.front());  // twice
  const ConvexHull hull(points, "", "box");
  EXPECT_EQ(hull.vertices().size(), 8U);
  EXPECT_EQ(hull.faces().size(), 6);
  for (int f = 0; f < hull.faces().size(); ++f) {
    const auto face = hull.faces()[f];
    ASSERT_EQ(face.size(), 4U);
    // Counter-clockwise from outside.
    const auto corner = [&](std::size_t k) { return hull.vertices()[static_cast<std::size_t>(face[k])]; };
    const Vec3 n = cross(corner(1) - corner(0), corner(2) - corner(1));
    EXPECT_GT(dot(n, hull.face_normals()[static_cast<std::size_t>(f)]), 0);
    EXPECT_GT(dot(n, corner(0)), 0);
  }
}

/// Rounding of floats bends the caps; they are one polygon all the same.
TEST(ConvexHullTest, CapsOfATurnedCylinderStayWhole) {
  const Quat turn = exp_rotation({0.3, 0.7, -0.2});
  std::vector<Vec3> points;
  for (int i = 0; i < 64; ++i) {
    for (const double z : {-0.1, 0.1}) {
      const Vec3 p = rotate(turn, {0.05 * std::cos(i * M_PI / 32), 0.05 * std::sin(i * M_PI / 32), z});
      points.emplace_back(static_cast<float>(p.x()), static_cast<float>(p.y()), static_cast<float>(p.z()));
    }
  }
  const ConvexHull hull(points, "", "cylinder");
  EXPECT_EQ(hull.vertices().size(), 128U);
  int caps = 0;
  for (int f = 0; f < hull.faces().size(); ++f) caps += hull.faces()[f].size() == 64 ? 1 : 0;
  EXPECT_EQ(caps, 2);
  EXPECT_EQ(hull.faces().size(), 66);
}

TEST(ConvexHullTest, SupportIsTheFurthestPoint) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  for (const int count : {4, 20, 63, 64, 65, 1000, 5000}) {  // scanned and climbed
    const std::vector<Vec3> points = points_of(rock(count, 0.2, random));
    const ConvexHull hull(points, "", "rock");
    int hint = -1;
    for (int i = 0; i < 500; ++i) {
      const Vec3 d{normal(random), normal(random), normal(random)};
      double best = -1e300;
      for (const Vec3& p : points) best = std::max(best, dot(p, d));
      hint = hull.support(d, i % 2 == 0 ? -1 : hint);
      EXPECT_NEAR(dot(hull.vertices()[static_cast<std::size_t>(hint)], d), best, 1e-15);
      const int face = hull.best_face(d, hint);
      EXPECT_GE(face, 0);
    }
  }
}

TEST(ConvexHullTest, PointsWithoutVolumeAreRefused) {
  const auto refused = [](const std::vector<Vec3>& points) {
    try {
      const ConvexHull hull(points, "robot.xml", "mesh 'flat'");
    } catch (const InputError& error) {
      return std::string(error.what()).find("robot.xml") != std::string::npos &&
             std::string(error.what()).find("mesh 'flat'") != std::string::npos &&
             std::string(error.what()).find('\n') == std::string::npos;
    }
    return false;
  };
  EXPECT_TRUE(refused({}));
  EXPECT_TRUE(refused({{0, 0, 0}}));
  EXPECT_TRUE(refused(std::vector<Vec3>(100, Vec3{1, 2, 3})));
  EXPECT_TRUE(refused({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}}));
  EXPECT_TRUE(refused({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0.5, 0.5, 0}}));
}

struct CcdHull {
  const ConvexHull* hull;
  Pose pose;
};

void ccd_support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* out) {
  const auto& placed = *static_cast<const CcdHull*>(object);
  const Vec3 d{direction->v[0], direction->v[1], direction->v[2]};
  const Vec3 local = transpose_times(placed.pose.rotation, d);
  const Vec3* best = &placed.hull->vertices().front();
  for (const Vec3& v : placed.hull->vertices()) best = dot(v, local) > dot(*best, local) ? &v : best;
  const Vec3 p = placed.pose * *best;
  ccdVec3Set(out, p.x(), p.y(), p.z());
}

/// libccd is an independent GJK and EPA. It stops at its tolerance, and its EPA gives up now and then: a result of it
/// counts where its own direction bears it out.
TEST(ConvexHullTest, DistancesAgreeWithLibccd) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> distance(0.05, 0.5);
  ccd_t ccd;
  CCD_INIT(&ccd);
  ccd.support1 = ccd.support2 = ccd_support;
  ccd.max_iterations = 1000;
  ccd.epa_tolerance = 1e-10;
  Epa epa;
  int overlaps = 0, apart = 0, agree = 0;
  for (int i = 0; i < 3000; ++i) {
    const ConvexHull a(points_of(rock(20, 0.2, random)), "", ""), b(points_of(rock(30, 0.15, random)), "", "");
    const Vec3 d{normal(random), normal(random), normal(random)};
    const CcdHull first{&a, at(0, 0, 0, random_turn(random))};
    const CcdHull second{&b, Pose::from(d * (distance(random) / norm(d)), random_turn(random))};
    ConvexCore core_a, core_b;
    core_a.kind = core_b.kind = ConvexCore::Kind::Hull;
    core_a.hull = &a, core_b.hull = &b;
    core_a.extent = core_b.extent = 0.2;
    const ConvexPair pair{core_a, core_b, relative(first.pose, second.pose)};
    const Proximity found = proximity(pair, 10, epa);
    const Vec3 n = first.pose.rotation * found.normal;
    EXPECT_NEAR(norm(n), 1, 1e-12);
    EXPECT_NEAR(-dot(pair.support(found.normal).w, found.normal), found.gap, 1e-12);
    EXPECT_NEAR(dot(found.on_b - found.on_a, found.normal), found.gap, 1e-9);
    if (std::abs(found.gap) > 1e-6) {
      EXPECT_EQ(ccdGJKIntersect(&first, &second, &ccd), found.gap < 0 ? 1 : 0);
    }
    if (found.gap > 0) {
      ++apart;
      // The points are on the hulls, so no distance is larger; no direction separates them by more: it is the distance.
      EXPECT_NEAR(norm(found.on_b - found.on_a), found.gap, 1e-9);
    } else {
      ++overlaps;
      ccd_real_t depth = 0;
      ccd_vec3_t direction, position;
      if (ccdGJKPenetration(&first, &second, &ccd, &depth, &direction, &position) != 0) continue;
      // The depth is the least over directions: ours is not larger than theirs.
      EXPECT_LE(-found.gap, depth + 1e-9);
      agree += -found.gap > depth - 1e-6 ? 1 : 0;
    }
  }
  EXPECT_GT(overlaps, 1000);
  EXPECT_GT(apart, 500);
  EXPECT_GT(agree, overlaps * 9 / 10);
}

/// A ball of a million triangles, as a mesh may come from a scanner.
TEST(ConvexHullTest, AMillionTriangles) {
  const int rings = 500, sectors = 1000;
  MeshSpec mesh;
  mesh.name = "scan";
  for (int i = 0; i <= rings; ++i) {
    for (int k = 0; k < sectors; ++k) {
      const double theta = M_PI * i / rings, phi = 2 * M_PI * k / sectors;
      mesh.vertices.push_back({static_cast<float>(0.1 * std::sin(theta) * std::cos(phi)),
                               static_cast<float>(0.1 * std::sin(theta) * std::sin(phi)),
                               static_cast<float>(0.1 * std::cos(theta))});
    }
  }
  for (int i = 0; i < rings; ++i) {
    for (int k = 0; k < sectors; ++k) {
      const int a = i * sectors + k, b = i * sectors + (k + 1) % sectors;
      mesh.faces.push_back({a, a + sectors, b});
      mesh.faces.push_back({b, a + sectors, b + sectors});
    }
  }
  ASSERT_EQ(mesh.faces.size(), 1000000U);
  ModelSpec spec = free_geoms({geom(ShapeType::Plane, {}), geom(ShapeType::Mesh, {}, 0), geom(ShapeType::Mesh, {}, 0)});
  spec.meshes.push_back(std::move(mesh));
  Collider collider{Model(std::move(spec))};
  const double start = cpu_seconds();
  collider.run(std::vector<Pose>{at(0, 0, 0.0999), at(0.1, 0, 0.2)}, {.distance = 0.1});
  EXPECT_LT(cpu_seconds() - start, 2);
  ASSERT_GE(collider.contacts().size(), 2U);
  double floor_gap = 1, ball_gap = 1;
  for (const Contact& c : collider.contacts()) {
    (c.geom1 == 0 ? floor_gap : ball_gap) = std::min(c.geom1 == 0 ? floor_gap : ball_gap, c.gap);
  }
  EXPECT_NEAR(floor_gap, -1e-4, 1e-6);
  EXPECT_NEAR(ball_gap, std::hypot(0.1, 0.1001) - 0.2, 1e-6);
}

}  // namespace
}  // namespace uzawa::test
