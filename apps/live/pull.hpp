#pragma once

#include <span>
#include <vector>

#include "uzawa/dynamics/data.hpp"
#include "uzawa/live/messages.hpp"
#include "uzawa/live/soft_patch.hpp"

namespace uzawa {

/// A body that a viewer pulls: a damped spring between a point of it and a point in the world. The spring is as stiff
/// as is pleasant for the whole tree that the link is part of, and taken at the end of the step for the mass that the
/// point has by itself, so that no choice of body, point and step makes it explode. A node of a soft body is pulled
/// together with those around it.
class PullForce {
 public:
  /// The model must outlive it.
  explicit PullForce(const Model& model);
  /// Adds the joint-space force (N, N m) of a pull in the step of h seconds that begins at `state`.
  void add(const PullCommand& pull, const State& state, double h, std::span<double> force);

 private:
  void add_to_patch(const PullCommand& pull, double h, std::span<double> force);

  const Model& model_;
  DynamicsData data_;
  SoftPatches patches_;
  std::vector<double> mass_;  ///< kg, per subsystem
  std::vector<double> jacobian_, response_;
};

}  // namespace uzawa
