#include "uzawa/solver/lcp/lemke_path.hpp"

#include <algorithm>
#include <limits>

#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

struct Choice {
  int pair = -1;  ///< -1: the driving variable may grow without bound
  double step = 0;
};

/// Harris's two passes over the pairs.
Choice choose_leaving(const LcpBasis& basis) {
  const std::span<const double> x = basis.values(), d = basis.direction();
  double longest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < basis.size(); ++i) {
    if (basis.role(i) != LcpRole::Complementary || !(d[at(i)] < -kLcpLeastPivot)) continue;
    longest = std::min(longest, (std::max(0.0, x[at(i)]) + kLcpFeasible) / -d[at(i)]);
  }
  Choice best;
  double largest = 0;
  for (int i = 0; i < basis.size(); ++i) {
    if (basis.role(i) != LcpRole::Complementary || !(d[at(i)] < -kLcpLeastPivot)) continue;
    const double ratio = std::max(0.0, x[at(i)]) / -d[at(i)];
    if (ratio > longest) continue;
    if (i == basis.missing()) return {i, ratio};
    if (-d[at(i)] > largest) {
      largest = -d[at(i)];
      best = {i, ratio};
    }
  }
  return best;
}

bool is_feasible(const LcpBasis& basis) {
  const std::span<const double> x = basis.values();
  for (int i = 0; i < basis.size(); ++i) {
    if (basis.role(i) == LcpRole::Complementary && !(x[at(i)] >= -kLcpFeasible)) return false;
  }
  return true;
}

/// A path that breaks off where z0 has practically gone has arrived.
LcpEnd ending(const LcpBasis& basis, LcpEnd otherwise) {
  return basis.values()[at(basis.missing())] <= kLcpGoal ? LcpEnd::Solved : otherwise;
}

}  // namespace

LcpEnd follow_lemke_path(LcpBasis& basis, std::span<const double> spread, const LcpLimits& limits, HashSet& visited,
                         LcpCounts& counts) {
  if (is_feasible(basis)) return LcpEnd::Solved;
  visited.clear();
  bool driver_is_z = !basis.enter_cover(spread);  // the complement of what has left
  ++counts.pivots;
  const int most = limits.pivot_limit(basis.size());
  for (int pivots = 1;; ++pivots) {
    if (!visited.insert(basis.hash())) return ending(basis, LcpEnd::Cycle);
    if (pivots >= most) return ending(basis, LcpEnd::PivotLimit);
    if (limits.deadline.has_passed()) return LcpEnd::Stopped;
    if (!basis.find_direction(driver_is_z)) return ending(basis, LcpEnd::Error);
    const Choice choice = choose_leaving(basis);
    if (choice.pair < 0) return ending(basis, LcpEnd::NoSolution);
    const bool z0_leaves = choice.pair == basis.missing();
    const bool leaving_is_z = basis.basic()[at(choice.pair)] != 0;
    basis.pivot(choice.pair, choice.step);
    ++counts.pivots;
    if (z0_leaves) return LcpEnd::Solved;
    driver_is_z = !leaving_is_z;
  }
}

}  // namespace uzawa
