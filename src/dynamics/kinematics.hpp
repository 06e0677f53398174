#pragma once

#include <span>

#include "uzawa/dynamics/data.hpp"

namespace uzawa {

/// Poses, centres of mass, motion subspaces and spatial inertias at q (quaternions need not be normalised).
/// Mocap bodies are where data.mocap_pose says.
void forward_kinematics(const Model& model, std::span<const double> q, DynamicsData& data);
/// The same with the mocap bodies of the state.
void forward_kinematics(const Model& model, const State& state, DynamicsData& data);

/// Where the state, or else the model, has them.
Pose mocap_pose(const Model& model, const State& state, int mocap);
std::vector<Pose> mocap_poses(const Model& model, const State& state);
/// data.mocap_pose and mocap_velocity from the state.
void place_mocap(const Model& model, const State& state, DynamicsData& data);

/// Moves mocap bodies on at constant velocity.
void move_mocap(std::span<const Motion> velocity, double h, std::span<Pose> poses);
/// The velocity that leads from one pose to another in h, by the shorter turn.
Motion mocap_velocity(const Pose& from, const Pose& to, double h);

/// Only the poses, per link. `mocap`: of the mocap bodies.
void link_poses(const Model& model, std::span<const double> q, std::span<const Pose> mocap, std::span<Pose> poses);

/// Spatial velocities of the links at v, of mocap bodies their own; needs forward_kinematics.
void link_velocities(const Model& model, std::span<const double> v, DynamicsData& data);

/// The same for the end of the step into `velocity`, per link; data.velocity is unchanged.
void link_velocities(const Model& model, std::span<const double> v, const DynamicsData& data,
                     std::span<Motion> velocity);

/// Pose of a body, geom or site in the world; needs forward_kinematics.
Pose body_pose(const Model& model, const DynamicsData& data, int body);
Pose geom_pose(const Model& model, const DynamicsData& data, int geom);
Pose site_pose(const Model& model, const DynamicsData& data, int site);

/// Reference point of the spatial quantities of a link (not the ground), world, m.
const Vec3& link_reference(const Model& model, const DynamicsData& data, int link);

/// Velocity of the material point of a link (-1: ground) that is at `point` (world, m); needs link_velocities.
Vec3 point_velocity(const Model& model, const DynamicsData& data, int link, const Vec3& point);

/// Jacobian of that velocity with respect to v: 3 x nv, row-major; entries off the path to the link are zeroed.
void point_jacobian(const Model& model, const DynamicsData& data, int link, const Vec3& point,
                    std::span<double> jacobian);

/// tau += J^T f for a force at `point` (world) and a moment on a link; needs forward_kinematics.
void add_link_wrench(const Model& model, const DynamicsData& data, int link, const Vec3& point, const Vec3& force,
                     const Vec3& moment, std::span<double> tau);

}  // namespace uzawa
