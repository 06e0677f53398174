#pragma once

#include <span>
#include <vector>

#include "uzawa/dynamics/sensors.hpp"
#include "uzawa/sim/row_labels.hpp"
#include "uzawa/sim/step_data.hpp"

namespace uzawa {

/// Sensors of a World after each step: positions, velocities and actuator forces at the end of the step; accelerations
/// and forces as their means over it. No allocation after the first steps.
class SensorReadings {
 public:
  explicit SensorReadings(const Model& model);

  /// Before the step changes the state.
  void start(const State& state);
  /// After it. `keys`: of the problem's constraints.
  void finish(const State& state, const StepData& step, const Problem& problem, std::span<const std::uint64_t> keys,
              double h);

  /// At Model::sensor_address; zeros before the first step.
  std::span<const double> values() const { return values_; }

 private:
  void add_contacts(const StepData& step, const Problem& problem, std::span<const std::uint64_t> keys, double h);
  void add_rows(const StepData& step, const Problem& problem, std::span<const std::uint64_t> keys, double h);
  void add_equality(const RowLabel& label, double force);

  const Model& model_;
  RowLabels labels_;
  DynamicsData data_;
  std::vector<double> start_v_, acceleration_, actuation_, values_;
  std::vector<BodyForce> forces_;
  std::vector<TouchForce> touches_;
  std::vector<double> joint_limit_, tendon_limit_;
};

}  // namespace uzawa
