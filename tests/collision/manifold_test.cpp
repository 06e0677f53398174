#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "free_geoms.hpp"
#include "mujoco_scene.hpp"

/// Manifolds: that they hold what MuJoCo's hold, and are the same however the world is turned and the pair is named.
namespace uzawa::test {
namespace {

constexpr double kTolerance = 1e-6;  // m

double cross2(const Vec3& o, const Vec3& a, const Vec3& b) {
  return (a.x() - o.x()) * (b.y() - o.y()) - (a.y() - o.y()) * (b.x() - o.x());
}

/// Distance of a point from the convex hull of points, in the plane z = 0 (Andrew's monotone chain).
double distance_from_hull(std::vector<Vec3> points, const Vec3& p) {
  std::sort(points.begin(), points.end(),
            [](const Vec3& a, const Vec3& b) { return a.x() != b.x() ? a.x() < b.x() : a.y() < b.y(); });
  std::vector<Vec3> hull;
  for (int pass = 0; pass < 2; ++pass) {
    const std::size_t start = hull.size();
    for (const Vec3& q : points) {
      while (hull.size() >= start + 2 && cross2(hull[hull.size() - 2], hull.back(), q) <= 0) hull.pop_back();
      hull.push_back(q);
    }
    hull.pop_back();
    std::reverse(points.begin(), points.end());
  }
  if (hull.empty()) hull.push_back(points.front());
  bool inside = hull.size() > 2;
  double least = 1e300;
  for (std::size_t i = 0; i < hull.size(); ++i) {
    const Vec3 a = hull[i], ab = hull[(i + 1) % hull.size()] - a;
    inside = inside && cross2(a, a + ab, p) >= 0;
    const double square = ab.x() * ab.x() + ab.y() * ab.y();
    const double t = square > 0 ? std::clamp(((p - a).x() * ab.x() + (p - a).y() * ab.y()) / square, 0., 1.) : 0;
    least = std::min(least, length((p - a - ab * t).x(), (p - a - ab * t).y()));
  }
  return inside ? 0 : least;
}

TEST(HullDistance, OfASquare) {
  const std::vector<Vec3> square = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  EXPECT_EQ(distance_from_hull(square, {0.5, 0.5, 0}), 0);
  EXPECT_DOUBLE_EQ(distance_from_hull(square, {2, 0.5, 0}), 1);
  EXPECT_DOUBLE_EQ(distance_from_hull({{0, 0, 0}}, {3, 4, 0}), 5);
}

/// Where both sides chose the same normal, each contact of MuJoCo lies in the hull of ours, seen along the normal.
class ManifoldSupport : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(ManifoldSupport, ContainsMujocos) {
  if (!kModernMujoco) GTEST_SKIP() << "margins add up differently in this MuJoCo";
  const auto [first, second] = GetParam();
  const bool plane = std::string(first) == "plane";
  std::mt19937_64 random(17);
  int compared = 0, several = 0;
  double worst = 0;
  for (int k = 0; k < 10; ++k) {
    MujocoScene scene(pair_xml(first, second, 0.05, random));
    const auto& geoms = scene.collider().shapes().geoms();
    const double reach = (plane ? 0 : geoms[0].shape.radius) + geoms[1].shape.radius;
    for (int i = 0; i < 1000; ++i) {
      scene.run(random_pair_pose(plane, reach, random));
      const SceneContact *ours = deepest(scene.our_contacts()), *theirs = deepest(scene.their_contacts());
      if (ours == nullptr || theirs == nullptr || norm(ours->normal - theirs->normal) > 1e-7) continue;
      const Mat3 frame = contact_frame(ours->normal);
      std::vector<Vec3> support;
      for (const SceneContact& c : scene.our_contacts()) support.push_back(transpose_times(frame, c.position));
      for (const SceneContact& c : scene.their_contacts()) {
        // A second contact of MuJoCo's may have a normal of its own: it is another feature.
        if (norm(c.normal - ours->normal) > 1e-7) continue;
        worst = std::max(worst, distance_from_hull(support, transpose_times(frame, c.position)));
        ++compared;
      }
      several += scene.their_contacts().size() > 1 ? 1 : 0;
    }
  }
  EXPECT_GT(compared, 3000);
  EXPECT_GT(several, 100);
  EXPECT_LT(worst, kTolerance);
}

INSTANTIATE_TEST_SUITE_P(All, ManifoldSupport,
                         testing::Values(std::pair{"plane", "capsule"}, std::pair{"plane", "cylinder"},
                                         std::pair{"plane", "box"}, std::pair{"capsule", "box"},
                                         std::pair{"box", "box"}),
                         [](const auto& param_info) {
                           return std::string(param_info.param.first) + "_" + param_info.param.second;
                         });

/// How many points shapes that lie flat have.
TEST(Manifolds, FullWhereShapesLieFlat) {
  MeshSpec cube = box_mesh({0.1, 0.1, 0.1});
  const double s = std::sqrt(0.5);
  const Quat lying{s, {s, 0, 0}};
  struct Case {
    GeomSpec below, above;
    Pose pose;
    std::size_t points;
  };
  const GeomSpec box = geom(ShapeType::Box, {0.1, 0.1, 0.1}), mesh = geom(ShapeType::Mesh, {}, 0);
  const GeomSpec floor = geom(ShapeType::Plane, {}), cylinder = geom(ShapeType::Cylinder, {0.05, 0.1, 0});
  const GeomSpec capsule = geom(ShapeType::Capsule, {0.05, 0.1, 0});
  const Quat eighth = exp_rotation({0, 0, M_PI / 4});
  const std::vector<Case> cases = {
      {floor, box, at(0, 0, 0.0999), 4},
      {floor, mesh, at(0, 0, 0.0999), 4},
      {floor, cylinder, at(0, 0, 0.0999), 6},
      {floor, cylinder, at(0, 0, 0.0499, lying), 2},
      {floor, capsule, at(0, 0, 0.0499, lying), 2},
      {box, box, at(0, 0, 0.1999), 4},
      {box, box, at(0, 0, 0.1999, eighth), 8},
      {box, box, at(0.05, 0.05, 0.1999), 4},
      {box, mesh, at(0, 0, 0.1999, eighth), 8},
      {mesh, mesh, at(0.03, 0, 0.1999), 4},
      {box, capsule, at(0, 0, 0.1499, lying), 2},
      {mesh, capsule, at(0, 0, 0.1499, lying), 2},
      {box, cylinder, at(0, 0, 0.1499, lying), 2},
      {box, cylinder, at(0, 0, 0.1999), 6},
      {cylinder, cylinder, at(0, 0, 0.1999), 6},
      {capsule, capsule, at(0.0999, 0, 0.05), 2},
      {capsule, cylinder, at(0.0999, 0, 0.05), 2},
      {cylinder, cylinder, at(0.0999, 0, 0.05), 2},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    ModelSpec spec = free_geoms({cases[i].below, cases[i].above});
    spec.meshes.push_back(cube);
    Collider collider{Model(spec)};
    const std::vector<Pose> poses =
        cases[i].below.shape == ShapeType::Plane ? std::vector{cases[i].pose} : std::vector{Pose{}, cases[i].pose};
    collider.run(poses);
    EXPECT_EQ(collider.contacts().size(), cases[i].points) << "case " << i;
    for (const Contact& c : collider.contacts()) EXPECT_NEAR(c.gap, -1e-4, 1e-7) << "case " << i;
  }
}

ShapeType random_shape(std::mt19937_64& random) {
  const ShapeType types[] = {ShapeType::Sphere,   ShapeType::Capsule, ShapeType::Ellipsoid,
                             ShapeType::Cylinder, ShapeType::Box,     ShapeType::Mesh};
  return types[std::uniform_int_distribution<int>(0, 5)(random)];
}

struct RandomPair {
  ModelSpec spec;
  std::vector<Pose> poses;
};

RandomPair random_pair(std::mt19937_64& random) {
  std::uniform_real_distribution<double> size(0.05, 0.3), distance(0.3, 1);
  std::normal_distribution<double> normal;
  RandomPair pair;
  const auto draw = [&] { return geom(random_shape(random), {size(random), size(random), size(random)}, 0); };
  pair.spec = free_geoms({draw(), draw()});
  pair.spec.meshes.push_back(rock(30, 0.2, random));
  const Vec3 d{normal(random), normal(random), normal(random)};
  pair.poses = {at(0, 0, 0, random_turn(random)),
                Pose::from(d * (distance(random) * 0.4 / norm(d)), random_turn(random))};
  return pair;
}

bool same_deepest(std::span<const Contact> a, std::span<const Contact> b, const Pose& motion, double sign) {
  const auto by_gap = [](const Contact& x, const Contact& y) { return x.gap < y.gap; };
  if (a.empty() || b.empty()) return a.empty() == b.empty();
  const auto& p = *std::min_element(a.begin(), a.end(), by_gap);
  const auto& q = *std::min_element(b.begin(), b.end(), by_gap);
  if (std::abs(p.gap - q.gap) > kTolerance) return false;
  return norm(motion.rotation * p.normal - q.normal * sign) < 1e-4;
}

TEST(Manifolds, MoveWithTheWorld) {
  std::mt19937_64 random(23);
  int touching = 0, differ = 0;
  for (int i = 0; i < 3000; ++i) {
    const RandomPair pair = random_pair(random);
    Collider collider{Model(pair.spec)};
    collider.run(pair.poses, {.distance = 0.02});
    const std::vector<Contact> before(collider.contacts().begin(), collider.contacts().end());
    const Pose motion = at(100, -50, 20, random_turn(random));
    collider.run(std::vector<Pose>{motion * pair.poses[0], motion * pair.poses[1]}, {.distance = 0.02});
    touching += before.empty() ? 0 : 1;
    // Ties and the edge of the margin are decided by rounding.
    differ += same_deepest(before, collider.contacts(), motion, 1) ? 0 : 1;
  }
  EXPECT_GT(touching, 1000);
  EXPECT_LE(differ, 3);
}

TEST(Manifolds, DoNotDependOnTheOrderOfThePair) {
  std::mt19937_64 random(29);
  int touching = 0, differ = 0;
  for (int i = 0; i < 3000; ++i) {
    RandomPair pair = random_pair(random);
    Collider collider{Model(pair.spec)};
    collider.run(pair.poses, {.distance = 0.02});
    std::swap(pair.spec.geoms[0], pair.spec.geoms[1]);
    pair.spec.geoms[0].body = 1;
    pair.spec.geoms[1].body = 2;
    Collider swapped{Model(pair.spec)};
    swapped.run(std::vector<Pose>{pair.poses[1], pair.poses[0]}, {.distance = 0.02});
    touching += collider.contacts().empty() ? 0 : 1;
    differ += same_deepest(collider.contacts(), swapped.contacts(), {}, -1) ? 0 : 1;
    EXPECT_EQ(collider.contacts().size(), swapped.contacts().size());
  }
  EXPECT_GT(touching, 1000);
  EXPECT_LE(differ, 3);
}

/// Frames are right-handed and orthonormal, and change little with the normal.
TEST(ContactFrame, IsOrthonormalAndContinuous) {
  std::mt19937_64 random(31);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 10000; ++i) {
    const Vec3 d{normal(random), normal(random), normal(random)};
    const Vec3 n = i == 0 ? Vec3{-0.36, -0.48, -0.8} : d * (1 / norm(d));
    const Mat3 f = contact_frame(n);
    // Near the one direction without a frame of its own, rounding counts for more.
    EXPECT_NEAR(norm(cross(f.col[0], f.col[1]) - n), 0, 1e-12);
    EXPECT_NEAR(norm(f.col[0]), 1, 1e-12);
    EXPECT_NEAR(norm(f.col[1]), 1, 1e-12);
    if (dot(n, Vec3{0.36, 0.48, 0.8}) < -0.9) continue;
    const Vec3 near = (n + f.col[0] * 1e-6) * (1 / norm(n + f.col[0] * 1e-6));
    EXPECT_LT(norm(contact_frame(near).col[0] - f.col[0]), 1e-4);
  }
  EXPECT_NEAR(norm(contact_frame({0, 0, 1}).col[0] - Vec3{1, 0, 0}), 0, 1e-15);
}

}  // namespace
}  // namespace uzawa::test
