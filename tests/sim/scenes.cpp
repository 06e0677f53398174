#include "sim/scenes.hpp"

#include <gtest/gtest.h>

namespace uzawa::test {

void run(World& world, int count, std::span<const double> control, std::span<const double> external) {
  for (int i = 0; i < count; ++i) {
    const StepReport& report = world.step(control, external);
    ASSERT_EQ(report.status, StepStatus::Solved)
        << "step " << i << ": " << to_string(report.solve_status) << ", residual " << report.residual;
  }
}

}  // namespace uzawa::test
