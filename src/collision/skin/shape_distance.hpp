#pragma once

#include "uzawa/collision/distance/signed_distance.hpp"
#include "uzawa/collision/shapes/shape.hpp"

namespace uzawa {

/// Signed distance of a point from the shape of any rigid geom, in the geom's frame. From height fields, it is exact up
/// to `reach` only.
class ShapeDistance final : public SignedDistance {
 public:
  ShapeDistance(const Shape& shape, double reach) : shape_(shape), reach_(reach) {}

  Sample evaluate(const Vec3& point) const override;
  Aabb bounds() const override { return shape_.bounds; }

  /// Below the surface, the way out against a direction rather than the shortest: through the nearest face that the
  /// direction enters by (at 17 degrees or steeper), where there is one. So a point of a soft surface, whose outward
  /// normal is the direction, goes back out of a plate where it came in, however deep it is.
  Sample way_out(const Vec3& point, const Vec3& direction) const;

 private:
  Sample from_hull(const Vec3& point) const;
  const Shape& shape_;
  double reach_;  ///< m
};

}  // namespace uzawa
