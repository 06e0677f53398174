#include "uzawa/solver/lcp/pivot_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "uzawa/base/at.hpp"
#include "uzawa/solver/lcp/lemke_path.hpp"

namespace uzawa {

namespace {

constexpr std::uint64_t kDriver = 0xd1b54a32d192ed03U;  // tells the two drivers of a basis apart

/// Least value after the driving variable has grown by `step`.
double least_after(const LcpBasis& basis, double step) {
  const std::span<const double> x = basis.values(), d = basis.direction();
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < basis.size(); ++i) {
    if (basis.role(i) == LcpRole::Complementary) least = std::min(least, x[at(i)] + step * d[at(i)]);
  }
  return least;
}

}  // namespace

LcpEnd PivotSearch::run(LcpBasis& basis, std::span<const double> spread, const SearchRule& rule,
                        const LcpLimits& limits, LcpCounts& counts) {
  if (least_after(basis, 0) >= -kLcpFeasible) return LcpEnd::Solved;
  words_ = (at(basis.size()) + 63) / 64;
  nodes_.clear();
  bases_.clear();
  open_.clear();
  visited_.clear();
  basic_.resize(at(basis.size()));
  ratios_.reserve(at(basis.size()));
  // A path without detours: later searches of that size allocate only where they go astray.
  const std::size_t usual = 64 + 4 * at(basis.size());
  nodes_.reserve(4 * usual);
  open_.reserve(4 * usual);
  bases_.reserve(words_ * usual);
  expansions_ = 0;
  driver_is_z_ = !basis.enter_cover(spread);
  ++counts.pivots;
  if (!basis.find_direction(driver_is_z_)) return LcpEnd::Error;
  keep_basis(basis);
  add_candidates(basis, rule, 0, 0);
  const int first = counts.pivots;
  while (!open_.empty()) {
    const std::size_t bytes = nodes_.size() * sizeof(Node) + bases_.size() * sizeof(std::uint64_t);
    if (counts.nodes >= limits.nodes || bytes > limits.bytes) return LcpEnd::NodeLimit;
    if (limits.pivots > 0 && counts.pivots - first >= limits.pivots) return LcpEnd::PivotLimit;
    if (limits.deadline.has_passed()) return LcpEnd::Stopped;
    const int index = next(rule);
    ++counts.nodes;
    if (!visit(basis, index)) continue;
    ++counts.pivots;
    if (rule.best_first && !(basis.error() <= rule.largest_error)) continue;
    if (is_goal(basis, rule)) return LcpEnd::Solved;
    if (basis.missing() < 0 || !basis.find_direction(driver_is_z_)) continue;
    keep_basis(basis);
    add_candidates(basis, rule, loaded_, nodes_[at(index)].cost);
  }
  return LcpEnd::NoSolution;
}

void PivotSearch::keep_basis(const LcpBasis& basis) {
  loaded_ = expansions_++;
  bases_.resize(words_ * at(expansions_), 0U);
  std::uint64_t* bits = bases_.data() + words_ * at(loaded_);
  for (int i = 0; i < basis.size(); ++i) {
    if (basis.basic()[at(i)] != 0) bits[i / 64] |= std::uint64_t{1} << (i % 64);
  }
}

/// [LCP] algorithm 2. The set of steps with qmin > -epsilon is an interval, because qmin is concave in the step: it is
/// enough to look at the candidates in the order of their ratios until one fails.
void PivotSearch::add_candidates(const LcpBasis& basis, const SearchRule& rule, int parent, double cost) {
  const std::span<const double> x = basis.values(), d = basis.direction();
  ratios_.clear();
  for (int i = 0; i < basis.size(); ++i) {
    if (basis.role(i) != LcpRole::Complementary || !(d[at(i)] < -rule.least_pivot)) continue;
    ratios_.emplace_back(x[at(i)] / -d[at(i)], i);
  }
  std::sort(ratios_.begin(), ratios_.end());
  const std::size_t first = open_.size();
  for (const auto& [ratio, i] : ratios_) {
    const double step = std::max(0.0, ratio), qmin = least_after(basis, step);
    if (!(qmin > -rule.epsilon)) {
      if (step > 0) break;
      continue;
    }
    Node node{parent, i, basis.missing(), driver_is_z_, step, qmin, cost + std::exp(-qmin)};
    nodes_.push_back(node);
    open_.push_back(static_cast<int>(nodes_.size()) - 1);
    if (rule.best_first) std::push_heap(open_.begin(), open_.end(), [&](int a, int b) { return before(b, a); });
  }
  if (rule.best_first) return;
  // The last is taken first: z0 before all others, then the largest qmin (above the tolerance all are equal), then the
  // largest pivot.
  const auto rank = [&](int k) {
    const Node& node = nodes_[at(k)];
    const double qmin = node.qmin < -kLcpFeasible ? node.qmin : 0.0;
    return std::tuple(node.leaving == node.missing && qmin == 0, qmin, -d[at(node.leaving)], -k);
  };
  std::sort(open_.begin() + static_cast<std::ptrdiff_t>(first), open_.end(),
            [&](int a, int b) { return rank(a) < rank(b); });
}

bool PivotSearch::before(int a, int b) const {
  const double one = nodes_[at(a)].cost, other = nodes_[at(b)].cost;
  return one != other ? one < other : a < b;
}

int PivotSearch::next(const SearchRule& rule) {
  if (rule.best_first) std::pop_heap(open_.begin(), open_.end(), [&](int a, int b) { return before(b, a); });
  const int index = open_.back();
  open_.pop_back();
  return index;
}

/// Does the pivot, on the basis of its parent; false where that was done before, or the basis is singular.
bool PivotSearch::visit(LcpBasis& basis, int index) {
  const Node node = nodes_[at(index)];
  if (loaded_ != node.parent) {
    const std::uint64_t* bits = bases_.data() + words_ * at(node.parent);
    for (std::size_t i = 0; i < basic_.size(); ++i) basic_[i] = static_cast<char>((bits[i / 64] >> (i % 64)) & 1U);
    loaded_ = -1;
    if (!basis.load(basic_, node.missing) || !basis.find_direction(node.driver_is_z)) return false;
  }
  loaded_ = -1;
  const bool leaving_is_z = basis.basic()[at(node.leaving)] != 0;
  basis.pivot(node.leaving, node.step);
  driver_is_z_ = !leaving_is_z;
  return visited_.insert(basis.hash() ^ (driver_is_z_ ? kDriver : 0U));
}

bool PivotSearch::is_goal(const LcpBasis& basis, const SearchRule& rule) const {
  if (rule.best_first) return basis.missing() < 0;
  const bool gone = basis.missing() < 0 || basis.values()[at(basis.missing())] <= kLcpGoal;
  return gone && least_after(basis, 0) >= -kLcpGoal;
}

}  // namespace uzawa
