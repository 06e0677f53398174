#pragma once

#include <span>

#include "uzawa/solver/ablation/strict_equation.hpp"
#include "uzawa/solver/canal/inner_outcome.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa {

/// Solves the equation from y, to |r| <= tolerance * scale, in at most `max_steps` steps; leaves the equation evaluated
/// at the final y.
using InnerMethod = InnerOutcome (*)(StrictEquation& equation, double tolerance, int max_steps, std::span<double> y);

/// The augmented Lagrangian method without the cascade, the baseline of [AL] Table II: Algorithm 1 whose surrogate
/// problems keep the strict law and are given to `inner`. Penalty and tolerances are those of settings.canal. An inner
/// solve that fails is counted in stats.inner_failures; the loop continues from its last iterate.
void solve_strict_loop(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result,
                       InnerMethod inner);

}  // namespace uzawa
