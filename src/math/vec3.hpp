#pragma once

#include <cmath>
#include <cstring>

/// 3-vectors and 3x3 matrices on four SIMD lanes.
///
/// Articulated dynamics consists of 3-vectors, and at 0.1 us a link it is bound by instructions. A Vec3 occupies four
/// double lanes (one AVX register) whose last lane is always zero; a Mat3 is three columns, so that a matrix product
/// is nine fused multiply-adds. GCC/Clang vector extensions compile to the instruction set of the target.
namespace uzawa {

/// Four doubles in one register.
using Lanes = double __attribute__((vector_size(32)));

inline Lanes load_lanes(const double* x) {
  Lanes lanes;
  std::memcpy(&lanes, x, sizeof(lanes));
  return lanes;
}
inline void store_lanes(const Lanes& lanes, double* x) { std::memcpy(x, &lanes, sizeof(lanes)); }

struct Vec3 {
  Lanes lanes{0, 0, 0, 0};  ///< x, y, z, 0. The last lane stays zero under every operation below.

  Vec3() = default;
  Vec3(double x, double y, double z) : lanes{x, y, z, 0} {}
  explicit Vec3(Lanes l) : lanes(l) {}
  static Vec3 from(const double* xyz) { return {xyz[0], xyz[1], xyz[2]}; }
  static Vec3 unit(int axis) { return {axis == 0 ? 1. : 0., axis == 1 ? 1. : 0., axis == 2 ? 1. : 0.}; }

  double x() const { return lanes[0]; }
  double y() const { return lanes[1]; }
  double z() const { return lanes[2]; }
  double operator[](int i) const { return lanes[i]; }
  void set(int i, double value) { lanes[i] = value; }
  void store(double* xyz) const {
    for (int i = 0; i < 3; ++i) xyz[i] = lanes[i];
  }

  Vec3& operator+=(const Vec3& b) { return lanes += b.lanes, *this; }
  Vec3& operator-=(const Vec3& b) { return lanes -= b.lanes, *this; }
  Vec3& operator*=(double s) { return lanes *= s, *this; }
};

inline Vec3 operator+(const Vec3& a, const Vec3& b) { return Vec3(a.lanes + b.lanes); }
inline Vec3 operator-(const Vec3& a, const Vec3& b) { return Vec3(a.lanes - b.lanes); }
inline Vec3 operator-(const Vec3& a) { return Vec3(-a.lanes); }
inline Vec3 operator*(const Vec3& a, double s) { return Vec3(a.lanes * s); }
inline Vec3 operator*(double s, const Vec3& a) { return Vec3(a.lanes * s); }
/// Lane by lane.
inline Vec3 scaled(const Vec3& a, const Vec3& b) { return Vec3(a.lanes * b.lanes); }

/// Cyclic shifts: (y, z, x) and (z, x, y). Cross products and symmetric 3x3 products are made of them.
inline Vec3 yzx(const Vec3& a) { return Vec3(__builtin_shufflevector(a.lanes, a.lanes, 1, 2, 0, 3)); }
inline Vec3 zxy(const Vec3& a) { return Vec3(__builtin_shufflevector(a.lanes, a.lanes, 2, 0, 1, 3)); }

/// Sum of the four lanes (the fourth is zero).
inline double sum(const Lanes& l) { return (l[0] + l[2]) + (l[1] + l[3]); }
inline double dot(const Vec3& a, const Vec3& b) { return sum(a.lanes * b.lanes); }
inline Vec3 cross(const Vec3& a, const Vec3& b) {
  // One shuffle fewer than the textbook form: shift the difference instead of both products.
  return yzx(Vec3(a.lanes * yzx(b).lanes - yzx(a).lanes * b.lanes));
}
inline double norm(const Vec3& a) { return std::sqrt(dot(a, a)); }
/// |(x, y)|. Several times faster than std::hypot, which guards against squares beyond 1e308: no speed or impulse is.
inline double length(double x, double y) { return std::sqrt(x * x + y * y); }
inline bool all_finite(const Vec3& a) { return std::isfinite(a.x()) && std::isfinite(a.y()) && std::isfinite(a.z()); }

/// Column-major 3x3 matrix.
struct Mat3 {
  Vec3 col[3];

  static Mat3 identity() { return {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}; }
  double operator()(int row, int column) const { return col[column][row]; }

  Mat3& operator+=(const Mat3& b) {
    for (int i = 0; i < 3; ++i) col[i] += b.col[i];
    return *this;
  }
};

inline Vec3 operator*(const Mat3& m, const Vec3& v) {
  return Vec3(m.col[0].lanes * v.x() + m.col[1].lanes * v.y() + m.col[2].lanes * v.z());
}
inline Mat3 operator*(const Mat3& a, const Mat3& b) { return {{a * b.col[0], a * b.col[1], a * b.col[2]}}; }
inline Mat3 operator*(const Mat3& a, double s) { return {{a.col[0] * s, a.col[1] * s, a.col[2] * s}}; }
inline Mat3 operator+(Mat3 a, const Mat3& b) { return a += b; }
inline Mat3 transpose(const Mat3& m) {
  return {{{m(0, 0), m(0, 1), m(0, 2)}, {m(1, 0), m(1, 1), m(1, 2)}, {m(2, 0), m(2, 1), m(2, 2)}}};
}
/// m^T v without forming the transpose.
inline Vec3 transpose_times(const Mat3& m, const Vec3& v) {
  return {dot(m.col[0], v), dot(m.col[1], v), dot(m.col[2], v)};
}
/// The matrix of w -> a x w.
inline Mat3 cross_matrix(const Vec3& a) { return {{{0, a.z(), -a.y()}, {-a.z(), 0, a.x()}, {a.y(), -a.x(), 0}}}; }

}  // namespace uzawa
