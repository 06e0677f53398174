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

/// COND goes first (prefers_cond) on soft bodies of many nodes that are touched all over, to kLoose or more: mats,
/// shells, soft skins. Its price is products with A, as many as sqrt(stiffness over mass) asks for; that of the others,
/// factorisations of all nodes or of the touched ones, whichever are fewer, or iterations with A. CPU time of a cold
/// solve to 1e-6, ms, judge included (`benchmark_cond`, all of one day; soft boxes at 10 ms a step):
///
///     nodes  touched  shape  E (MPa)  canal  subadmm  cond
///       144     1/4   floor    0.1      0.6     0.6    2.1
///      1600     1/4   mat      0.1      100      65     28
///     10000     1/4   mat      0.1     3018     440    268
///      1728    1/12   cube     1         32      31     70
///      8000    1/20   cube     0.1     1040     944    476
///      1728     1/6   between two rigid bodies, 1 MPa   112  97  227
inline constexpr int kCondNodes = 1000;
inline constexpr double kTouchedShare = 1.0 / 6;  // least share of touched nodes
inline constexpr double kRigidShare = 0.1;        // largest share of attachments to rigid bodies
inline constexpr double kCondRoot = 100;          // largest sqrt(stiffness / mass); iterations are 1 to 8 times that
inline constexpr int kCondTrial = 2000;           // iterations after which CANAL takes over

}  // namespace uzawa
