#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "uzawa/problem/delassus.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa {

/// One sweep of projected Gauss-Seidel: in the given order, each constraint gets the impulse that its law requires at
/// the latest velocities; contacts by settings.local. `velocities` are consistent with `impulses` before and after.
void gauss_seidel_sweep(const Problem& problem, const PgsSettings& settings, std::span<const int> order,
                        const CompactRows& rows, const DelassusOperator& delassus,
                        DelassusOperator::Velocities& velocities, std::span<double> impulses);

/// The order of the constraints in a sweep: as they are, or shuffled before every sweep. A fixed order carries errors
/// through a stack one way only and may cycle; shuffled, both happen less (ODE does the same). The draws are our own
/// and start anew with every solve, so that results repeat on any platform.
class SweepOrder {
 public:
  void reset(int constraints);
  void shuffle();
  std::span<const int> order() const { return order_; }

 private:
  std::vector<int> order_;
  std::uint64_t state_ = 0;
};

}  // namespace uzawa
