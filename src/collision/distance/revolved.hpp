#pragma once

#include "uzawa/collision/distance/revolved_profile.hpp"
#include "uzawa/collision/distance/surface.hpp"

namespace uzawa {

/// A shell of revolution about the z axis: the distance to the turned skeleton less half the thickness ([AL] Appendix
/// B, eq. 46). Exact outside; inside the wall it is exact where the skeleton's inner corners are rounded by at least
/// half the thickness, and otherwise a lower bound of the depth there.
class RevolvedSdf final : public SignedDistance {
 public:
  explicit RevolvedSdf(const RevolvedSpec& spec) : profile_(spec) {}

  Sample evaluate(const Vec3& point) const override { return evaluate4(broadcast(point)).lane(0); }
  Samples evaluate4(const Vec3x4& points) const override;
  Aabb bounds() const override;
  const RevolvedProfile& profile() const { return profile_; }

 private:
  RevolvedProfile profile_;
};

Surface surface_of(const RevolvedSdf& shape, const SurfaceResolution& resolution);

}  // namespace uzawa
