#pragma once

#include "uzawa/collision/distance/surface.hpp"

/// Exact signed distances of the primitives, in MuJoCo's conventions: centred, with the axis along z.
namespace uzawa {

/// The half space below z = 0.
class PlaneSdf final : public SignedDistance {
 public:
  Sample evaluate(const Vec3& point) const override { return {point.z(), {0, 0, 1}}; }
  Aabb bounds() const override;
};

/// A segment along z, padded by a radius; a sphere where its half length is 0.
class CapsuleSdf final : public SignedDistance {
 public:
  CapsuleSdf(double radius, double half_length) : radius_(radius), half_length_(half_length) {}
  Sample evaluate(const Vec3& point) const override;
  Aabb bounds() const override;

 private:
  double radius_, half_length_;
};

class CylinderSdf final : public SignedDistance {
 public:
  CylinderSdf(double radius, double half_length) : radius_(radius), half_length_(half_length) {}
  Sample evaluate(const Vec3& point) const override;
  Aabb bounds() const override;

 private:
  double radius_, half_length_;
};

class EllipsoidSdf final : public SignedDistance {
 public:
  explicit EllipsoidSdf(const Vec3& radii) : radii_(radii) {}
  Sample evaluate(const Vec3& point) const override;
  Aabb bounds() const override { return {-radii_, radii_}; }

 private:
  Vec3 radii_;
};

/// A box whose edges and corners are round.
class BoxSdf final : public SignedDistance {
 public:
  /// The rounding is part of the size.
  explicit BoxSdf(const Vec3& half_size, double rounding = 0)
      : core_(half_size - Vec3{rounding, rounding, rounding}), rounding_(rounding) {}
  Sample evaluate(const Vec3& point) const override;
  Aabb bounds() const override;
  const Vec3& core() const { return core_; }
  double rounding() const { return rounding_; }

 private:
  Vec3 core_;  ///< half sizes of the box without its rounding
  double rounding_;
};

Surface surface_of(const BoxSdf& shape, const SurfaceResolution& resolution);

}  // namespace uzawa
