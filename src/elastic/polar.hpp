#pragma once

#include "uzawa/math/vec3_lanes.hpp"

namespace uzawa {

/// The rotation R nearest to F, the one that maximises tr(R^T F): the rotational factor of the polar decomposition, and
/// a rotation, never a reflection, for inverted elements, too (one eigenvalue of R^T F is negative then).
///
/// The largest eigenvalue of Davenport's 4x4 matrix is the sum of the (signed) singular values, a root of a quartic
/// whose coefficients are invariants of F; with it R is a polynomial in F (Markley, "Attitude determination using
/// vector observations: a fast optimal matrix algorithm", 1993). No decomposition is needed, and lanes do the same
/// operations. Where two singular values cancel (elements that are collapsed to a line, or inverted and just as flat)
/// R is not unique; there, any of the nearest rotations is returned, by Jacobi rotations of the 4x4 matrix.
Mat3Wide nearest_rotation(const Mat3Wide& f);
Mat3 nearest_rotation(const Mat3& f);

}  // namespace uzawa
