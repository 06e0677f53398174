#pragma once

#include <span>

#include "uzawa/dynamics/data.hpp"

namespace uzawa {

/// tau = M(q) a + bias(q, v), bias = Coriolis, centrifugal and gyroscopic forces minus gravity (RNEA). Needs
/// forward_kinematics(q) and link_velocities(v).
void inverse_dynamics(const Model& model, std::span<const double> v, std::span<const double> a, DynamicsData& data,
                      std::span<double> tau);

/// bias(q, v): the same with a = 0. MuJoCo's qfrc_bias.
void bias_force(const Model& model, std::span<const double> v, DynamicsData& data, std::span<double> bias);

/// Rate of each link's momentum while the joint velocities v stay, without gravity, about the tree's reference point:
/// the velocity products link by link. `velocity`: of the links at v. Writes data.acceleration.
void velocity_products(const Model& model, std::span<const double> v, std::span<const Motion> velocity,
                       DynamicsData& data, std::span<Force> force);

/// tau = sum over the links of J^T force, from data.force, which it adds up from the leaves to the roots.
void project_link_forces(DynamicsData& data, std::span<double> tau);

/// Acceleration of a link at constant joint velocities, without gravity: the curvature of its path. Zero for a free
/// body without children.
struct PathBend {
  Vec3 linear;   ///< m/s^2, of the centre of mass
  Vec3 angular;  ///< rad/s^2
};
/// Per link; `scratch` likewise. Needs link_velocities(v).
void path_bends(const Model& model, std::span<const double> v, const DynamicsData& data, std::span<Motion> scratch,
                std::span<PathBend> bends);

/// a = M^-1 (tau - bias) by articulated bodies (ABA), linear in the number of dofs. `a` may be `tau`. Needs
/// forward_kinematics(q) and link_velocities(v). False where M is not positive definite to working precision.
[[nodiscard]] bool forward_dynamics(const Model& model, std::span<const double> v, std::span<const double> tau,
                                    DynamicsData& data, std::span<double> a);

/// Energy and momentum of the moving links; needs link_velocities.
double kinetic_energy(const Model& model, std::span<const double> v, const DynamicsData& data);  ///< armature included
double potential_energy(const Model& model, const DynamicsData& data);                           ///< gravity only
/// Linear momentum, and angular momentum about the world origin (armature not included).
struct Momentum {
  Vec3 linear, angular;
};
Momentum momentum(const Model& model, const DynamicsData& data);

}  // namespace uzawa
