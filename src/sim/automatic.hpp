#pragma once

#include <string_view>

#include "uzawa/solver/solver.hpp"

namespace uzawa {

/// The method `auto`: CANAL for islands up to kCanalRows rows, SubADMM for larger ones; where the first choice leaves a
/// residual above kFailure, the other one tries from the best impulses so far, and the better answer is kept.
///
/// The threshold is a first guess between two observations, to be replaced by a benchmark: robots, hands and stacks (up
/// to 120 rows) are solved to 1e-8 in a few Newton steps; on a pile of 216 spheres (1,800 rows) CANAL did not do 300
/// steps in a minute, whatever its cap on loops, where SubADMM takes about 34 ms a step and is often capped (1e-9 to
/// 1e-5). On large islands CANAL is therefore only asked for its plain cascade.
inline constexpr int kCanalRows = 600;
inline constexpr double kFailure = 1e-5;

const Solver& automatic_solver();

/// A method by name, `auto` among them.
const Solver& find_sim_solver(std::string_view name);

}  // namespace uzawa
