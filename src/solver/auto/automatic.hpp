#pragma once

namespace uzawa {

/// Bounds by which the method `auto` (solve_auto) chooses between CANAL and SubADMM. Where the first method does not
/// reach the tolerance, the other one continues from its impulses; the better result is kept.
///
/// By `benchmark_step auto` (docs/benchmarks.md has the table; CPU time of a step, to 1e-6):
///   - robots, hands, stacks, towers of up to 1,000 contacts: CANAL solves every step and is 1.3 to 14 times as fast as
///     SubADMM, which is capped on up to a quarter of the steps of a stack. Density decides nothing: towers have 20
///     contacts a body, piles of spheres 3, and CANAL is the better first choice on both.
///   - towers of 1,200 and 3,100 contacts: SubADMM, whose time grows linearly, is 1.6 and 2.2 times as fast, and solves
///     every step; 512 spheres (4,000 rows): 2.7 times as fast, 80 % of the steps solved, CANAL goes on from there.
///     So SubADMM is first on islands of more than kNewtonRows rows.
///   - where masses differ: with every tenth sphere 100 times as heavy SubADMM misses half of the steps by up to 1e-4,
///     and on towers whose top is as much heavier it is 4.5 times as slow. So CANAL stays first where masses differ by
///     more than kEvenMasses.
///   - piles of even masses of more than kCascadeRows rows: where Newton fails, which is seldom, the cascade and all
///     that follows it is slow. There CANAL is asked only for its attempts before the loops, and SubADMM goes on; the
///     cascade is the last resort. Where masses differ SubADMM leaves residuals of 1e-4, and the cascade comes first.
inline constexpr int kNewtonRows = 3000;   // rows
inline constexpr int kCascadeRows = 600;   // rows
inline constexpr double kEvenMasses = 30;  // heaviest over lightest subsystem

}  // namespace uzawa
