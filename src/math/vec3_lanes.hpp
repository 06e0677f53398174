#pragma once

#include "uzawa/math/vec3.hpp"

#if defined(__AVX__)
#include <immintrin.h>
#endif

/// Several 3-vectors at a time, one a lane, for loops over many like elements (contacts): all lanes are used and no
/// shuffles between x, y and z are needed.
namespace uzawa {

/// Number of doubles in a register.
#if defined(__AVX512F__) && defined(__AVX512DQ__)
inline constexpr int kWide = 8;
#else
inline constexpr int kWide = 4;
#endif

template <int kLanes>
struct LanesType;
template <>
struct LanesType<4> {
  using type = Lanes;
};
template <>
struct LanesType<8> {
  using type = double __attribute__((vector_size(64)));
};
template <int kLanes>
using LanesOf = typename LanesType<kLanes>::type;
using WideLanes = LanesOf<kWide>;

inline Lanes broadcast(double s) { return Lanes{s, s, s, s}; }
inline WideLanes load_wide(const double* x) {
  WideLanes lanes;
  std::memcpy(&lanes, x, sizeof(lanes));
  return lanes;
}
inline void store_wide(const WideLanes& lanes, double* x) { std::memcpy(x, &lanes, sizeof(lanes)); }
inline WideLanes broadcast_wide(double s) { return WideLanes{} + s; }
template <typename T>
inline T larger(T a, T b) {
  return a > b ? a : b;
}
template <typename T>
inline T square_root(T a) {
#if defined(__AVX512F__)
  if constexpr (sizeof(T) == 64) return _mm512_maskz_sqrt_pd(0xff, a);  // the plain one warns in GCC 12 (bug 105593)
#endif
#if defined(__AVX__)
  if constexpr (sizeof(T) == 32) return _mm256_sqrt_pd(a);
#endif
  for (std::size_t i = 0; i < sizeof(T) / sizeof(double); ++i) a[i] = std::sqrt(a[i]);
  return a;
}

/// a / sqrt(b).
template <typename T>
inline T over_root(T a, T b) {
#if defined(__AVX512F__)
  // From fourteen bits to all of them in two Newton steps: a fifth of the time of a square root and a division.
  if constexpr (sizeof(T) == 64) {
    const T half = b * 0.5;
    T root = _mm512_maskz_rsqrt14_pd(0xff, b);
    for (int i = 0; i < 2; ++i) root += root * (0.5 - (half * root) * root);
    return a * root;
  }
#endif
  return a / square_root(b);
}

template <int kLanes>
struct Vec3Lanes {
  using T = LanesOf<kLanes>;
  T x{}, y{}, z{};

  Vec3 lane(int i) const { return {x[i], y[i], z[i]}; }
  /// Assignment, lane by lane in registers: GCC 12 copies a struct of several registers by half-registers through the
  /// stack, and a load that follows such a store has to wait for it.
  void set(const Vec3Lanes& b) { x = b.x, y = b.y, z = b.z; }
  void set_lane(int i, const Vec3& v) { x[i] = v.x(), y[i] = v.y(), z[i] = v.z(); }
  Vec3Lanes& operator+=(const Vec3Lanes& b) { return x += b.x, y += b.y, z += b.z, *this; }
  Vec3Lanes& operator-=(const Vec3Lanes& b) { return x -= b.x, y -= b.y, z -= b.z, *this; }

  friend Vec3Lanes operator+(const Vec3Lanes& a, const Vec3Lanes& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Vec3Lanes operator-(const Vec3Lanes& a, const Vec3Lanes& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Vec3Lanes operator*(const Vec3Lanes& a, T s) { return {a.x * s, a.y * s, a.z * s}; }
  friend Vec3Lanes operator*(const Vec3Lanes& a, double s) { return {a.x * s, a.y * s, a.z * s}; }
  /// Component by component.
  friend Vec3Lanes scaled(const Vec3Lanes& a, const Vec3Lanes& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
  friend T dot(const Vec3Lanes& a, const Vec3Lanes& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
  friend Vec3Lanes cross(const Vec3Lanes& a, const Vec3Lanes& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  }
};
using Vec3x4 = Vec3Lanes<4>;
using Vec3Wide = Vec3Lanes<kWide>;

inline Vec3x4 broadcast(const Vec3& v) { return {broadcast(v.x()), broadcast(v.y()), broadcast(v.z())}; }

/// Matrices by columns, one a lane, and their products with a vector a lane.
struct Mat3Wide {
  Vec3Wide col[3];
};
inline Vec3Wide operator*(const Mat3Wide& m, const Vec3Wide& v) {
  return m.col[0] * v.x + m.col[1] * v.y + m.col[2] * v.z;
}
inline Vec3Wide transpose_times(const Mat3Wide& m, const Vec3Wide& v) {
  return {dot(m.col[0], v), dot(m.col[1], v), dot(m.col[2], v)};
}

/// Sum of the squares of all entries.
inline WideLanes squares(const Mat3Wide& m) {
  return dot(m.col[0], m.col[0]) + dot(m.col[1], m.col[1]) + dot(m.col[2], m.col[2]);
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

/// The inverse: from one a lane to separate vectors.
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

inline LanesOf<8> join(const Lanes& low, const Lanes& high) {
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}
inline double sum(const LanesOf<8>& l) { return ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7])); }

/// One number a lane: that of lane i is from(i).
template <int kLanes = kWide, typename From>
inline LanesOf<kLanes> wide_of(From&& from) {
  const Lanes low{from(0), from(1), from(2), from(3)};
  if constexpr (kLanes == 4) {
    return low;
  } else {
    return join(low, Lanes{from(4), from(5), from(6), from(7)});
  }
}
/// The same with vectors.
template <int kLanes = kWide, typename From>
inline Vec3Lanes<kLanes> gather_wide(From&& from) {
  const Vec3x4 low = gather(from(0), from(1), from(2), from(3));
  if constexpr (kLanes == 4) {
    return low;
  } else {
    const Vec3x4 high = gather(from(4), from(5), from(6), from(7));
    return {join(low.x, high.x), join(low.y, high.y), join(low.z, high.z)};
  }
}

/// Tangents clipped to the friction limit, given the squares of their lengths.
template <typename T>
inline T share_within(T limit, T square) {
  const T zero{}, one = zero + 1.0;
  // Inside the disc this may be 0/0; its lane is not taken.
  const T scale = square <= limit * limit ? one : over_root(limit, square);
  // An empty disc leaves nothing of the tangent, also where the square of a tiny one is zero.
  return limit > zero ? scale : zero;
}

/// The strict operator ([AL] eq. 17) for isotropic cones with friction coefficients mu: project_strict of
/// friction_cone.hpp, lane by lane.
template <int kLanes>
inline Vec3Lanes<kLanes> project_strict(LanesOf<kLanes> mu, const Vec3Lanes<kLanes>& s) {
  const LanesOf<kLanes> normal = larger(s.z, LanesOf<kLanes>{});
  const LanesOf<kLanes> kept = share_within(mu * normal, s.x * s.x + s.y * s.y);
  return {s.x * kept, s.y * kept, normal};
}

/// The same for cones about these axes: tangents need no axes of their own.
template <int kLanes>
inline Vec3Lanes<kLanes> project_strict(LanesOf<kLanes> mu, const Vec3Lanes<kLanes>& axis, const Vec3Lanes<kLanes>& s) {
  const LanesOf<kLanes> along = dot(axis, s), normal = larger(along, LanesOf<kLanes>{});
  const Vec3Lanes<kLanes> tangent = s - axis * along;
  return tangent * share_within(mu * normal, dot(tangent, tangent)) + axis * normal;
}

}  // namespace uzawa
