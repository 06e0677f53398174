#pragma once

#include <vector>

#include "uzawa/math/vec3_lanes.hpp"
#include "uzawa/model/sdf_spec.hpp"

namespace uzawa {

/// A point or direction in the half plane of a profile: distance from the axis, height.
struct Vec2 {
  double r = 0, z = 0;
};
inline Vec2 operator+(Vec2 a, Vec2 b) { return {a.r + b.r, a.z + b.z}; }
inline Vec2 operator-(Vec2 a, Vec2 b) { return {a.r - b.r, a.z - b.z}; }
inline Vec2 operator*(double s, Vec2 a) { return {s * a.r, s * a.z}; }
inline double dot(Vec2 a, Vec2 b) { return a.r * b.r + a.z * b.z; }
inline double norm(Vec2 a) { return length(a.r, a.z); }
/// A quarter turn counter-clockwise.
inline Vec2 left_of(Vec2 a) { return {-a.z, a.r}; }

/// A straight line or an arc.
struct ProfileStretch {
  Vec2 start, end;
  Vec2 direction;       ///< line: unit, along it
  double length = 0;    ///< m, line
  double radius = 0;    ///< m, arc; 0: line
  Vec2 centre;          ///< arc
  Vec2 middle;          ///< arc: unit, from the centre to its middle
  double cos_half = 0;  ///< arc: cosine of half its angle
  double angle = 0;     ///< arc, positive: counter-clockwise

  bool is_arc() const { return radius > 0; }
  /// Unit tangents, in the sense from start to end.
  Vec2 tangent_at_start() const;
  Vec2 tangent_at_end() const;
};

/// The skeleton of a shell of revolution as a chain of lines and arcs.
class RevolvedProfile {
 public:
  explicit RevolvedProfile(const RevolvedSpec& spec);

  /// Of four points, one a lane.
  struct Feet {
    Lanes distance;  ///< m, to the chain
    Lanes r, z;      ///< unit, from the chain to the point
  };
  /// The nearest points of the chain, for points at distances r from the axis and heights z.
  Feet nearest(Lanes r, Lanes z) const;
  /// The distance to one stretch, its ends included.
  double distance_to(std::size_t stretch, Vec2 point) const;

  const std::vector<ProfileStretch>& stretches() const { return stretches_; }
  double half_thickness() const { return half_thickness_; }

 private:
  std::vector<ProfileStretch> stretches_;
  double half_thickness_;
};

}  // namespace uzawa
