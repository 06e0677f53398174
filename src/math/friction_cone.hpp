#pragma once

#include "uzawa/math/vec3.hpp"

/// Coulomb's friction cone and the two projections that the contact solvers are made of. A contact vector is a Vec3
/// with x = t1, y = t2 (tangents) and z = n (normal).
namespace uzawa {

/// {(t, n): (t1/mu1)^2 + (t2/mu2)^2 <= n^2, n >= 0}. mu1 = mu2: isotropic friction. mu = 0: frictionless.
struct FrictionCone {
  double mu1 = 0, mu2 = 0;
  bool isotropic() const { return mu1 == mu2; }
};

/// Euclidean projection onto the cone ([AL] eq. 18, the proximal operator): the gradient of a convex function.
Vec3 project_proximal(const FrictionCone& cone, const Vec3& s);
/// An element of its generalised derivative: symmetric, positive semidefinite ([AL] eq. 24; printed with the
/// off-diagonal blocks transposed).
Mat3 proximal_derivative(const FrictionCone& cone, const Vec3& s);

/// The strict operator ([AL] eq. 17): clamp the normal part to n >= 0, then project the tangential part onto the
/// ellipse that n allows. Its fixed points are Signorini-Coulomb contact exactly; it is no gradient.
Vec3 project_strict(const FrictionCone& cone, const Vec3& s);
/// An element of its generalised derivative; not symmetric where the contact slips.
Mat3 strict_derivative(const FrictionCone& cone, const Vec3& s);

/// The strict operator with its corners rounded, and its derivative: smooth in s for tau > 0 (units of s), the strict
/// operator itself in the limit tau -> 0. Isotropic cones only; an elliptic one keeps its corners.
struct SmoothedImpulse {
  Vec3 impulse;
  Mat3 slope;
};
SmoothedImpulse smoothed_strict(const FrictionCone& cone, const Vec3& s, double tau);

/// Largest power that friction of unit normal force takes from a sliding velocity: mu |z_t|, or
/// sqrt((mu1 z1)^2 + (mu2 z2)^2). The shift p of [AL] eq. 21.
double sliding_power(const FrictionCone& cone, const Vec3& z);

}  // namespace uzawa
