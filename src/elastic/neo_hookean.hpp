#pragma once

#include <array>

#include "uzawa/math/vec3_lanes.hpp"

/// Stable neo-Hookean solid (Smith, de Goes, Kim, "Stable neo-Hookean flesh simulation", ACM TOG 2018, eq. 14):
///   psi = mu/2 (I - 3) - mu/2 log((I + 1)/4) - 3/4 mu (J - 1) + lambda/2 (J - 1)^2,  I = |F|^2, J = det F,
/// eq. 14 but for a constant, so that the energy of the rest shape is zero. It is finite for every F, inverted ones
/// included. With mu = 4/3 mu_L and lambda = lambda_L + 5/6 mu_L it is Hooke's law with Lamé's parameters at rest.
namespace uzawa {

/// The derivatives of psi as a function of I and J at some F, one a lane: dpsi/dF = stretch * F + pressure * cof F.
struct NeoHookeanSlopes {
  WideLanes stretch;         ///< mu (1 - 1/(I + 1))
  WideLanes stretch_slope;   ///< factor of (F : dF)^2 in the second derivative: 2 mu/(I + 1)^2
  WideLanes pressure;        ///< dpsi/dJ
  WideLanes pressure_slope;  ///< d^2 psi/dJ^2
};

/// psi'' without negative curvature, in the axes left and right of F = left diag(sigma) right^T. There it couples the
/// three entries of the diagonal of dF with each other (`scaling`), and each entry off the diagonal with its mirror
/// image: with k the third axis beside i and j, it has same[k] dF_ij^2 and 2 mirrored[k] dF_ij dF_ji (section 4 of the
/// paper).
struct NeoHookeanCurvature {
  Mat3Wide left, right;
  std::array<std::array<WideLanes, 3>, 3> scaling;
  std::array<WideLanes, 3> same, mirrored;
};

/// `rotation` is the nearest rotation of f.
NeoHookeanCurvature neo_hookean_curvature(const Mat3Wide& f, const Mat3Wide& rotation, const NeoHookeanSlopes& slopes);

/// The block of two nodes whose shape functions have these gradients, in the axes `right`; by rows, in world axes.
std::array<Vec3Wide, 3> neo_hookean_block(const NeoHookeanCurvature& curvature, const Vec3Wide& a, const Vec3Wide& b);

}  // namespace uzawa
