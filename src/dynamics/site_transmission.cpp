#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/dynamics/point_rates.hpp"

namespace uzawa {

namespace {

/// jacobian[dof] += rate(S of the dof), for every dof that moves the link.
template <typename Rate>
void add_rates(const Model& model, const DynamicsData& data, int link, std::span<const int> dofs,
               std::span<double> jacobian, Rate&& rate) {
  if (link < 0) return;
  const TreeTopology& topology = *model.topology();
  for (const int dof : topology.path(topology.last_dof(link))) {
    const auto slot = std::lower_bound(dofs.begin(), dofs.end(), dof) - dofs.begin();
    jacobian[static_cast<std::size_t>(slot)] += rate(data.tree.subspace[at(dof)]);
  }
}

/// What moves both sites does not change their relative pose, and no actuator between them can tell. The moments of
/// turning frames are left out, as in MuJoCo, so the difference of the two Jacobians does not vanish there by itself.
void clear_common_dofs(const Model& model, int link1, int link2, std::span<const int> dofs,
                       std::span<double> jacobian) {
  if (link1 < 0 || link2 < 0) return;
  const TreeTopology& topology = *model.topology();
  const std::span<const int> path1 = topology.path(topology.last_dof(link1));
  const std::span<const int> path2 = topology.path(topology.last_dof(link2));
  for (std::size_t k = 0; k < std::min(path1.size(), path2.size()) && path1[k] == path2[k]; ++k) {
    jacobian[static_cast<std::size_t>(std::lower_bound(dofs.begin(), dofs.end(), path1[k]) - dofs.begin())] = 0;
  }
}

/// A wrench at the site, fixed in the frame of the site or of the reference site.
double place_wrench(const Model& model, const ActuatorSpec& actuator, const DynamicsData& data,
                    std::span<const int> dofs, std::span<double> jacobian) {
  const Pose site = site_pose(model, data, actuator.target);
  const int link = model.site_link(actuator.target);
  const Vec3 linear = Vec3::from(actuator.gear.data()), angular = Vec3::from(actuator.gear.data() + 3);
  const bool relative = actuator.reference >= 0;
  const Pose frame = relative ? site_pose(model, data, actuator.reference) : site;
  const Vec3 force = frame.rotation * linear, moment = frame.rotation * angular;
  add_point_rate(model, data, link, site.position, force, dofs, jacobian);
  add_rotation_rate(model, data, link, moment, dofs, jacobian);
  if (!relative) return 0;
  const int reference = model.site_link(actuator.reference);
  add_point_rate(model, data, reference, frame.position, -force, dofs, jacobian);
  add_rotation_rate(model, data, reference, -moment, dofs, jacobian);
  clear_common_dofs(model, link, reference, dofs, jacobian);
  double length = dot(transpose_times(frame.rotation, site.position - frame.position), linear);
  if (dot(angular, angular) > 0) {
    length += dot(log_rotation(to_quaternion(transpose(frame.rotation) * site.rotation)), angular);
  }
  return length;
}

/// Where the slider is along its axis, for the rod's end on the pin of the crank.
double place_slider(const Model& model, const ActuatorSpec& actuator, const DynamicsData& data,
                    std::span<const int> dofs, std::span<double> jacobian) {
  const Vec3 pin = site_pose(model, data, actuator.target).position;
  const Pose slider = site_pose(model, data, actuator.reference);
  const Vec3 axis = slider.rotation.col[2], arm = pin - slider.position;
  const double along = dot(axis, arm);
  const double square = along * along + actuator.rod_length * actuator.rod_length - dot(arm, arm);
  const bool reaches = square > 0;  // else the pin is farther from the axis than the rod is long
  const double root = reaches ? std::sqrt(square) : 0, gear = actuator.gear[0];
  const Vec3 by_axis = (reaches ? arm * (1 - along / root) : arm) * gear;
  const Vec3 by_arm = (reaches ? axis * (1 - along / root) + arm * (1 / root) : axis) * gear;
  const int crank_link = model.site_link(actuator.target), slider_link = model.site_link(actuator.reference);
  add_point_rate(model, data, crank_link, pin, by_arm, dofs, jacobian);
  add_point_rate(model, data, slider_link, slider.position, -by_arm, dofs, jacobian);
  add_rotation_rate(model, data, slider_link, cross(axis, by_axis), dofs, jacobian);
  return (along - root) * gear;
}

}  // namespace

void add_point_rate(const Model& model, const DynamicsData& data, int link, const Vec3& point, const Vec3& direction,
                    std::span<const int> dofs, std::span<double> jacobian) {
  if (link < 0) return;
  const Vec3 r = point - link_reference(model, data, link);
  add_rates(model, data, link, dofs, jacobian, [&](const Motion& s) { return dot(direction, velocity_at(s, r)); });
}

void add_rotation_rate(const Model& model, const DynamicsData& data, int link, const Vec3& axis,
                       std::span<const int> dofs, std::span<double> jacobian) {
  add_rates(model, data, link, dofs, jacobian, [&](const Motion& s) { return dot(axis, s.angular); });
}

void site_transmission(const Model& model, int a, DynamicsData& data) {
  const ActuatorSpec& actuator = model.spec().actuators[at(a)];
  const bool on_site = actuator.transmission == Transmission::Site;
  if (!on_site && actuator.transmission != Transmission::SliderCrank) return;
  std::vector<double>& jacobian = data.actuator_jacobian[at(a)];
  std::fill(jacobian.begin(), jacobian.end(), 0.0);
  data.actuator_length[at(a)] =
      (on_site ? place_wrench : place_slider)(model, actuator, data, model.actuator_dofs(a), jacobian);
}

}  // namespace uzawa
