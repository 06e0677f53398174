#include "uzawa/collision/distance/screw_thread.hpp"

#include <algorithm>
#include <cmath>

namespace uzawa {

namespace {

constexpr double kTan30 = 0.57735026918962576, kCos30 = 0.86602540378443865, kSin30 = 0.5;
constexpr double kTiny = 1e-14;  ///< m; below it a difference of coordinates has no direction

using Samples = SignedDistance::Samples;

Samples larger_of(const Samples& a, const Samples& b) {
  const LaneMask first = a.distance >= b.distance;
  return {first ? a.distance : b.distance, chosen(first, a.gradient, b.gradient)};
}
Samples smaller_of(const Samples& a, const Samples& b) {
  const LaneMask first = a.distance <= b.distance;
  return {first ? a.distance : b.distance, chosen(first, a.gradient, b.gradient)};
}

/// Two faces at right angles: exact beyond their edge too.
Samples at_right_angles(const Samples& a, const Samples& b) {
  const Lanes zero = broadcast(0);
  const Lanes da = larger(a.distance, zero), db = larger(b.distance, zero);
  const LaneMask beyond = smaller(da, db) > zero;
  const Samples beside = larger_of(a, b);
  if (!any(beyond)) return beside;
  const Lanes distance = square_root(da * da + db * db), inverse = 1 / larger(distance, broadcast(kTiny));
  const Vec3x4 gradient = a.gradient * (da * inverse) + b.gradient * (db * inverse);
  return {beyond ? distance : beside.distance, chosen(beyond, gradient, beside.gradient)};
}

/// Distance from the z axis and the unit vector away from it.
struct Radial {
  Lanes radius, inverse, cosine, sine;  ///< inverse of the radius
  explicit Radial(const Vec3x4& p) : radius(square_root(p.x * p.x + p.y * p.y)) {
    const Lanes tiny = broadcast(kTiny);
    inverse = 1 / larger(radius, tiny);
    cosine = radius > tiny ? p.x * inverse : broadcast(1);
    sine = p.y * inverse;
  }
};

}  // namespace

ThreadHelix::ThreadHelix(double major_diameter, double pitch)
    : pitch_(pitch),
      turns_per_metre_(1 / pitch),
      lead_(pitch / (2 * M_PI)),
      major_(major_diameter / 2),
      minor_(major_ - 5. / 16 * pitch / kTan30) {
  const double radius = (major_ + minor_) / 2;
  shrink_ = radius / length(radius, lead_);
  crest_end_ = shrink_ * pitch / 16;
  root_begin_ = shrink_ * 3 * pitch / 8;
  flank_length_ = length(root_begin_ - crest_end_, major_ - minor_);
  flank_axial_ = (root_begin_ - crest_end_) / flank_length_;
  flank_radial_ = (major_ - minor_) / flank_length_;
}

Samples ThreadHelix::evaluate4(const Vec3x4& points) const {
  const Lanes zero = broadcast(0);
  const Radial radial(points);
  const Lanes radius = radial.radius;
  // Height in the helix's normal section, from the middle of the nearest crest; the profile is even.
  const Lanes height = points.z - lead_ * angle_of(points.x, points.y);
  const Lanes local = shrink_ * (height - pitch_ * whole_part(height * turns_per_metre_ + 0.5));
  const Lanes u = absolute(local);

  // Along the flank, from the crest downwards, and across it; both flats go on behind the mirrors.
  const Lanes du = u - crest_end_, dr = radius - major_, above_root = radius - minor_;
  const Lanes along = du * flank_axial_ - dr * flank_radial_, across = du * flank_radial_ + dr * flank_axial_;
  const Lanes past = along - larger(zero, smaller(along, broadcast(flank_length_)));

  // From the nearest point of each stretch to the point, along u and along the radius, and of the three the shortest.
  Lanes away_u = across * flank_radial_ + past * flank_axial_, away_r = across * flank_axial_ - past * flank_radial_;
  Lanes normal_u = broadcast(flank_radial_), normal_r = broadcast(flank_axial_);
  Lanes square = across * across + past * past;
  const auto consider = [&](Lanes other_u, Lanes other_r) {
    const Lanes other = other_u * other_u + other_r * other_r;
    const LaneMask nearer = other < square;
    square = nearer ? other : square;
    away_u = nearer ? other_u : away_u;
    away_r = nearer ? other_r : away_r;
    normal_u = nearer ? zero : normal_u;
    normal_r = nearer ? broadcast(1) : normal_r;
  };
  consider(larger(zero, du), dr);
  consider(smaller(zero, u - root_begin_), above_root);

  // Outside is above the crest, or above the root and beyond the flank.
  const Lanes distance = with_sign(square_root(square), larger(dr, smaller(above_root, across)));
  // On the surface itself the way has no direction, and the profile's normal takes its place.
  const LaneMask off = square > broadcast(1e-24);
  const Lanes inverse = 1 / (off ? distance : broadcast(1));
  normal_u = off ? away_u * inverse : normal_u;
  normal_r = off ? away_r * inverse : normal_r;
  const Lanes axial = with_sign(broadcast(shrink_), local) * normal_u;
  const Lanes tangential = -lead_ * axial * smaller(radial.inverse, broadcast(1e6 / minor_));
  return {distance,
          {radial.cosine * normal_r - radial.sine * tangential, radial.sine * normal_r + radial.cosine * tangential,
           axial}};
}

ThreadSdf::ThreadSdf(const ThreadSpec& spec)
    : spec_(spec),
      helix_(spec.diameter + (spec.internal ? spec.clearance : -spec.clearance), spec.pitch),
      chamfer_(spec.chamfer >= 0 ? spec.chamfer : helix_.major_radius() - helix_.minor_radius()),
      bottom_(spec.internal ? -spec.length / 2 : -spec.head_height),  // through the head: no seam inside
      top_(spec.internal ? spec.length / 2 : spec.length) {}

double ThreadSdf::lower_bound(double value) const { return (1 - helix_.relative_error()) * value; }

Samples ThreadSdf::thread(const Vec3x4& points) const {
  const Samples samples = helix_.evaluate4(points);
  return spec_.internal ? Samples{-samples.distance, samples.gradient * -1.} : samples;
}

Samples ThreadSdf::ends(const Vec3x4& points) const {
  const Lanes above = points.z - top_, below = bottom_ - points.z, zero = broadcast(0);
  return {larger(above, below), {zero, zero, above > below ? broadcast(1) : broadcast(-1)}};
}

Lanes ThreadSdf::chamfer_distance(Lanes radius, Lanes height) const {
  // Bolt: the cone that leaves the major radius at `chamfer` below the tip. Nut: countersinks; at the ends the hole is
  // wider than the minor radius by `chamfer`.
  return M_SQRT1_2 * (spec_.internal ? absolute(height) - top_ + helix_.minor_radius() + chamfer_ - radius
                                     : height - top_ - helix_.major_radius() + chamfer_ + radius);
}

Samples ThreadSdf::chamfers(const Vec3x4& points) const {
  const Radial radial(points);
  const Lanes up = with_sign(broadcast(M_SQRT1_2), spec_.internal ? points.z : broadcast(1));
  const double outwards = spec_.internal ? -M_SQRT1_2 : M_SQRT1_2;
  return {chamfer_distance(radial.radius, points.z), {outwards * radial.cosine, outwards * radial.sine, up}};
}

Samples ThreadSdf::hexagon(const Vec3x4& points) const {
  // Flats face the x axis and every 60 degrees from it.
  Samples best;
  best.distance = broadcast(-1e9);
  for (int k = 0; k < 3; ++k) {
    const double x = k == 0 ? 1 : kSin30, y = k == 0 ? 0 : (k == 1 ? kCos30 : -kCos30);
    const Lanes along = x * points.x + y * points.y, sign = with_sign(broadcast(1), along);
    best = larger_of(best, {along * sign - spec_.width / 2, {x * sign, y * sign, broadcast(0)}});
  }
  return best;
}

Samples ThreadSdf::head(const Vec3x4& points) const {
  const Lanes above = points.z, below = -spec_.head_height - points.z, zero = broadcast(0);
  return at_right_angles(hexagon(points),
                         {larger(above, below), {zero, zero, above > below ? broadcast(1) : broadcast(-1)}});
}

Samples ThreadSdf::evaluate4(const Vec3x4& points) const {
  const Lanes radius = square_root(points.x * points.x + points.y * points.y);
  const Lanes end = larger(points.z - top_, bottom_ - points.z);
  Lanes others = larger(end, chamfer_distance(radius, points.z));
  Samples outer;
  if (spec_.internal) {
    outer = at_right_angles(hexagon(points), ends(points));
    others = larger(others, outer.distance);
  }
  // The thread costs most, and is never farther than its roots (bolt) or crests (nut). Along most of it, nothing else
  // matters.
  Samples cut;
  cut.distance = broadcast(-1e9);
  const Lanes most = spec_.internal ? helix_.major_radius() - radius : radius - helix_.minor_radius();
  if (any(most > others)) cut = thread(points);
  if (any(others > cut.distance)) {
    cut = larger_of(cut, larger_of(chamfers(points), spec_.internal ? outer : ends(points)));
  }
  if (has_head() && any(points.z <= cut.distance)) cut = smaller_of(cut, head(points));
  return cut;
}

Aabb ThreadSdf::bounds() const {
  const double hexagon_radius = spec_.width / 2 / kCos30;
  const double radius =
      spec_.internal ? hexagon_radius : std::max(helix_.major_radius(), has_head() ? hexagon_radius : 0);
  return {{-radius, -radius, bottom_}, {radius, radius, top_}};
}

}  // namespace uzawa
