#pragma once

#include <cstdint>
#include <vector>

#include "uzawa/solver/lcp/lcp_basis.hpp"
#include "uzawa/solver/lcp/lcp_outcome.hpp"

namespace uzawa {

/// How candidates are chosen and ordered.
struct SearchRule {
  /// [LCP] algorithms 1 and 2: the node with the least sum of exp(-qmin) next; goal: z0 is nonbasic. That sum is about
  /// 1 a pivot, so the search is nearly breadth-first, and explodes. Else depth first, candidates in the order of qmin;
  /// goal: z0 is zero within kLcpGoal and no value is negative, also while z0 is still basic.
  bool best_first = false;
  double epsilon = 1e-8;        ///< largest violation after a pivot: qmin > -epsilon
  double least_pivot = 1e-10;   ///< m' < -least_pivot; [LCP]: 0
  double largest_error = 1e-3;  ///< e_max: norm of w - M z - c z0 - q; best_first only
};

/// Nodes of a search, kept for the next.
class PivotSearch {
 public:
  /// Searches a sequence of pivots from the complementary basis that is loaded, with refreshed values.
  LcpEnd run(LcpBasis& basis, std::span<const double> spread, const SearchRule& rule, const LcpLimits& limits,
             LcpCounts& counts);

 private:
  /// A pivot that may be done: the basis before it as a set of bits, the missing pair and the driving variable there,
  /// and the pair that leaves. M' and q' are not kept: stored tableaus drift.
  struct Node {
    int parent = -1;  ///< expanded as number
    int leaving = -1, missing = -1;
    bool driver_is_z = false;
    double step = 0, qmin = 0, cost = 0;
  };

  bool visit(LcpBasis& basis, int index);
  void add_candidates(const LcpBasis& basis, const SearchRule& rule, int parent, double cost);
  int next(const SearchRule& rule);
  void keep_basis(const LcpBasis& basis);
  bool is_goal(const LcpBasis& basis, const SearchRule& rule) const;
  bool before(int a, int b) const;

  std::size_t words_ = 0;
  bool driver_is_z_ = false;
  int loaded_ = -1;  ///< expansion whose direction the basis has
  int expansions_ = 0;
  std::vector<Node> nodes_;
  std::vector<std::uint64_t> bases_;  ///< of expansions, words_ each
  std::vector<int> open_;             ///< stack, or heap
  std::vector<std::pair<double, int>> ratios_;
  std::vector<char> basic_;
  HashSet visited_;
};

}  // namespace uzawa
