#pragma once

#include "uzawa/math/vec3.hpp"

/// Unit quaternions in MuJoCo's order (w, x, y, z), and the exponential map.
namespace uzawa {

struct Quat {
  double w = 1;
  Vec3 v;  ///< x, y, z

  static Quat from(const double* wxyz) { return {wxyz[0], Vec3::from(wxyz + 1)}; }
  void store(double* wxyz) const {
    wxyz[0] = w;
    v.store(wxyz + 1);
  }
};

inline Quat operator*(const Quat& a, const Quat& b) {
  return {a.w * b.w - dot(a.v, b.v), a.w * b.v + b.w * a.v + cross(a.v, b.v)};
}
inline Quat conjugate(const Quat& q) { return {q.w, -q.v}; }

/// q / |q|; the identity where |q| is too small to have a direction, as MuJoCo does.
inline Quat normalized(const Quat& q) {
  const double length = std::sqrt(q.w * q.w + dot(q.v, q.v));
  if (length < 1e-15) return {};
  return {q.w / length, q.v * (1 / length)};
}

inline Vec3 rotate(const Quat& q, const Vec3& a) {
  const Vec3 t = 2.0 * cross(q.v, a);
  return a + q.w * t + cross(q.v, t);
}

inline Mat3 to_matrix(const Quat& q) {
  const double w = q.w, x = q.v.x(), y = q.v.y(), z = q.v.z();
  return {{{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
           {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
           {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}}};
}

/// The unit quaternion of a rotation matrix, w >= 0 where it can be (Shepperd's choice of the largest pivot).
Quat to_quaternion(const Mat3& r);

/// exp: rotation by |rotvec| about rotvec (radians).
inline Quat exp_rotation(const Vec3& rotvec) {
  const double angle = norm(rotvec);
  // sin(a/2)/a by its series where the quotient would lose digits.
  const double scale = angle < 1e-4 ? 0.5 - angle * angle / 48 : std::sin(angle / 2) / angle;
  return {std::cos(angle / 2), rotvec * scale};
}

/// log: the rotation vector of q, with angle in (-pi, pi].
inline Vec3 log_rotation(const Quat& q) {
  const double sin_half = norm(q.v);
  if (sin_half < 1e-15) return {};
  double angle = 2 * std::atan2(sin_half, q.w);
  if (angle > M_PI) angle -= 2 * M_PI;
  return q.v * (angle / sin_half);
}

/// Rotation vector that takes `from` to `to`. It reads the same in both frames: a rotation leaves its axis in place.
inline Vec3 rotation_between(const Quat& from, const Quat& to) { return log_rotation(conjugate(from) * to); }

/// How a rotation vector changes with an angular velocity w in the turned frame: d rotvec / dt = rate * w (the inverse
/// of the right Jacobian of the exponential map). rate^T leaves rotvec as it is.
inline Mat3 rotation_vector_rate(const Vec3& rotvec) {
  const double square = dot(rotvec, rotvec), half = 0.5 * std::sqrt(square);
  // The series where the difference of two numbers near 1 would lose digits.
  const double factor = square < 1e-4 ? 1.0 / 12 + square / 720 : (1 - half * std::cos(half) / std::sin(half)) / square;
  const Mat3 cross = cross_matrix(rotvec);
  return Mat3::identity() + cross * 0.5 + cross * cross * factor;
}

}  // namespace uzawa
