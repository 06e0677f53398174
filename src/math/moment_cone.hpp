#pragma once

#include "uzawa/math/friction_cone.hpp"

/// Rolling and torsional friction: the moments that a contact of normal impulse n transmits beside Coulomb's friction.
///
///     (m1/roll1)^2 + (m2/roll2)^2 <= n^2,      |m3| <= spin n
///
/// along t1, t2, n of its frame, each opposing the relative angular velocity (maximal dissipation). Forces, rolling and
/// spin have bounds of their own, whose product grows with n: a contact that slides still resists rolling in full. Each
/// of them is Coulomb's law with other units, so that its strict operator (friction_cone.hpp) is all there is to it.
namespace uzawa {

/// Lengths, m: MuJoCo's friction[2] (rolling) and friction[1] (spin). 0: no such moment.
struct MomentCone {
  double roll1 = 0, roll2 = 0, spin = 0;
  FrictionCone roll() const { return {roll1, roll2}; }
  FrictionCone twist() const { return {spin, spin}; }
  bool is_none() const { return roll1 == 0 && roll2 == 0 && spin == 0; }
};

/// The strict operator: the moment nearest to s that a normal impulse max(0, n) allows.
Vec3 project_moment(const MomentCone& cone, const Vec3& s, double n);

/// The same with an element of its generalised derivative.
struct MomentResponse {
  Vec3 moment;
  Mat3 slope;      ///< over s
  Vec3 by_normal;  ///< over n
};
MomentResponse moment_response(const MomentCone& cone, const Vec3& s, double n);
/// The same with its corners rounded over a width tau of the normal impulse, and of tau times `lever` (m) of moments.
MomentResponse smoothed_moment(const MomentCone& cone, const Vec3& s, double n, double tau, double lever);

/// Largest power that the moments of unit normal force take from an angular velocity.
double turning_power(const MomentCone& cone, const Vec3& w);

}  // namespace uzawa
