#pragma once

#include <array>

#include "uzawa/math/vec3.hpp"

/// Constant-strain triangle in plane stress, corotational: with F the 3x2 deformation gradient and R the 3x2 matrix of
/// orthonormal columns nearest to it, the energy per volume is mu |F - R|^2 + lambda'/2 (tr(R^T F) - 2)^2,
/// lambda' = E nu/(1 - nu^2).
namespace uzawa {

struct MembraneTriangle {
  std::array<std::array<double, 2>, 3> gradient;  ///< 1/m, of the shape functions in axes of the rest triangle
  double volume = 0;                              ///< m^3, at rest
};

/// Throws nothing: a triangle without area gives numbers that are not finite.
MembraneTriangle membrane_triangle(const Vec3& a, const Vec3& b, const Vec3& c, double thickness);

struct MembraneModuli {
  double mu = 0, lambda = 0;  ///< Pa, of plane stress
};

struct MembraneState {
  std::array<Vec3, 2> axis;       ///< R
  Vec3 normal;                    ///< of the plane of R
  double xx = 0, xy = 0, yy = 0;  ///< strain R^T F - 1
};
MembraneState membrane_state(const MembraneTriangle& triangle, const std::array<Vec3, 3>& x);

double membrane_energy(const MembraneTriangle& triangle, const MembraneModuli& moduli, const MembraneState& state);
/// -dE/dx of the three nodes.
std::array<Vec3, 3> membrane_force(const MembraneTriangle& triangle, const MembraneModuli& moduli,
                                   const MembraneState& state);

/// Stiffness: that of linear elasticity in the turned plane, and what tension adds against moving out of the plane
/// (that of pressure is left out: it is negative). Positive semidefinite; blocks of pairs (a >= b) at a (a + 1)/2 + b.
std::array<Mat3, 6> membrane_stiffness(const MembraneTriangle& triangle, const MembraneModuli& moduli,
                                       const MembraneState& state);

}  // namespace uzawa
