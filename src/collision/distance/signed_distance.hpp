#pragma once

#include <span>

#include "uzawa/collision/shapes/aabb.hpp"
#include "uzawa/math/vec3_lanes.hpp"

namespace uzawa {

/// A shape as a function: the distance of a point from its surface (negative inside), in the shape's own frame.
class SignedDistance {
 public:
  struct Sample {
    double distance = 0;  ///< m
    Vec3 gradient;        ///< of the distance; unit where the distance is exact, points out of the shape
  };
  /// Four samples, one a lane.
  struct Samples {
    Lanes distance{0, 0, 0, 0};
    Vec3x4 gradient;

    Sample lane(int i) const { return {distance[i], gradient.lane(i)}; }
  };

  SignedDistance() = default;
  SignedDistance(const SignedDistance&) = delete;
  SignedDistance& operator=(const SignedDistance&) = delete;
  virtual ~SignedDistance() = default;

  /// Never NaN for a finite point; where the gradient jumps, that of one side.
  virtual Sample evaluate(const Vec3& point) const = 0;
  /// The same for four points, where a shape has a faster way.
  virtual Samples evaluate4(const Vec3x4& points) const {
    Samples samples;
    for (int k = 0; k < 4; ++k) {
      const Sample sample = evaluate(points.lane(k));
      samples.distance[k] = sample.distance;
      samples.gradient.set_lane(k, sample.gradient);
    }
    return samples;
  }
  /// Contains the shape.
  virtual Aabb bounds() const = 0;
  /// Lower bound on the true distance of a point where evaluate() gave `value` > 0, for culling. An exact distance is
  /// its own bound.
  virtual double lower_bound(double value) const { return value; }
};

/// Evaluates any number of points.
inline void evaluate_all(const SignedDistance& shape, std::span<const Vec3> points,
                         std::span<SignedDistance::Sample> samples) {
  const std::size_t count = points.size();
  for (std::size_t i = 0; i < count; i += 4) {
    const auto point = [&](std::size_t k) { return points[i + k < count ? i + k : i]; };
    const SignedDistance::Samples four = shape.evaluate4(gather(point(0), point(1), point(2), point(3)));
    Vec3 gradient[4];
    scatter(four.gradient, gradient[0], gradient[1], gradient[2], gradient[3]);
    for (std::size_t k = 0; k < 4 && i + k < count; ++k) {
      samples[i + k] = {four.distance[static_cast<int>(k)], gradient[k]};
    }
  }
}

}  // namespace uzawa
