#include "uzawa/sim/sensor_readings.hpp"

#include <algorithm>

#include "uzawa/base/at.hpp"
#include "uzawa/dynamics/forces.hpp"
#include "uzawa/dynamics/kinematics.hpp"

namespace uzawa {

SensorReadings::SensorReadings(const Model& model)
    : model_(model),
      labels_(model),
      data_(model),
      start_v_(at(model.nv())),
      acceleration_(at(model.nv())),
      actuation_(at(model.nv())),
      values_(at(model.sensor_values())),
      joint_limit_(model.spec().joints.size()),
      tendon_limit_(model.spec().tendons.size()) {}

void SensorReadings::start(const State& state) { std::copy(state.v.begin(), state.v.end(), start_v_.begin()); }

void SensorReadings::finish(const State& state, const StepData& step, const Problem& problem,
                            std::span<const std::uint64_t> keys, double h) {
  forward_kinematics(model_, state, data_);
  link_velocities(model_, state.v, data_);
  tendon_lengths(model_, state.q, data_);
  actuator_force(model_, state, step.control, data_, actuation_);
  for (std::size_t d = 0; d < acceleration_.size(); ++d) acceleration_[d] = (state.v[d] - start_v_[d]) / h;
  add_contacts(step, problem, keys, h);
  add_rows(step, problem, keys, h);
  add_tendon_forces(model_, state, data_, tendon_limit_, forces_);
  measure_sensors(model_, {state, data_, acceleration_, actuation_, forces_, touches_, joint_limit_, tendon_limit_},
                  values_);
}

void SensorReadings::add_contacts(const StepData& step, const Problem& problem, std::span<const std::uint64_t> keys,
                                  double h) {
  forces_.clear();
  touches_.clear();
  int next = 0;  // of the problem, which has the contacts in the same order, but for those that hold nothing that moves
  for (const Contact& contact : step.contacts) {
    const bool pushes =
        next < problem.contacts.size() && keys[at(problem.contacts.constraint[at(next)])] == contact.key;
    if (!pushes) continue;
    const Vec3 impulse = Vec3::from(&step.result.lambda[at(problem.contacts.row[at(next)])]);
    ++next;
    const int body1 = model_.spec().geoms[at(contact.geom1)].body, body2 = model_.spec().geoms[at(contact.geom2)].body;
    const Vec3 force = contact_frame(model_, contact) * impulse * (1 / h);
    forces_.push_back({body1, contact.position, -force, {}});
    forces_.push_back({body2, contact.position, force, {}});
    touches_.push_back({body1, body2, contact.position, contact.normal, impulse.z() / h});
  }
}

void SensorReadings::add_rows(const StepData& step, const Problem& problem, std::span<const std::uint64_t> keys,
                              double h) {
  std::fill(joint_limit_.begin(), joint_limit_.end(), 0.0);
  std::fill(tendon_limit_.begin(), tendon_limit_.end(), 0.0);
  for (std::size_t c = 0; c < problem.constraints.size(); ++c) {
    const ConstraintRef& ref = problem.constraints[c];
    if (ref.kind == ConstraintKind::Contact || ref.kind == ConstraintKind::Soft) continue;
    const RowLabel* label = labels_.find(keys[c]);
    if (label == nullptr) continue;
    const double force = step.result.lambda[at(ref.row)] / h;
    if (label->source == ConstraintSource::Limit) joint_limit_[at(label->element)] = force;
    if (label->source == ConstraintSource::TendonLimit) tendon_limit_[at(label->element)] = force;
    if (label->source == ConstraintSource::Equality) add_equality(*label, force);
  }
}

/// Rows of connects and welds: three along the axes of the world at the anchors, then three about them.
void SensorReadings::add_equality(const RowLabel& label, double force) {
  const EqualitySpec& equality = model_.spec().equalities[at(label.element)];
  if (equality.type != EqualityType::Connect && equality.type != EqualityType::Weld) return;
  const Vec3 along = Vec3::unit(label.part % 3) * force;
  if (label.part < 3) {
    forces_.push_back({equality.first, body_pose(model_, data_, equality.first) * equality.first_anchor, along, {}});
    forces_.push_back(
        {equality.second, body_pose(model_, data_, equality.second) * equality.second_anchor, -along, {}});
  } else {
    forces_.push_back({equality.second, {}, {}, along});
    forces_.push_back({equality.first, {}, {}, -along});
  }
}

}  // namespace uzawa
