#pragma once

#include <span>

#include "uzawa/dynamics/data.hpp"

/// Rows of Jacobians over a sorted list of dofs. Need forward_kinematics.
namespace uzawa {

/// jacobian += direction^T (velocity of `point` on `link`) / v.
void add_point_rate(const Model& model, const DynamicsData& data, int link, const Vec3& point, const Vec3& direction,
                    std::span<const int> dofs, std::span<double> jacobian);

/// jacobian += axis^T (angular velocity of `link`) / v.
void add_rotation_rate(const Model& model, const DynamicsData& data, int link, const Vec3& axis,
                       std::span<const int> dofs, std::span<double> jacobian);

/// Length and moment of an actuator on a site or slider-crank; nothing for others.
void site_transmission(const Model& model, int actuator, DynamicsData& data);

}  // namespace uzawa
