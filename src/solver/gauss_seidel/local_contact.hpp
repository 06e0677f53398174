#pragma once

#include "uzawa/math/friction_cone.hpp"

namespace uzawa {

/// Signorini-Coulomb contact against its own 3x3 block alone: lambda and u = W lambda + q that satisfy the law, to
/// rounding. One of three states: open (q_n >= 0), stick (u = 0 within the cone), or slip, which is a scalar equation:
///
///     (S + alpha 1) x = -r,    |x| = lambda_n,    alpha >= 0
///
/// with x = lambda_t / mu by components (the cone's section becomes a disk), S the tangential block once u_n = 0 is
/// used to eliminate lambda_n, and alpha the sliding speed over x. Newton on lambda_n/|x| = 1, which is nearly linear
/// in alpha (as in trust regions), from the alpha of `guess` and its velocity `u`; kept within a bracket.
///
/// `w`: row-major, symmetric. False where W or the cone is degenerate (an immovable direction, no friction along one
/// tangent only): `lambda` is left alone then.
[[nodiscard]] bool solve_contact(const FrictionCone& cone, const double* w, const Vec3& q, const Vec3& u,
                                 const Vec3& guess, Vec3& lambda);

}  // namespace uzawa
