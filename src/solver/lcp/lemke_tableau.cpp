#include "uzawa/solver/lcp/lemke_tableau.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

constexpr double kLeastFreePivot = 1e-12;  // free z come in first, with the largest pivot there is

}  // namespace

void LemkeTableau::fill(const LcpMatrix& matrix, std::span<const double> q) {
  n_ = matrix.size();
  width_ = 2 * at(n_) + 2;
  cells_.assign(at(n_) * width_, 0.0);
  basic_.resize(at(n_));
  unit_.resize(at(n_));
  ties_.reserve(at(n_));
  kept_.reserve(at(n_));
  const double one = 1;
  for (int j = 0; j < n_; ++j) {
    std::fill(unit_.begin(), unit_.end(), 0.0);
    matrix.add_product({&j, 1}, {&one, 1}, unit_);
    for (int i = 0; i < n_; ++i) cell(i, n_ + j) = -unit_[at(i)];
  }
  for (int i = 0; i < n_; ++i) {
    basic_[at(i)] = i;
    cell(i, i) = 1;
    cell(i, 2 * n_) = roles_[at(i)] == LcpRole::Complementary ? -1 : 0;
    cell(i, 2 * n_ + 1) = q[at(i)];
  }
}

void LemkeTableau::exchange(int row, int column) {
  double* own = &cell(row, 0);
  const double inverse = 1 / own[column];
  for (std::size_t j = 0; j < width_; ++j) own[j] *= inverse;
  for (int i = 0; i < n_; ++i) {
    if (i == row) continue;
    double* line = &cell(i, 0);
    const double factor = line[column];
    if (factor == 0) continue;
    for (std::size_t j = 0; j < width_; ++j) line[j] -= factor * own[j];
  }
  basic_[at(row)] = column;
}

/// Variables of equalities are basic from the start, in rows that no ratio test looks at.
bool LemkeTableau::enter_free() {
  for (int j = 0; j < n_; ++j) {
    if (roles_[at(j)] != LcpRole::Free) continue;
    int best = -1;
    for (int i = 0; i < n_; ++i) {
      if (roles_[at(i)] != LcpRole::Free || basic_[at(i)] >= n_) continue;
      if (best < 0 || std::abs(cell(i, n_ + j)) > std::abs(cell(best, n_ + j))) best = i;
    }
    if (best < 0 || !(std::abs(cell(best, n_ + j)) > kLeastFreePivot)) return false;
    exchange(best, n_ + j);
  }
  return true;
}

bool LemkeTableau::counts_in_ratios(int row) const {
  const int variable = basic_[at(row)];
  return variable == 2 * n_ || roles_[at(variable < n_ ? variable : variable - n_)] == LcpRole::Complementary;
}

/// The row of the variable that leaves; -1: none does.
int LemkeTableau::choose_row(int column, const TableauRule& rule) {
  double least = std::numeric_limits<double>::infinity();
  int best = -1;
  for (int i = 0; i < n_; ++i) {
    if (!counts_in_ratios(i) || !(cell(i, column) > 0)) continue;
    const double ratio = cell(i, 2 * n_ + 1) / cell(i, column);
    if (ratio < least) {
      least = ratio;
      best = i;
    }
  }
  if (best < 0 || !rule.lexicographic) return best;
  ties_.clear();
  for (int i = 0; i < n_; ++i) {
    if (!counts_in_ratios(i) || !(cell(i, column) > 0)) continue;
    if (cell(i, 2 * n_ + 1) / cell(i, column) <= least + rule.tie) ties_.push_back(i);
  }
  return break_ties(column, rule.tie);
}

/// Among ties_: the least row of [B^-1] over the pivot, column after column ([LCP] section V-A, with its rule that z0
/// is taken wherever it is among the ties).
int LemkeTableau::break_ties(int column, double tie) {
  int best = ties_.front();
  for (int k = 0; k <= n_; ++k) {
    for (const int i : ties_) {
      if (basic_[at(i)] == 2 * n_) return i;
    }
    if (ties_.size() == 1) return ties_.front();
    if (k == n_) break;
    const auto ratio = [&](int i) { return cell(i, k) / cell(i, column); };
    best = *std::min_element(ties_.begin(), ties_.end(), [&](int a, int b) { return ratio(a) < ratio(b); });
    const double least = ratio(best);
    kept_.clear();
    for (const int i : ties_) {
      if (ratio(i) <= least + tie) kept_.push_back(i);
    }
    ties_.swap(kept_);
  }
  return best;
}

LcpEnd LemkeTableau::run(const LcpMatrix& matrix, std::span<const double> q, std::span<const LcpRole> roles,
                         const TableauRule& rule, const LcpLimits& limits, LcpCounts& counts) {
  roles_ = roles;
  const double n = matrix.size();
  if (limits.bytes > 0 && 16 * n * (n + 1) > static_cast<double>(limits.bytes)) return LcpEnd::NodeLimit;
  fill(matrix, q);
  visited_.clear();
  if (!enter_free()) return LcpEnd::Error;
  int row = -1;
  for (int i = 0; i < n_; ++i) {
    if (!counts_in_ratios(i)) continue;
    if (row < 0 || cell(i, 2 * n_ + 1) < cell(row, 2 * n_ + 1)) row = i;
  }
  if (row < 0 || cell(row, 2 * n_ + 1) >= 0) return LcpEnd::Solved;
  int entering = complement(basic_[at(row)]);
  exchange(row, 2 * n_);
  ++counts.pivots;
  for (int pivots = 1; pivots < limits.pivot_limit(n_); ++pivots) {
    if (limits.deadline.has_passed()) return LcpEnd::Stopped;
    std::uint64_t hash = 0;
    for (const int variable : basic_)
      hash ^=
          (static_cast<std::uint64_t>(variable) + 1) * 0x9e3779b97f4a7c15U * (static_cast<std::uint64_t>(variable) + 7);
    if (!visited_.insert(hash)) return LcpEnd::Cycle;
    row = choose_row(entering, rule);
    if (row < 0) return LcpEnd::NoSolution;
    const int leaving = basic_[at(row)];
    exchange(row, entering);
    ++counts.pivots;
    if (leaving == 2 * n_) return LcpEnd::Solved;
    entering = complement(leaving);
  }
  return LcpEnd::PivotLimit;
}

void LemkeTableau::solution(std::span<double> z) const {
  std::fill(z.begin(), z.end(), 0.0);
  for (int i = 0; i < n_; ++i) {
    const int variable = basic_[at(i)] - n_;
    if (variable < 0 || variable >= n_) continue;
    const double value = cell(i, 2 * n_ + 1);
    z[at(variable)] = roles_[at(variable)] == LcpRole::Free ? value : std::max(0.0, value);
  }
}

}  // namespace uzawa
