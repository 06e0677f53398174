#pragma once

#include <string_view>

#include "uzawa/solver/solver.hpp"

namespace uzawa {

/// The method `auto`: CANAL for islands up to kCanalRows rows, SubADMM for larger ones; where the first choice leaves a
/// residual above kFailure, the other one tries from the best impulses so far, and the better answer is kept.
///
/// Robots, hands and stacks are below kCanalRows, where CANAL reaches 1e-8 in a few Newton steps. In a pile of 216
/// spheres (1,800 rows) its path following takes seconds a step where SubADMM takes 34 ms to 1e-9..1e-5; there CANAL is
/// only asked for its plain cascade.
inline constexpr int kCanalRows = 600;
inline constexpr double kFailure = 1e-5;

const Solver& automatic_solver();

/// A method by name, `auto` among them.
const Solver& find_sim_solver(std::string_view name);

}  // namespace uzawa
