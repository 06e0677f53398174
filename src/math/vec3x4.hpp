#pragma once

#include "uzawa/math/vec3.hpp"

#if defined(__AVX__)
#include <immintrin.h>
#endif

/// Four 3-vectors at a time, one a lane: where many like things wait (contacts), this wastes no lane and needs no
/// shuffles between x, y and z.
namespace uzawa {

inline Lanes broadcast(double s) { return Lanes{s, s, s, s}; }
inline Lanes larger(Lanes a, Lanes b) { return a > b ? a : b; }
inline Lanes square_root(Lanes a) {
#if defined(__AVX__)
  return _mm256_sqrt_pd(a);
#else
  return Lanes{std::sqrt(a[0]), std::sqrt(a[1]), std::sqrt(a[2]), std::sqrt(a[3])};
#endif
}

struct Vec3x4 {
  Lanes x{0, 0, 0, 0}, y{0, 0, 0, 0}, z{0, 0, 0, 0};

  Vec3 lane(int i) const { return {x[i], y[i], z[i]}; }
  /// Assignment, lane by lane in registers: GCC 12 copies a struct of several registers by half-registers through the
  /// stack, and a load that follows such a store has to wait for it.
  void set(const Vec3x4& b) { x = b.x, y = b.y, z = b.z; }
  void set_lane(int i, const Vec3& v) { x[i] = v.x(), y[i] = v.y(), z[i] = v.z(); }
  Vec3x4& operator+=(const Vec3x4& b) { return x += b.x, y += b.y, z += b.z, *this; }
  Vec3x4& operator-=(const Vec3x4& b) { return x -= b.x, y -= b.y, z -= b.z, *this; }
};

inline Vec3x4 operator+(const Vec3x4& a, const Vec3x4& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec3x4 operator-(const Vec3x4& a, const Vec3x4& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec3x4 operator*(const Vec3x4& a, Lanes s) { return {a.x * s, a.y * s, a.z * s}; }
inline Vec3x4 operator*(const Vec3x4& a, double s) { return {a.x * s, a.y * s, a.z * s}; }
/// Component by component.
inline Vec3x4 scaled(const Vec3x4& a, const Vec3x4& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
inline Lanes dot(const Vec3x4& a, const Vec3x4& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec3x4 cross(const Vec3x4& a, const Vec3x4& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

inline Vec3x4 broadcast(const Vec3& v) { return {broadcast(v.x()), broadcast(v.y()), broadcast(v.z())}; }

/// Four matrices by columns, and their products with a vector a lane.
struct Mat3x4 {
  Vec3x4 col[3];
};
inline Vec3x4 operator*(const Mat3x4& m, const Vec3x4& v) { return m.col[0] * v.x + m.col[1] * v.y + m.col[2] * v.z; }
inline Vec3x4 transpose_times(const Mat3x4& m, const Vec3x4& v) {
  return {dot(m.col[0], v), dot(m.col[1], v), dot(m.col[2], v)};
}

/// From four vectors to one a lane.
inline Vec3x4 gather(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Lanes xz_ab = __builtin_shufflevector(a.lanes, b.lanes, 0, 4, 2, 6);
  const Lanes xz_cd = __builtin_shufflevector(c.lanes, d.lanes, 0, 4, 2, 6);
  const Lanes y_ab = __builtin_shufflevector(a.lanes, b.lanes, 1, 5, 3, 7);
  const Lanes y_cd = __builtin_shufflevector(c.lanes, d.lanes, 1, 5, 3, 7);
  return {__builtin_shufflevector(xz_ab, xz_cd, 0, 1, 4, 5), __builtin_shufflevector(y_ab, y_cd, 0, 1, 4, 5),
          __builtin_shufflevector(xz_ab, xz_cd, 2, 3, 6, 7)};
}

/// The way back.
inline void scatter(const Vec3x4& v, Vec3& a, Vec3& b, Vec3& c, Vec3& d) {
  const Lanes zero{0, 0, 0, 0};
  const Lanes xy_even = __builtin_shufflevector(v.x, v.y, 0, 4, 2, 6);
  const Lanes xy_odd = __builtin_shufflevector(v.x, v.y, 1, 5, 3, 7);
  const Lanes z_even = __builtin_shufflevector(v.z, zero, 0, 4, 2, 6);
  const Lanes z_odd = __builtin_shufflevector(v.z, zero, 1, 5, 3, 7);
  a.lanes = __builtin_shufflevector(xy_even, z_even, 0, 1, 4, 5);
  b.lanes = __builtin_shufflevector(xy_odd, z_odd, 0, 1, 4, 5);
  c.lanes = __builtin_shufflevector(xy_even, z_even, 2, 3, 6, 7);
  d.lanes = __builtin_shufflevector(xy_odd, z_odd, 2, 3, 6, 7);
}

/// What the friction limit leaves of tangents, given the squares of their lengths.
inline Lanes share_within(Lanes limit, Lanes square) {
  const Lanes zero{0, 0, 0, 0}, one{1, 1, 1, 1};
  // Inside the disc the division may be 0/0; its lane is not taken.
  const Lanes scale = square <= limit * limit ? one : limit / square_root(square);
  // An empty disc leaves nothing of the tangent, also where the square of a tiny one is zero.
  return limit > zero ? scale : zero;
}

/// The strict operator ([AL] eq. 17) for four isotropic cones with friction coefficients mu: project_strict of
/// friction_cone.hpp, lane by lane.
inline Vec3x4 project_strict(Lanes mu, const Vec3x4& s) {
  const Lanes normal = larger(s.z, Lanes{0, 0, 0, 0});
  const Lanes kept = share_within(mu * normal, s.x * s.x + s.y * s.y);
  return {s.x * kept, s.y * kept, normal};
}

/// The same for cones about these axes: tangents need no axes of their own.
inline Vec3x4 project_strict(Lanes mu, const Vec3x4& axis, const Vec3x4& s) {
  const Lanes along = dot(axis, s), normal = larger(along, Lanes{0, 0, 0, 0});
  const Vec3x4 tangent = s - axis * along;
  return tangent * share_within(mu * normal, dot(tangent, tangent)) + axis * normal;
}

}  // namespace uzawa
