#pragma once

#include "uzawa/collision/distance/sdf_lanes.hpp"
#include "uzawa/collision/distance/surface.hpp"
#include "uzawa/model/sdf_spec.hpp"

namespace uzawa {

/// The basic profile of ISO 68-1, swept along a right-handed helix without end: the surface that bolt and nut share.
///
/// With H = sqrt(3)/2 P: crests of the bolt are flats of P/8 at the major diameter, roots flats of P/4 at the major
/// diameter less 2 * 5/8 H, flanks are inclined by 30 degrees.
class ThreadHelix {
 public:
  ThreadHelix(double major_diameter, double pitch);

  /// Distance to the surface, negative on the bolt's side. The surface itself is exact; the distance is that to the
  /// profile in the section normal to the helix at its mean radius, wrong by relative_error() at most.
  SignedDistance::Samples evaluate4(const Vec3x4& points) const;

  /// The lead angle varies between minor and major radius; 2e-4 for M48 x 5. (Outside of these radii the nearest point
  /// is on one of them.)
  double relative_error() const { return 1 - minor_ / (shrink_ * length(minor_, lead_)); }

  double major_radius() const { return major_; }
  double minor_radius() const { return minor_; }
  double pitch() const { return pitch_; }
  /// Rise per radian.
  double lead() const { return lead_; }

 private:
  double pitch_, turns_per_metre_, lead_, major_, minor_;
  double shrink_;                                     ///< cosine of the lead angle at the mean radius
  double crest_end_, root_begin_;                     ///< m in the normal section, from the middle of a crest
  double flank_length_, flank_axial_, flank_radial_;  ///< of the flank, down from the crest
};

/// A bolt or a nut: the space on one side of the helix, cut by planes, cones and a hexagon. The surface is exact and so
/// is the distance beside its faces; beyond an edge where the thread is cut it is a lower bound (the larger of the
/// faces' distances: no less than 70 % of the true one).
class ThreadSdf final : public SignedDistance {
 public:
  explicit ThreadSdf(const ThreadSpec& spec);

  Sample evaluate(const Vec3& point) const override { return evaluate4(broadcast(point)).lane(0); }
  Samples evaluate4(const Vec3x4& points) const override;
  Aabb bounds() const override;
  double lower_bound(double value) const override;

  const ThreadHelix& helix() const { return helix_; }
  const ThreadSpec& spec() const { return spec_; }
  /// The spec's, or the depth of the thread.
  double chamfer() const { return chamfer_; }
  bool has_head() const { return !spec_.internal && spec_.head_height > 0; }
  /// Ends of the threaded part, m along the axis; a bolt's goes through its head.
  double bottom() const { return bottom_; }
  double top() const { return top_; }

  /// The faces, one by one, as if each went on for ever: at most 0 on the shape's side.
  Samples thread(const Vec3x4& points) const;
  Samples ends(const Vec3x4& points) const;
  Samples chamfers(const Vec3x4& points) const;
  Samples hexagon(const Vec3x4& points) const;
  /// The bolt's head.
  Samples head(const Vec3x4& points) const;

 private:
  Lanes chamfer_distance(Lanes radius, Lanes height) const;

  ThreadSpec spec_;
  ThreadHelix helix_;
  double chamfer_, bottom_, top_;
};

Surface surface_of(const ThreadSdf& shape, const SurfaceResolution& resolution);

}  // namespace uzawa
