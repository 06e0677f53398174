#pragma once

#include <string_view>

#include "uzawa/solver/solver.hpp"

namespace uzawa {

/// The method `auto`: CANAL, and SubADMM from CANAL's best impulses where that has not reached the tolerance; the
/// better answer is kept. On islands of more than kCascadeRows rows whose masses differ by less than kCascadeSpread,
/// CANAL is only asked for what comes before its cascade: Newton from the warm start and after first-order steps.
///
/// By `benchmark_step auto` (docs/benchmarks.md has the table; us of CPU time a step, to 1e-6):
///   - robots, hands, stacks, towers (8 to 3,000 contacts): CANAL solves every step and is 1.2 to 25 times as fast as
///     SubADMM, which is capped on up to half of the steps of a stack. Density decides nothing: towers have 20 contacts
///     a body, piles of spheres 3, and CANAL is the better first choice on both.
///   - piles of equal spheres: up to 64 (500 rows) CANAL with its cascade solves every step in the time of SubADMM,
///   which
///     misses 30 to 45 %. At 125 (1,000 rows) the cascade costs 59 ms in the mean, without it 16 ms; then 10 % of the
///     steps are left at 2e-7 of the residual (they miss the relative Siconos error). SubADMM alone: 8 ms, 60 % missed,
///     4e-6.
///   - the same with every tenth sphere 10, 100, 1000 times as heavy: what SubADMM leaves grows to 4e-7, 1e-5, 1e-4,
///   and
///     the cascade, which solves them all, costs 1.6, 1.4, 1.9 times as much: worth it from about 30 on.
inline constexpr int kCascadeRows = 600;
inline constexpr double kCascadeSpread = 30;

const Solver& automatic_solver();

/// A method by name, `auto` among them.
const Solver& find_sim_solver(std::string_view name);

}  // namespace uzawa
