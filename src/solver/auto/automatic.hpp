#pragma once

namespace uzawa {

/// Bounds by which the method `auto` (solve_auto) chooses what CANAL begins with: Newton, or SubADMM's iterations, with
/// Newton as their polish. Where CANAL does not reach the tolerance, and nothing limits the work, SubADMM continues
/// from its impulses; the better result is kept.
///
/// By expected price (docs/benchmarks.md has the table; CPU time of a step): a Newton step on 500 dropped bodies
/// costs as much as 100 iterations, one on a robot as much as 5. Newton needs about 15 steps where many contacts
/// change, iterations 20 to 50 for a residual of 1e-4, some hundred for 1e-6, and thousands for 1e-8.
///   - robots, hands, stacks: Newton solves every step and is 1.3 to 14 times as fast as SubADMM, to 1e-6. Density
///     decides nothing: towers have 20 contacts a body, piles of spheres 3.
///   - piles and towers of more than kNewtonRows rows, to kLoose or more: SubADMM is 1.6 to 2.7 times as fast,
///     measured above 3,000 rows.
///   - where masses differ by more than kEvenMasses: with every tenth sphere 100 times as heavy SubADMM misses half of
///     the steps by up to 1e-4, and on towers whose top is as much heavier it is 4.5 times as slow.
inline constexpr int kNewtonRows = 600;    // rows
inline constexpr double kLoose = 1e-6;     // tolerance
inline constexpr double kEvenMasses = 30;  // heaviest over lightest subsystem

}  // namespace uzawa
