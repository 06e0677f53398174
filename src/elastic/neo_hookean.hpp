#pragma once

#include <array>

#include "uzawa/math/vec3.hpp"

/// Stable neo-Hookean solid (Smith, de Goes, Kim, "Stable neo-Hookean flesh simulation", ACM TOG 2018, eq. 14):
///   psi = mu/2 (I - 3) - mu/2 log((I + 1)/4) - 3/4 mu (J - 1) + lambda/2 (J - 1)^2,  I = |F|^2, J = det F,
/// eq. 14 but for a constant, so that the energy of the rest shape is zero. It is finite for every F, inverted ones
/// included. With mu = 4/3 mu_L and lambda = lambda_L + 5/6 mu_L it is Hooke's law with Lamé's parameters at rest.
namespace uzawa {

/// The derivatives of psi as a function of I and J at some F: dpsi/dF = stretch * F + pressure * cof F.
struct NeoHookeanSlopes {
  double stretch = 0;         ///< mu (1 - 1/(I + 1))
  double stretch_slope = 0;   ///< factor of (F : dF)^2 in the second derivative: 2 mu/(I + 1)^2
  double pressure = 0;        ///< dpsi/dJ
  double pressure_slope = 0;  ///< d^2 psi/dJ^2
};

/// psi'' in the directions of nine orthogonal 3x3 matrices, without negative curvature: psi'' ~ sum m m^T (the square
/// roots of the eigenvalues are in them). The eigenvectors are known from the singular values and vectors of F but for
/// three, which mix changes of the singular values (section 4 of the paper).
/// `rotation` is the nearest rotation of f.
std::array<Mat3, 9> neo_hookean_modes(const Mat3& f, const Mat3& rotation, const NeoHookeanSlopes& slopes);

}  // namespace uzawa
