#pragma once

#include <span>
#include <vector>

#include "uzawa/dynamics/smooth_end.hpp"
#include "uzawa/problem/islands.hpp"
#include "uzawa/sim/step_data.hpp"

namespace uzawa {

/// When in a step with RK4 its impulses act: c of SmoothEnd, the share of the step that is left after them. A force
/// that lasts has c = 1/2, and bodies at rest stay where they are. An impact that came so late would leave its bodies
/// inside each other by half of what they move in a step, so it comes earlier: c is the least, from 1/2 to 1, with
/// which no contact of an island is passed. One number an island, because impulses move all of it.
class ImpulseShares {
 public:
  explicit ImpulseShares(const Model& model);

  /// For v_{k+1} = step.next_v, which solves `problem`.
  void find(const StepData& step, const Problem& problem, const SmoothEnd& smooth, double h);
  std::span<const double> by_dof() const { return by_dof_; }

 private:
  double share_of(const StepData& step, const Contact& contact, double h) const;

  const Model& model_;
  IslandSplit split_;
  std::vector<int> island_of_;  ///< per subsystem; -1: nothing touches it
  std::vector<double> by_island_, by_dof_;
  std::vector<double> free_v_, kick_v_;  ///< per dof: the mean without impulses, what impulses add
  std::vector<Motion> free_, kick_;      ///< per link, of these
};

}  // namespace uzawa
