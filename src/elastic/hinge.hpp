#pragma once

#include <array>

#include "uzawa/math/vec3.hpp"

namespace uzawa {

/// Angle between two triangles that share the edge from x[0] to x[1]; x[2] is the third corner of one, x[3] of the
/// other.
struct HingeAngle {
  double angle = 0;  ///< rad, in (-pi, pi]; 0: flat; positive where the corners are moved against the normal
  std::array<Vec3, 4> gradient;  ///< rad/m, of the four nodes; zero for corners that lie on the edge
};
double hinge_angle(const std::array<Vec3, 4>& x);
/// Angle and gradient (Bridson, Marino, Fedkiw, "Simulation of clothing with folds and wrinkles", SCA 2003).
HingeAngle hinge_angle_and_gradient(const std::array<Vec3, 4>& x);

}  // namespace uzawa
