#pragma once

#include <array>
#include <random>

#include "uzawa/dynamics/data.hpp"
#include "uzawa/io/oracle.hpp"
#include "uzawa/model/model.hpp"

namespace uzawa::cli {

/// Largest relative differences between our dynamics and MuJoCo's over some states.
struct Differences {
  double pose = 0;  ///< body positions over max(1 m, distance from the origin), rotation matrix entries as they are
  double mass = 0;  ///< |M_ij - N_ij| / sqrt(N_ii N_jj)
  /// Largest entry of the difference over the largest entry of MuJoCo's vector, per state; forces too small to
  /// accelerate the heaviest coordinate by 1 mm/s^2 count as that size.
  double bias = 0;
  double passive = 0;     ///< likewise
  double actuator = 0;    ///< likewise
  double activation = 0;  ///< rates of the actuator activations, likewise above 1/s
  double tendon = 0;      ///< lengths over the longest, or 1 m
  double sensors = 0;     ///< values over the largest value of the sensor, or 1; orientations up to their sign

  double worst() const;
};

/// A state with every joint somewhere in its range, and controls up to half a range beyond theirs, so that clamps
/// count.
struct RandomState {
  State state;
  std::vector<double> control;
};
RandomState random_state(const Model& model, std::mt19937_64& random);

/// What the sensors of a model without contacts and constraints measure; those of limits are zero then.
std::vector<double> unconstrained_sensors(const Model& model, const State& state, std::span<const double> control,
                                          std::span<const double> acceleration, DynamicsData& data);

/// Elastic forces of soft bodies and cables are left out: the laws differ by more than rounding.
Differences compare(const Model& model, MujocoOracle& oracle, int states, unsigned seed);

}  // namespace uzawa::cli
