#pragma once

#include "uzawa/solver/lcp/lcp_basis.hpp"
#include "uzawa/solver/lcp/lcp_outcome.hpp"

namespace uzawa {

/// Follows Lemke's path ([LCP] section II-A, steps 0 to 2) from the complementary basis that is loaded, with refreshed
/// values. Ratio test by Harris: among the rows whose bound is within the feasibility tolerance of the tightest, the
/// one with the largest pivot, which keeps K well conditioned where contacts are redundant. z0 leaves as soon as it
/// may. `spread`: rates of the covering vector, see LcpBasis::enter_cover. `visited` is memory.
LcpEnd follow_lemke_path(LcpBasis& basis, std::span<const double> spread, const LcpLimits& limits, HashSet& visited,
                         LcpCounts& counts);

// In scaled problems: feasibility tolerance of basic variables; the least pivot ([LCP]'s m' < 0 as numbers say it); z0
// at the goal.
inline constexpr double kLcpFeasible = 1e-11, kLcpLeastPivot = 1e-10, kLcpGoal = 1e-10;

}  // namespace uzawa
