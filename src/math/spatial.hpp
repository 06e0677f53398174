#pragma once

#include "uzawa/math/vec3.hpp"

/// Spatial algebra (Featherstone), angular part first, in world axes.
///
/// All quantities of one kinematic tree are taken about one point o that travels with the tree (its root link's
/// centre of mass), not about the world origin: no transformation from link to link is needed, and precision does not
/// fall off with the distance from the origin. At each instant o is treated as a fixed inertial point.
namespace uzawa {

/// Velocity or acceleration of a rigid body: angular velocity, and the velocity of its point at o. One line of cache.
struct alignas(64) Motion {
  Vec3 angular;  ///< rad/s
  Vec3 linear;   ///< m/s, of the body-fixed point that is at o now

  Motion& operator+=(const Motion& b) { return angular += b.angular, linear += b.linear, *this; }
};

/// Wrench or momentum: moment about o, and force.
struct alignas(64) Force {
  Vec3 moment;  ///< N m about o
  Vec3 force;   ///< N

  Force& operator+=(const Force& b) { return moment += b.moment, force += b.force, *this; }
};

inline Motion operator+(Motion a, const Motion& b) { return a += b; }
inline Motion operator*(const Motion& a, double s) { return {a.angular * s, a.linear * s}; }
inline Force operator+(Force a, const Force& b) { return a += b; }
inline Force operator*(const Force& a, double s) { return {a.moment * s, a.force * s}; }

/// Power of a wrench on a motion.
inline double dot(const Motion& m, const Force& f) {
  return sum(m.angular.lanes * f.moment.lanes + m.linear.lanes * f.force.lanes);
}
/// v x m: the rate of a motion vector that is fixed in a body moving with v.
inline Motion cross(const Motion& v, const Motion& m) {
  return {cross(v.angular, m.angular), cross(v.angular, m.linear) + cross(v.linear, m.angular)};
}
/// v x* f: the rate of a force vector that is fixed in a body moving with v.
inline Force cross_force(const Motion& v, const Force& f) {
  return {cross(v.angular, f.moment) + cross(v.linear, f.force), cross(v.angular, f.force)};
}
/// Velocity of the body's point at `r` from o.
inline Vec3 velocity_at(const Motion& v, const Vec3& r) { return v.linear + cross(v.angular, r); }
/// A force at `r` from o.
inline Force force_at(const Vec3& force, const Vec3& r) { return {cross(r, force), force}; }

/// Symmetric 3x3 matrix: six numbers.
struct Sym3 {
  Vec3 diagonal;  ///< xx, yy, zz
  Vec3 off;       ///< yz, zx, xy

  Sym3& operator+=(const Sym3& b) { return diagonal += b.diagonal, off += b.off, *this; }
};

inline Vec3 operator*(const Sym3& s, const Vec3& w) {
  return Vec3(s.diagonal.lanes * w.lanes + zxy(s.off).lanes * yzx(w).lanes + yzx(s.off).lanes * zxy(w).lanes);
}
/// a a^T.
inline Sym3 outer(const Vec3& a) { return {scaled(a, a), scaled(yzx(a), zxy(a))}; }
inline Sym3 operator*(const Sym3& s, double factor) { return {s.diagonal * factor, s.off * factor}; }
inline Mat3 to_matrix(const Sym3& s) {
  return {{{s.diagonal.x(), s.off.z(), s.off.y()},
           {s.off.z(), s.diagonal.y(), s.off.x()},
           {s.off.y(), s.off.x(), s.diagonal.z()}}};
}

/// Rigid-body inertia about o: ten numbers, closed under addition. A point mass has the same form, which is why
/// A + beta sum J^T J keeps the sparsity of A ([AL] Appendix A).
struct SpatialInertia {
  double mass = 0;  ///< kg
  Vec3 first;       ///< mass * (centre of mass - o), kg m
  Sym3 rotational;  ///< moment of inertia about o, kg m^2

  /// mass * (|r|^2 1 - r r^T): moment of inertia of a point mass at r from o.
  static Sym3 point_moment(double mass, const Vec3& r) {
    const double square = dot(r, r);
    const Sym3 rr = outer(r);
    return {(Vec3(square, square, square) - rr.diagonal) * mass, rr.off * -mass};
  }

  SpatialInertia& operator+=(const SpatialInertia& b) {
    mass += b.mass;
    first += b.first;
    rotational += b.rotational;
    return *this;
  }
  /// Adds a point mass at `r` from o.
  void add_point_mass(double m, const Vec3& r) {
    mass += m;
    first += r * m;
    rotational += point_moment(m, r);
  }
};

/// Momentum of a body that moves with `v`.
inline Force operator*(const SpatialInertia& inertia, const Motion& v) {
  return {inertia.rotational * v.angular + cross(inertia.first, v.linear),
          v.linear * inertia.mass - cross(inertia.first, v.angular)};
}

}  // namespace uzawa
