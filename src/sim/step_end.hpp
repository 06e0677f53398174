#pragma once

#include <span>
#include <vector>

#include "uzawa/dynamics/integrators.hpp"

namespace uzawa {

/// Poses that a step leads to at given velocities. Made when they are asked for, once for all who look at them.
class StepEnd {
 public:
  explicit StepEnd(const Model& model) : model_(model) {}

  /// The spans must stay valid until the next call. `mocap`: of mocap bodies, at the end.
  void set(std::span<const double> q, std::span<const double> v, double h, std::span<const Pose> mocap);
  /// Per link.
  std::span<const Pose> poses();

 private:
  const Model& model_;
  std::span<const double> q_, v_;
  std::span<const Pose> mocap_;
  double h_ = 0;
  bool is_made_ = false;
  std::vector<Pose> poses_;
  std::vector<double> end_q_, end_v_;
};

}  // namespace uzawa
