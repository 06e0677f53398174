#pragma once

#include <cmath>

#include "uzawa/math/vec3_lanes.hpp"

/// Lane operations of the signed distances beyond vec3_lanes.hpp, four points at a time.
namespace uzawa {

/// The outcome of comparing lanes.
using LaneMask = decltype(Lanes{} < Lanes{});

inline bool any(LaneMask mask) {
#if defined(__AVX__)
  return _mm256_movemask_pd(reinterpret_cast<__m256d>(mask)) != 0;
#else
  return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
#endif
}
inline Lanes smaller(Lanes a, Lanes b) { return a < b ? a : b; }
inline Lanes absolute(Lanes a) { return larger(a, -a); }
/// The first with the sign of the second; `size` must not be negative.
inline Lanes with_sign(Lanes size, Lanes sign) { return sign < broadcast(0) ? -size : size; }
inline Lanes whole_part(Lanes a) {
#if defined(__AVX__)
  return _mm256_floor_pd(a);
#else
  return Lanes{std::floor(a[0]), std::floor(a[1]), std::floor(a[2]), std::floor(a[3])};
#endif
}
inline Vec3x4 chosen(LaneMask mask, const Vec3x4& a, const Vec3x4& b) {
  return {mask ? a.x : b.x, mask ? a.y : b.y, mask ? a.z : b.z};
}

/// atan2(y, x) to 2e-14 rad: a thread asks for it at every point.
inline Lanes angle_of(Lanes x, Lanes y) {
  const Lanes kTanEighth = broadcast(0.41421356237309505);  // of an eighth of pi
  const Lanes zero = broadcast(0), ax = absolute(x), ay = absolute(y);
  const Lanes large = larger(ax, ay), small = smaller(ax, ay);
  const LaneMask upper = small > kTanEighth * large;  // nearer to 45 degrees than to the axis
  const Lanes over = upper ? large + small : large;
  const Lanes t = (upper ? small - large : small) / larger(over, broadcast(1e-300));
  // atan(t) / t on |t| <= tan(pi/8) as a polynomial in t^2, interpolated at Chebyshev points.
  const Lanes s = t * t, s2 = s * s, s4 = s2 * s2;
  const Lanes low =
      (0.99999999999997323 - 0.33333333330803446 * s) + (0.19999999604891978 - 0.14285690423839287 * s) * s2;
  const Lanes high = (0.11110385046148014 - 0.090783920729434234 * s) +
                     (0.07563703551915192 - 0.058745056213078307 * s) * s2 + 0.030662440370424449 * s4;
  Lanes angle = t * (low + high * s4) + (upper ? broadcast(M_PI / 4) : zero);
  angle = ay > ax ? M_PI / 2 - angle : angle;
  angle = x < zero ? M_PI - angle : angle;
  return y < zero ? -angle : angle;
}

}  // namespace uzawa
