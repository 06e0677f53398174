#include <algorithm>
#include <cassert>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/dynamics/elastic.hpp"
#include "uzawa/dynamics/forces.hpp"
#include "uzawa/dynamics/gravity_compensation.hpp"
#include "uzawa/dynamics/kinematics.hpp"

namespace uzawa {

namespace {

void add_rotation_spring(double stiffness, const double* q, const double* rest, double* tau) {
  const Vec3 error = rotation_between(normalized(Quat::from(rest)), normalized(Quat::from(q)));
  for (int k = 0; k < 3; ++k) tau[k] -= stiffness * error[k];
}

/// The force of the energy 1/2 sum_k stiffness_k error_k^2: unlike stiffnesses also turn the moment.
void add_ball_spring(const Vec3& stiffness, const double* q, const double* rest, double* tau) {
  const Vec3 error = rotation_between(normalized(Quat::from(rest)), normalized(Quat::from(q)));
  Vec3 moment;
  for (int k = 0; k < 3; ++k) moment.set(k, stiffness[k] * error[k]);
  moment = transpose_times(rotation_vector_rate(error), moment);
  for (int k = 0; k < 3; ++k) tau[k] -= moment[k];
}

void add_joint_spring(JointType type, double stiffness, const double* q, const double* rest, double* tau) {
  switch (type) {
    case JointType::Free:
      for (int k = 0; k < 3; ++k) tau[k] -= stiffness * (q[k] - rest[k]);
      add_rotation_spring(stiffness, q + 3, rest + 3, tau + 3);
      break;
    case JointType::Ball: add_rotation_spring(stiffness, q, rest, tau); break;
    case JointType::Slide:
    case JointType::Hinge: tau[0] -= stiffness * (q[0] - rest[0]); break;
  }
}

}  // namespace

void add_gravity_compensation(const Model& model, const DynamicsData& data, std::span<double> tau) {
  for (const int b : model.compensating_bodies()) {
    const BodySpec& body = model.spec().bodies[at(b)];
    const Vec3 com = body_pose(model, data, b) * body.com;
    const Vec3 lift = model.options().gravity * (-body.mass * body.gravity_compensation);
    add_link_wrench(model, data, model.body_link(b), com, lift, Vec3{}, tau);
  }
}

namespace {

/// Gravity compensation that the actuators bear is not passive.
void drop_actuator_borne(const Model& model, std::span<double> tau) {
  for (std::size_t j = 0; j < model.spec().joints.size(); ++j) {
    const JointSpec& joint = model.spec().joints[j];
    if (!joint.gravity_compensation_by_actuators) continue;
    std::fill_n(tau.begin() + model.joint_v(static_cast<int>(j)), v_size(joint.type), 0.0);
  }
}

/// Drag of the medium on a body's inertia box (the box of uniform density with the body's mass and inertia), as
/// MuJoCo defines it: Stokes drag of a sphere of mean diameter, and quadratic drag on each face.
void add_body_drag(const Model& model, const DynamicsData& data, int b, std::span<double> tau) {
  const BodySpec& body = model.spec().bodies[at(b)];
  const int link = model.body_link(b);
  if (link < 0 || body.mass < 1e-15) return;
  const double density = model.options().fluid_density, viscosity = model.options().fluid_viscosity;
  const Pose inertial = body_pose(model, data, b) * Pose::from(body.com, normalized(body.inertia_orientation));
  const Vec3 w = transpose_times(inertial.rotation, data.velocity[at(link)].angular);
  const Vec3 v =
      transpose_times(inertial.rotation, point_velocity(model, data, link, inertial.position) - model.options().wind);
  double box[3];
  for (int k = 0; k < 3; ++k) {
    const Vec3& inertia = body.principal_inertia;
    const double spread = inertia.x() + inertia.y() + inertia.z() - 2 * inertia[k];
    box[k] = std::sqrt(std::max(1e-15, spread) / body.mass * 6);
  }
  const double diameter = (box[0] + box[1] + box[2]) / 3;
  Vec3 moment = w * (-M_PI * diameter * diameter * diameter * viscosity);
  Vec3 force = v * (-3 * M_PI * diameter * viscosity);
  for (int k = 0; k < 3; ++k) {
    const double a = box[(k + 1) % 3], c = box[(k + 2) % 3];
    force.set(k, force[k] - 0.5 * density * a * c * std::abs(v[k]) * v[k]);
    moment.set(k, moment[k] - density * box[k] * (a * a * a * a + c * c * c * c) * std::abs(w[k]) * w[k] / 64);
  }
  add_link_wrench(model, data, link, inertial.position, inertial.rotation * force, inertial.rotation * moment, tau);
}

}  // namespace

void passive_force(const Model& model, std::span<const double> q, std::span<const double> v, DynamicsData& data,
                   std::span<double> tau) {
  rigid_passive_force(model, q, v, data, tau);
  evaluate_elastic(model, v, data);
  add_elastic_force(model, true, data, tau);
}

void rigid_passive_force(const Model& model, std::span<const double> q, std::span<const double> v, DynamicsData& data,
                         std::span<double> tau) {
  assert(static_cast<int>(tau.size()) == model.nv());
  std::fill(tau.begin(), tau.end(), 0.0);
  if (!model.compensating_bodies().empty()) {
    add_gravity_compensation(model, data, tau);
    drop_actuator_borne(model, tau);
  }
  if (model.options().fluid_density > 0 || model.options().fluid_viscosity > 0) {
    for (int b = 1; b < static_cast<int>(model.spec().bodies.size()); ++b) add_body_drag(model, data, b, tau);
  }
  for (const int j : model.sprung_joints()) {
    const JointSpec& joint = model.spec().joints[at(j)];
    const std::size_t a = at(model.joint_q(j)), d = at(model.joint_v(j));
    const double* rest = &model.spec().spring_q[a];
    if (joint.stiffness != 0) add_joint_spring(joint.type, joint.stiffness, &q[a], rest, &tau[d]);
    if (has_ball_spring(joint)) add_ball_spring(joint.ball_stiffness, &q[a], rest, &tau[d]);
  }
  for (std::size_t d = 0; d < tau.size(); ++d) tau[d] -= model.damping()[d] * v[d];
  for (int t = 0; t < static_cast<int>(model.spec().tendons.size()); ++t) {
    const TendonSpec& tendon = model.spec().tendons[at(t)];
    const CoordinateRow row = tendon_row(model, data, t);
    const double length = data.tendon_length[at(t)];
    const double rest = std::clamp(length, tendon.spring_length.lower, tendon.spring_length.upper);
    row.add_force(-tendon.stiffness * (length - rest) - tendon.damping * row.rate(v), tau);
  }
}

}  // namespace uzawa
