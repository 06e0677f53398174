#include "uzawa/problem/sparse_ldlt.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>

#include "uzawa/base/at.hpp"

namespace uzawa {

void SparseLdlt::order(const SparseRows& lower) {
  const int n = lower.rows();
  const Eigen::Map<const Eigen::SparseMatrix<double, Eigen::RowMajor>> rows(
      n, n, static_cast<Eigen::Index>(lower.value.size()), lower.start.data(), lower.column.data(), lower.value.data());
  const Eigen::SparseMatrix<double> triangle = rows;
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> from_pivot;
  Eigen::AMDOrdering<int>()(triangle.selfadjointView<Eigen::Lower>(), from_pivot);
  pivot_.assign(from_pivot.indices().data(), from_pivot.indices().data() + n);
  position_.resize(at(n));
  for (int k = 0; k < n; ++k) position_[at(pivot_[at(k)])] = k;
}

void SparseLdlt::distribute_entries(const SparseRows& lower) {
  const int n = lower.rows();
  entry_start_.assign(at(n) + 1, 0);
  const auto later = [&](int r, std::size_t k) { return std::max(position_[at(r)], position_[at(lower.column[k])]); };
  for (int r = 0; r < n; ++r) {
    for (std::size_t k = lower.begin(r); k < lower.end(r); ++k) ++entry_start_[at(later(r, k)) + 1];
  }
  for (std::size_t k = 0; k < at(n); ++k) entry_start_[k + 1] += entry_start_[k];
  entry_pivot_.resize(lower.column.size());
  entry_source_.resize(lower.column.size());
  std::vector<int> next(entry_start_.begin(), entry_start_.end() - 1);
  for (int r = 0; r < n; ++r) {
    for (std::size_t k = lower.begin(r); k < lower.end(r); ++k) {
      const std::size_t slot = at(next[at(later(r, k))]++);
      entry_pivot_[slot] = std::min(position_[at(r)], position_[at(lower.column[k])]);
      entry_source_[slot] = static_cast<int>(k);
    }
  }
}

/// Elimination tree and the sizes of L's columns: row k of L reaches from A's entries up the tree to k.
void SparseLdlt::count_factor() {
  const std::size_t n = pivot_.size();
  parent_.assign(n, -1);
  mark_.assign(n, -1);
  column_size_.assign(n, 0);
  for (int k = 0; k < static_cast<int>(n); ++k) {
    mark_[at(k)] = k;
    for (int e = entry_start_[at(k)]; e < entry_start_[at(k) + 1]; ++e) {
      for (int i = entry_pivot_[at(e)]; mark_[at(i)] != k; i = parent_[at(i)]) {
        if (parent_[at(i)] < 0) parent_[at(i)] = k;
        ++column_size_[at(i)];
        mark_[at(i)] = k;
      }
    }
  }
  column_start_.assign(n + 1, 0);
  for (std::size_t k = 0; k < n; ++k) column_start_[k + 1] = column_start_[k] + column_size_[k];
  row_.resize(at(column_start_.back()));
  value_.resize(row_.size());
}

void SparseLdlt::analyse(const SparseRows& lower) {
  analysed_start_ = lower.start;
  analysed_column_ = lower.column;
  order(lower);
  distribute_entries(lower);
  count_factor();
  const std::size_t n = pivot_.size();
  for (auto* x : {&inverse_diagonal_, &y_}) x->resize(n);
  reach_.resize(n);
}

int SparseLdlt::find_reach(int k) {
  int top = static_cast<int>(pivot_.size());
  mark_[at(k)] = k;
  for (int e = entry_start_[at(k)]; e < entry_start_[at(k) + 1]; ++e) {
    int length = 0;
    for (int i = entry_pivot_[at(e)]; mark_[at(i)] != k; i = parent_[at(i)]) {
      reach_[at(length++)] = i;
      mark_[at(i)] = k;
    }
    while (length > 0) reach_[at(--top)] = reach_[at(--length)];
  }
  return top;
}

bool SparseLdlt::factorize(const SparseRows& lower) {
  if (analysed_start_ != lower.start || analysed_column_ != lower.column) analyse(lower);
  const int n = static_cast<int>(pivot_.size());
  std::fill(y_.begin(), y_.end(), 0.0);
  std::fill(mark_.begin(), mark_.end(), -1);
  std::fill(column_size_.begin(), column_size_.end(), 0);
  for (int k = 0; k < n; ++k) {
    const int dof = pivot_[at(k)];
    for (int e = entry_start_[at(k)]; e < entry_start_[at(k) + 1]; ++e) {
      y_[at(pivot_[at(entry_pivot_[at(e)])])] += lower.value[at(entry_source_[at(e)])];
    }
    double pivot = y_[at(dof)];
    y_[at(dof)] = 0;
    // Row k of L: a sparse triangular solve with the columns so far.
    for (int top = find_reach(k); top < n; ++top) {
      const int i = reach_[at(top)];
      const double yi = y_[at(pivot_[at(i)])];
      y_[at(pivot_[at(i)])] = 0;
      const int begin = column_start_[at(i)], end = begin + column_size_[at(i)];
      for (int p = begin; p < end; ++p) y_[at(row_[at(p)])] -= value_[at(p)] * yi;
      const double entry = yi * inverse_diagonal_[at(i)];
      pivot -= entry * yi;
      row_[at(end)] = dof;
      value_[at(end)] = entry;
      ++column_size_[at(i)];
    }
    if (!(pivot > 0)) return false;
    inverse_diagonal_[at(k)] = 1 / pivot;
  }
  return true;
}

void SparseLdlt::solve(std::span<double> x) const {
  const int n = static_cast<int>(pivot_.size());
  for (int k = 0; k < n; ++k) {
    const double xk = x[at(pivot_[at(k)])];
    if (xk == 0) continue;  // sparse right-hand sides
    for (int p = column_start_[at(k)]; p < column_start_[at(k) + 1]; ++p) x[at(row_[at(p)])] -= value_[at(p)] * xk;
  }
  for (int k = n - 1; k >= 0; --k) {
    double& xk = x[at(pivot_[at(k)])];
    double sum = xk * inverse_diagonal_[at(k)];
    for (int p = column_start_[at(k)]; p < column_start_[at(k) + 1]; ++p) sum -= value_[at(p)] * x[at(row_[at(p)])];
    xk = sum;
  }
}

}  // namespace uzawa
