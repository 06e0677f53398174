#pragma once

#include <span>

#include "uzawa/solver/delassus.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa {

/// One sweep of projected Gauss-Seidel: each constraint in turn takes the impulse that its law asks for, given the
/// latest velocities; contacts the normal first, then friction with the sliding velocity that is left. The operator
/// must hold the velocities of `impulses`.
void gauss_seidel_sweep(const Problem& problem, const PgsSettings& settings, const CompactRows& rows,
                        DelassusOperator& delassus, std::span<double> impulses);

}  // namespace uzawa
