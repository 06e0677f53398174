#include <gtest/gtest.h>

#include "sdf_samples.hpp"
#include "uzawa/collision/distance/mesh_sdf.hpp"
#include "uzawa/collision/distance/revolved.hpp"
#include "uzawa/collision/distance/sdf_primitives.hpp"

/// Signed distances against finite differences, against brute force on their own fine meshes, and at places where
/// formulas divide by nothing.
namespace uzawa::test {
namespace {

/// Chord error of the meshes that stand for the true surface here, m.
constexpr double kFine = 1e-5;

class AnalyticShape : public testing::TestWithParam<std::size_t> {
 protected:
  NamedShape shape = analytic_shapes()[GetParam()];
};

INSTANTIATE_TEST_SUITE_P(All, AnalyticShape, testing::Range<std::size_t>(0, analytic_shapes().size()));

Aabb around(const SignedDistance& shape) { return shape.bounds().grown(0.01); }

TEST_P(AnalyticShape, GradientIsThatOfTheValue) {
  Random random(1);
  int kinks = 0;
  constexpr int kPoints = 20'000;
  constexpr double kStep = 1e-7;
  for (int i = 0; i < kPoints; ++i) {
    const Vec3 point = random.in(around(*shape.shape));
    const SignedDistance::Sample sample = shape.shape->evaluate(point);
    // Differences across a kink mean nothing; kinks are surfaces, so that few points are that near to one.
    if (norm(numerical_gradient(*shape.shape, point, kStep) - sample.gradient) > 1e-5) ++kinks;
    // Near the surface; a thread's angle turns fast about its axis.
    if (std::abs(sample.distance) < 1e-3) {
      EXPECT_NEAR(norm(sample.gradient), 1, 0.02) << shape.name;
    }
  }
  EXPECT_LT(kinks, kPoints / 2000) << shape.name;
}

TEST_P(AnalyticShape, SurfaceLiesOnTheShape) {
  const SurfaceResolution resolution;
  const Surface surface = shape.surface(resolution);
  Random random(2);
  double vertices = 0, faces = 0;
  for (const Vec3& vertex : surface.vertices) {
    vertices = std::max(vertices, std::abs(shape.shape->evaluate(vertex).distance));
  }
  for (int i = 0; i < 100'000; ++i) {
    const SurfacePoint point = random_point(surface, random);
    const SignedDistance::Sample sample = shape.shape->evaluate(point.position);
    faces = std::max(faces, std::abs(sample.distance));
  }
  // Where two faces meet, a cut is as wrong as the patch that it cuts: twice the chord error with the cut's own.
  EXPECT_LT(vertices, resolution.chord_error) << shape.name;
  EXPECT_LT(faces, 2 * resolution.chord_error) << shape.name;
}

/// Points near the surface, offset along its normals: the distance is that to the nearest triangle of a fine mesh.
TEST_P(AnalyticShape, ValueIsTheDistanceToAFineMesh) {
  const Surface fine = shape.surface({.chord_error = kFine, .longest_edge = 0.005});
  const MeshSdf mesh(fine);
  Random random(3);
  int beyond_edges = 0, across_edges = 0;
  constexpr int kPoints = 10'000;
  for (int i = 0; i < kPoints; ++i) {
    const SurfacePoint from = random_point(fine, random);
    const Vec3 point = from.position + random.uniform(0, 2e-4) * from.normal;  // not across a thread's root
    const double expected = std::abs(mesh.evaluate(point).distance), actual = shape.shape->evaluate(point).distance;
    if (actual < -2 * kFine) {  // across a concave edge, into another face
      ++across_edges;
      continue;
    }
    // Never too large: by the mesh's own error, and a thread's relative error.
    EXPECT_LT(actual, expected * 1.01 + 2 * kFine) << shape.name;
    // Too small beyond edges of cut threads only, and by no more than sqrt(2) there.
    EXPECT_GT(actual, expected / std::sqrt(2.) - 4 * kFine) << shape.name;
    if (actual < expected * 0.99 - 2 * kFine) ++beyond_edges;
  }
  EXPECT_LT(beyond_edges, kPoints / 50) << shape.name;
  EXPECT_LT(across_edges, kPoints / 50) << shape.name;
}

/// The other direction: no part of the true surface is missing from the mesh.
TEST_P(AnalyticShape, SurfaceIsComplete) {
  const Surface surface = shape.surface({});
  const MeshSdf mesh(surface);
  Random random(4);
  for (int i = 0, found = 0; i < 200'000 && found < 5000; ++i) {
    Vec3 point = random.in(around(*shape.shape));
    for (int k = 0; k < 30; ++k) {  // down the gradient to the surface
      const SignedDistance::Sample sample = shape.shape->evaluate(point);
      point -= sample.distance * sample.gradient;
    }
    if (std::abs(shape.shape->evaluate(point).distance) > 1e-9) continue;  // between two faces for ever
    ++found;
    ASSERT_LT(std::abs(mesh.evaluate(point).distance), 2 * SurfaceResolution{}.chord_error)
        << shape.name << " at " << point.x() << ' ' << point.y() << ' ' << point.z();
  }
}

TEST_P(AnalyticShape, ChangesByNoMoreThanTheWay) {
  Random random(5);
  for (int i = 0; i < 20'000; ++i) {
    const Vec3 a = random.in(around(*shape.shape)), b = a + random.uniform(0, 0.01) * random.direction();
    const double da = shape.shape->evaluate(a).distance, db = shape.shape->evaluate(b).distance;
    // What culling relies on; the steepest thread is wrong by one in a hundred, and around its axis by its lead.
    if (db > 0 && da > 0) {
      EXPECT_LT(shape.shape->lower_bound(da), db + 1.02 * norm(a - b) + 2e-5) << shape.name;
    }
  }
}

TEST_P(AnalyticShape, IsFiniteEverywhere) {
  const Aabb box = shape.shape->bounds();
  std::vector<Vec3> points{{}, box.low, box.high, {0, 0, box.low.z()}, {0, 0, box.high.z()}, {0, 0, 1e6}, {1e6, 0, 0}};
  for (const Vec3& vertex : shape.surface({.chord_error = 1e-3}).vertices) points.push_back(vertex);
  for (const Vec3& point : points) {
    const SignedDistance::Sample sample = shape.shape->evaluate(point);
    EXPECT_TRUE(std::isfinite(sample.distance) && all_finite(sample.gradient)) << shape.name;
    EXPECT_GT(norm(sample.gradient), 0.5) << shape.name;
  }
}

TEST_P(AnalyticShape, BoundsHoldIt) {
  const Aabb box = shape.shape->bounds().grown(1e-9), seen = bounds_of(shape.surface({}));
  EXPECT_TRUE(contains(box, seen)) << shape.name;
  // And are tight, but for a union's turned member and the hexagon's corners.
  EXPECT_LT(norm(box.high - box.low), 1.3 * norm(seen.high - seen.low)) << shape.name;
}

/// [AL] eq. 46, written down again: the distance to two segments less the padding.
TEST(Revolved, DishIsThePapersFormula) {
  RevolvedSpec spec = dish(0.1, 0.03, 0.05, 0.004);
  spec.rounding = 0;
  const RevolvedSdf shape(spec);
  const auto to_segment = [](Vec3 p, Vec3 a, Vec3 b) {
    const double t = std::clamp(dot(p - a, b - a) / dot(b - a, b - a), 0., 1.);
    return norm(p - a - t * (b - a));
  };
  Random random(6);
  for (int i = 0; i < 10'000; ++i) {
    const Vec3 point = random.in({{-0.15, -0.15, -0.05}, {0.15, 0.15, 0.1}});
    const Vec3 q{std::hypot(point.x(), point.y()), 0, point.z()};
    const double expected =
        std::min(to_segment(q, {}, {0.05, 0, 0}), to_segment(q, {0.05, 0, 0}, {0.1, 0, 0.03})) - 0.002;
    EXPECT_NEAR(shape.evaluate(point).distance, expected, 1e-14);
  }
}

/// Inside the wall the value is the depth where the inner corners are round enough.
TEST(Revolved, DepthIsExactWithRoundCorners) {
  const RevolvedSdf shape(pot(0.1, 0.1, 0.004));
  const MeshSdf mesh(surface_of(shape, {.chord_error = kFine, .longest_edge = 0.005}));
  Random random(7);
  for (int i = 0; i < 20'000; ++i) {
    const Vec3 point = random.in(shape.bounds());
    const double value = shape.evaluate(point).distance;
    if (value < 0) {
      EXPECT_NEAR(value, mesh.evaluate(point).distance, 2 * kFine);
    }
  }
}

TEST(Primitives, EllipsoidIsTheDistanceToItsPoints) {
  const Vec3 radii{0.05, 0.02, 0.03};
  const EllipsoidSdf shape(radii);
  Surface surface = sphere_mesh(1, 60);
  for (Vec3& vertex : surface.vertices) vertex = scaled(vertex, radii);
  const MeshSdf mesh(surface);
  Random random(8);
  for (int i = 0; i < 5000; ++i) {
    const Vec3 point = random.in(around(shape));
    EXPECT_NEAR(shape.evaluate(point).distance, mesh.evaluate(point).distance, 2e-5);
  }
  for (const Vec3& point : {Vec3{}, Vec3{0.01, 0, 0}, Vec3{0, 0, 0.029}, Vec3{0.04, 0, 0}}) {
    EXPECT_NEAR(shape.evaluate(point).distance, mesh.evaluate(point).distance, 2e-5);
    EXPECT_NEAR(norm(shape.evaluate(point).gradient), 1, 1e-12);
  }
}

TEST(Primitives, CylinderAndCapsuleAreClosedForms) {
  const CylinderSdf cylinder(0.02, 0.05);
  EXPECT_NEAR(cylinder.evaluate({0.023, 0, 0.054}).distance, 0.005, 1e-15);
  EXPECT_NEAR(cylinder.evaluate({0, 0, 0}).distance, -0.02, 1e-15);
  EXPECT_NEAR(cylinder.evaluate({0, 0.01, 0.049}).distance, -0.001, 1e-15);
  const CapsuleSdf capsule(0.02, 0.05);
  EXPECT_NEAR(capsule.evaluate({0.03, 0.04, 0.01}).distance, 0.03, 1e-15);
  EXPECT_NEAR(capsule.evaluate({0, 0, 0.1}).distance, 0.03, 1e-15);
}

}  // namespace
}  // namespace uzawa::test
