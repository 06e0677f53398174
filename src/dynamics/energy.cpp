#include "uzawa/dynamics/energy.hpp"

#include <algorithm>

#include "uzawa/base/at.hpp"
#include "uzawa/dynamics/elastic.hpp"
#include "uzawa/dynamics/forces.hpp"
#include "uzawa/dynamics/gravity_compensation.hpp"
#include "uzawa/dynamics/newton_euler.hpp"

namespace uzawa {

namespace {

/// The three springs about the axes of a ball joint: each stretch changes with the whole angular velocity.
template <typename Visit>
void for_each_axis_of_ball(const Vec3& stiffness, const double* q, const double* rest, int first_dof, Visit&& visit) {
  const Vec3 by = rotation_between(normalized(Quat::from(rest)), normalized(Quat::from(q)));
  const Mat3 rate = rotation_vector_rate(by);
  const std::array<int, 3> dofs{first_dof, first_dof + 1, first_dof + 2};
  for (int k = 0; k < 3; ++k) {
    const std::array<double, 3> coefficients{rate(k, 0), rate(k, 1), rate(k, 2)};
    visit(stiffness[k], by[k], CoordinateRow{dofs, coefficients, 1});
  }
}

/// Calls visit(stiffness, stretch, row) for every spring, three times for one of a rotation.
template <typename Visit>
void for_each_spring(const Model& model, std::span<const double> q, const DynamicsData& data, Visit&& visit) {
  static constexpr double kOne = 1;
  for (const int j : model.sprung_joints()) {
    const JointSpec& joint = model.spec().joints[at(j)];
    const std::size_t a = at(model.joint_q(j));
    const double *now = &q[a], *rest = &model.spec().spring_q[a];
    int d = model.joint_v(j);
    if (has_ball_spring(joint)) for_each_axis_of_ball(joint.ball_stiffness, now, rest, d, visit);
    if (joint.stiffness == 0) continue;
    const auto stretch = [&](double by) { visit(joint.stiffness, by, CoordinateRow{{&d, 1}, {&kOne, 1}, 1}), ++d; };
    const auto turn = [&](int first) {
      const Vec3 by = rotation_between(normalized(Quat::from(rest + first)), normalized(Quat::from(now + first)));
      for (int k = 0; k < 3; ++k) stretch(by[k]);
    };
    switch (joint.type) {
      case JointType::Free:
        for (int k = 0; k < 3; ++k) stretch(now[k] - rest[k]);
        turn(3);
        break;
      case JointType::Ball: turn(0); break;
      case JointType::Slide:
      case JointType::Hinge: stretch(now[0] - rest[0]); break;
    }
  }
  for (std::size_t t = 0; t < model.spec().tendons.size(); ++t) {
    const TendonSpec& tendon = model.spec().tendons[t];
    const double length = data.tendon_length[t];
    const double by = length - std::clamp(length, tendon.spring_length.lower, tendon.spring_length.upper);
    if (tendon.stiffness != 0 && by != 0) {
      visit(tendon.stiffness, by, tendon_row(model, data, static_cast<int>(t)));
    }
  }
}

double dot_product(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t d = 0; d < a.size(); ++d) sum += a[d] * b[d];
  return sum;
}

/// Power of gravity compensation that is a passive force. `tau`: scratch.
double compensation_power(const Model& model, std::span<const double> v, const DynamicsData& data,
                          std::span<double> tau) {
  if (model.compensating_bodies().empty()) return 0;
  std::fill(tau.begin(), tau.end(), 0.0);
  add_gravity_compensation(model, data, tau);
  double power = 0;
  for (std::size_t j = 0; j < model.spec().joints.size(); ++j) {
    const JointSpec& joint = model.spec().joints[j];
    if (joint.gravity_compensation_by_actuators) continue;
    const std::size_t first = at(model.joint_v(static_cast<int>(j)));
    for (std::size_t d = first; d < first + at(v_size(joint.type)); ++d) power += tau[d] * v[d];
  }
  return power;
}

}  // namespace

double spring_energy(const Model& model, std::span<const double> q, const DynamicsData& data) {
  double energy = 0;
  for_each_spring(model, q, data, [&](double stiffness, double stretch, const CoordinateRow&) {
    energy += 0.5 * stiffness * stretch * stretch;
  });
  return energy;
}

StartEnergy start_energy(const Model& model, double h, const DynamicsData& data, const MiddleWorkspace& workspace) {
  double springs = 0;
  for_each_spring(model, workspace.state.q, data, [&](double stiffness, double stretch, const CoordinateRow& row) {
    springs += 0.5 * stiffness * stretch * (stretch - h * row.rate(workspace.state.v));
  });
  return {workspace.kinetic, potential_energy(model, data) + springs + elastic_energy(model, data)};
}

StepWork middle_work(const Model& model, std::span<const double> mean, std::span<const double> external, double h,
                     const DynamicsData& data, const MiddleWorkspace& workspace, std::span<double> scratch) {
  double passive = dot_product(workspace.passive, mean);
  const double lift = compensation_power(model, mean, data, scratch);
  for_each_spring(model, workspace.state.q, data, [&](double stiffness, double stretch, const CoordinateRow& row) {
    passive += stiffness * stretch * row.rate(mean);  // that is potential energy
  });
  const double pushed = external.empty() ? 0 : dot_product(external, mean);
  return {h * dot_product(workspace.actuation, mean), h * (pushed + lift), h * (lift - passive)};
}

}  // namespace uzawa
