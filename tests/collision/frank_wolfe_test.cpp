#include <gtest/gtest.h>

#include "sdf_samples.hpp"
#include "uzawa/collision/distance/revolved.hpp"
#include "uzawa/collision/distance/screw_thread.hpp"
#include "uzawa/collision/distance/sdf_primitives.hpp"

/// Minima over segments and triangles against dense sampling.
namespace uzawa::test {
namespace {

SampledPoint sampled(const SignedDistance& shape, const Vec3& point) { return {point, shape.evaluate(point)}; }

/// Corners of a random small triangle near the surface of a shape.
std::array<SampledPoint, 3> random_triangle(const SignedDistance& shape, double size, Random& random) {
  for (;;) {
    const Vec3 centre = random.in(shape.bounds().grown(size));
    if (std::abs(shape.evaluate(centre).distance) > size) continue;
    std::array<SampledPoint, 3> corner;
    for (SampledPoint& point : corner) point = sampled(shape, centre + random.uniform(0, size) * random.direction());
    return corner;
  }
}

double dense_minimum(const SignedDistance& shape, const SampledTriangle& corner, int steps) {
  double least = 1e9;
  for (int i = 0; i <= steps; ++i) {
    for (int j = 0; i + j <= steps; ++j) {
      const Vec3 weight = Vec3{static_cast<double>(i), static_cast<double>(j), static_cast<double>(steps - i - j)};
      least = std::min(least, shape.evaluate(weighted(corner, weight * (1. / steps))).distance);
    }
  }
  return least;
}

/// A convex and smooth distance (outside) has one minimum, and every walk ends there.
TEST(FrankWolfe, FindsTheMinimumOverATriangle) {
  const CapsuleSdf capsule(0.02, 0.03);
  const BoxSdf box({0.02, 0.03, 0.01}, 0.002);
  Random random(1);
  int stuck = 0;
  for (const SignedDistance* shape :
       {static_cast<const SignedDistance*>(&capsule), static_cast<const SignedDistance*>(&box)}) {
    for (int i = 0; i < 2000; ++i) {
      const auto points = random_triangle(*shape, 0.02, random);
      const SampledTriangle corner{points.data(), &points[1], &points[2]};
      const int start = random.integer(3);
      const TriangleMinimum found = minimum_on_triangle(
          *shape, corner, {Vec3::unit(start), points[static_cast<std::size_t>(start)].sample}, {.tolerance = 1e-6});
      const double dense = dense_minimum(*shape, corner, 60);
      if (dense > 1e-3 && found.sample.distance > dense + 1e-5) ++stuck;
      EXPECT_NEAR(sum(found.weight.lanes), 1, 1e-12);
      for (int k = 0; k < 3; ++k) EXPECT_GE(found.weight[k], 0);
      EXPECT_NEAR(found.sample.distance, shape->evaluate(weighted(corner, found.weight)).distance, 1e-12);
    }
  }
  // Out of 4000; needles, in which every step zigzags. The search for contacts starts lower, from the edges' minima.
  EXPECT_LE(stuck, 10);
}

TEST(FrankWolfe, FindsTheMinimumOfASegmentInFewEvaluations) {
  /// Counts what it is asked.
  class Counted final : public SignedDistance {
   public:
    explicit Counted(const SignedDistance& shape) : shape_(shape) {}
    Sample evaluate(const Vec3& point) const override { return ++count, shape_.evaluate(point); }
    Aabb bounds() const override { return shape_.bounds(); }
    mutable int count = 0;

   private:
    const SignedDistance& shape_;
  };
  const CapsuleSdf capsule(0.02, 0.03);
  const Counted counted(capsule);
  Random random(2);
  constexpr int kSegments = 5000;
  for (int i = 0; i < kSegments; ++i) {
    const auto points = random_triangle(capsule, 0.01, random);
    const SegmentMinimum found = minimum_on_segment(counted, points[0], points[1], {});
    double dense = 1e9;
    for (int k = 0; k <= 1000; ++k) {
      const Vec3 point = points[0].position + (points[1].position - points[0].position) * (k / 1000.);
      dense = std::min(dense, capsule.evaluate(point).distance);
    }
    EXPECT_LT(found.sample.distance, dense + 1e-6);
    EXPECT_GE(found.share, 0);
    EXPECT_LE(found.share, 1);
  }
  EXPECT_LT(counted.count, 3 * kSegments);
}

TEST(FrankWolfe, EndsOnTrianglesWithoutAreaOrLength) {
  const CapsuleSdf sphere(0.02, 0);
  const SampledPoint a = sampled(sphere, {0.03, 0, 0}), b = sampled(sphere, {0, 0.03, 0});
  for (const SampledTriangle& corner : {SampledTriangle{&a, &a, &a}, SampledTriangle{&a, &a, &b}}) {
    const TriangleMinimum found = minimum_on_triangle(sphere, corner, {Vec3::unit(0), a.sample}, {});
    EXPECT_TRUE(std::isfinite(found.sample.distance) && all_finite(found.weight));
    EXPECT_LE(found.sample.distance, 0.01 + 1e-12);
  }
}

}  // namespace
}  // namespace uzawa::test
