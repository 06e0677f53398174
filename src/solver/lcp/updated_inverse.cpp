#include "uzawa/solver/lcp/updated_inverse.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

void add_scaled(double factor, const double* x, double* y, int count) {
  if (factor == 0) return;
  for (int i = 0; i < count; ++i) y[i] += factor * x[i];
}

/// One step of Gauss-Jordan elimination in place: variable p is exchanged with row p.
void exchange(std::span<double> k, int size, int p) {
  double* own = k.data() + at(p) * at(size);
  const double inverse = 1 / own[p];
  own[p] = 1;
  for (int j = 0; j < size; ++j) own[j] *= inverse;
  for (int i = 0; i < size; ++i) {
    if (i == p) continue;
    double* line = k.data() + at(i) * at(size);
    const double factor = std::exchange(line[p], 0.0);
    add_scaled(-factor, own, line, size);
  }
}

}  // namespace

void UpdatedInverse::reserve(int most) {
  size_ = 0;
  stride_ = at(most);
  if (inverse_.size() < stride_ * stride_) inverse_.resize(stride_ * stride_);
  if (swapped_.size() < stride_) swapped_.resize(stride_);
  if (scratch_.size() < stride_) scratch_.resize(stride_);
}

bool UpdatedInverse::invert(std::span<double> k, int size, double least) {
  double largest = 0;
  for (std::size_t i = 0; i < at(size) * at(size); ++i) largest = std::max(largest, std::abs(k[i]));
  const auto row = [&](int i) { return k.data() + at(i) * at(size); };
  for (int p = 0; p < size; ++p) {
    int best = p;
    for (int i = p + 1; i < size; ++i) {
      if (std::abs(row(i)[p]) > std::abs(row(best)[p])) best = i;
    }
    if (!(std::abs(row(best)[p]) > least * largest)) return false;
    swapped_[at(p)] = best;
    if (best != p) std::swap_ranges(row(p), row(p) + size, row(best));
    exchange(k, size, p);
  }
  for (int p = size; p-- > 0;) {
    const int other = swapped_[at(p)];
    if (other == p) continue;
    for (int i = 0; i < size; ++i) std::swap(row(i)[p], row(i)[other]);
  }
  size_ = size;
  for (int i = 0; i < size; ++i) std::copy_n(row(i), size, line(i));
  return true;
}

void UpdatedInverse::solve(std::span<const double> b, std::span<double> x) const {
  for (int c = 0; c < size_; ++c) {
    const double* own = line(c);
    double sum = 0;
    for (int r = 0; r < size_; ++r) sum += own[r] * b[at(r)];
    x[at(c)] = sum;
  }
}

void UpdatedInverse::solve_transposed(std::span<const double> b, std::span<double> x) const {
  std::fill_n(x.begin(), size_, 0.0);
  for (int c = 0; c < size_; ++c) add_scaled(b[at(c)], line(c), x.data(), size_);
}

void UpdatedInverse::grow(std::span<const double> column, std::span<const double> row, double pivot) {
  const double inverse = 1 / pivot;
  for (int c = 0; c < size_; ++c) {
    const double factor = column[at(c)] * inverse;
    add_scaled(factor, row.data(), line(c), size_);
    line(c)[size_] = -factor;
  }
  for (int r = 0; r < size_; ++r) line(size_)[r] = -row[at(r)] * inverse;
  line(size_)[size_] = inverse;
  ++size_;
}

void UpdatedInverse::replace_column(int c, std::span<const double> column) {
  double* own = line(c);
  const double inverse = 1 / column[at(c)];
  for (int r = 0; r < size_; ++r) own[r] *= inverse;
  for (int i = 0; i < size_; ++i) {
    if (i != c) add_scaled(-column[at(i)], own, line(i), size_);
  }
}

void UpdatedInverse::replace_row(int r, std::span<const double> row) {
  const double inverse = 1 / row[at(r)];
  for (int c = 0; c < size_; ++c) {
    double* own = line(c);
    const double changed = own[r] * inverse;
    add_scaled(-changed, row.data(), own, size_);
    own[r] = changed;
  }
}

void UpdatedInverse::shrink(int c, int r) {
  const double* gone = line(c);
  std::copy_n(gone, size_, scratch_.data());
  const double inverse = 1 / gone[r];
  for (int i = 0; i < size_; ++i) {
    if (i != c) add_scaled(-line(i)[r] * inverse, scratch_.data(), line(i), size_);
  }
  const int last = size_ - 1;
  if (c != last) std::copy_n(line(last), size_, line(c));
  for (int i = 0; i < last; ++i) line(i)[r] = line(i)[last];
  size_ = last;
}

}  // namespace uzawa
