#pragma once

#include <span>

#include "uzawa/dynamics/data.hpp"

namespace uzawa {

/// data.mass = M(q) by composite rigid bodies (CRBA); needs forward_kinematics.
void mass_matrix(DynamicsData& data);

/// Per body, 1/kg: mean response of its centre of mass to a force there, at the reference configuration; MuJoCo's
/// translational body_invweight0.
std::vector<double> body_mobilities(const Model& model);

/// data.mass_factor = L^T D L of data.mass. False where M is not positive definite to working precision.
[[nodiscard]] bool factorize_mass(DynamicsData& data);

/// p = M v without forming M; needs forward_kinematics, and link_velocities at the same v.
void momentum(std::span<const double> v, DynamicsData& data, std::span<double> p);

/// A point mass beta on a link at a world point: the contribution of an isotropic contact penalty to A ([AL] eq. 42).
struct PointMass {
  int link = 0;
  double mass = 0;  ///< kg, or beta in N s/m
  Vec3 point;       ///< world, m
};

/// a = scale M + sum mass J^T J + diag(diagonal): the augmented matrix of [AL] eq. 41 with the sparsity of M, ten
/// numbers a link. J is the 3 x nv Jacobian of a point; an empty `diagonal` counts as zero. Needs
/// forward_kinematics. The blocks it is made of stay in data.augmented.
void augmented_matrix(const Model& model, double scale, std::span<const PointMass> points,
                      std::span<const double> diagonal, DynamicsData& data, TreeMatrix& a);

}  // namespace uzawa
