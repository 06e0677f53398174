#include "uzawa/solver/linear/block_sparse.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/math/eight.hpp"

namespace uzawa {

namespace {

constexpr int kStride = BlockSparse::kStride;
constexpr int kLookEvery = 64;  // columns: to look at the clock takes about as long as a tenth of a column

/// Columns of C -= X Y^T, several at a time: each column of X is loaded once for all of them, and C stays in registers.
/// `Inner`: columns of X and Y where they are known to the compiler, 0 where `inner` says.
template <int Columns, int Inner = 0>
inline void subtract_columns(double* c, const double* x, const double* y, int inner) {
  Eight columns[Columns];
#pragma GCC unroll 8
  for (int j = 0; j < Columns; ++j) columns[j] = Eight::load(c + j * kStride);
  const int count = Inner > 0 ? Inner : inner;
#pragma GCC unroll 8
  for (int k = 0; k < count; ++k) {
    const Eight column = Eight::load(x + k * kStride);
#pragma GCC unroll 8
    for (int j = 0; j < Columns; ++j) columns[j] -= column * y[k * kStride + j];
  }
#pragma GCC unroll 8
  for (int j = 0; j < Columns; ++j) columns[j].store(c + j * kStride);
}

/// C -= X Y^T: columns of C as many as rows of Y (`columns`), `inner` columns of X and Y. Free bodies have six of each.
void subtract_product(double* c, const double* x, const double* y, int columns, int inner) {
  if (columns == 6 && inner == 6) {
    subtract_columns<6, 6>(c, x, y, inner);
    return;
  }
  int j = 0;
  for (; j + 4 <= columns; j += 4) subtract_columns<4>(c + j * kStride, x, y + j, inner);
  for (; j + 2 <= columns; j += 2) subtract_columns<2>(c + j * kStride, x, y + j, inner);
  if (j < columns) subtract_columns<1>(c + j * kStride, x, y + j, inner);
}

/// out = X B, B square of that width.
void multiply(double* out, const double* x, const double* b, int width) {
  for (int j = 0; j < width; ++j) {
    Eight column;
    for (int k = 0; k < width; ++k) column += Eight::load(x + k * kStride) * b[j * kStride + k];
    column.store(out + j * kStride);
  }
}

/// y -= X v
void subtract_times(double* y, const double* x, const double* v, int width) {
  Eight rest = Eight::load(y);
  for (int k = 0; k < width; ++k) rest -= Eight::load(x + k * kStride) * v[k];
  rest.store(y);
}

/// y -= X^T v
void subtract_transposed_times(double* y, const double* x, const double* v, int width) {
  const Eight all = Eight::load(v);
  for (int k = 0; k < width; ++k) y[k] -= sum(Eight::load(x + k * kStride) * all);
}

/// Swaps two rows of a block.
void swap_rows(double* block, int width, int a, int b) {
  for (int j = 0; j < width; ++j) std::swap(block[j * kStride + a], block[j * kStride + b]);
}

/// Inverse by Gauss and Jordan, a column at a time in lanes; rows are exchanged for the largest pivot where `pivoting`,
/// else every pivot must be positive (stable for positive definite blocks). False where it is singular.
bool invert(const double* block, int width, bool pivoting, double* out) {
  std::copy_n(block, width * kStride, out);
  int exchanged[kStride];
  for (int k = 0; k < width; ++k) {
    double* column = out + k * kStride;
    exchanged[k] = k;
    if (pivoting) {
      for (int i = k + 1; i < width; ++i) {
        if (std::abs(column[i]) > std::abs(column[exchanged[k]])) exchanged[k] = i;
      }
      if (exchanged[k] != k) swap_rows(out, width, k, exchanged[k]);
    }
    const double pivot = column[k];
    if (!(pivoting ? pivot != 0 && std::isfinite(pivot) : pivot > 0)) return false;
    column[k] = 0;
    const Eight eliminated = Eight::load(column);
    std::fill_n(column, kStride, 0.0);
    column[k] = 1;
    for (int j = 0; j < width; ++j) {
      double* other = out + j * kStride;
      const double factor = other[k] / pivot;
      (Eight::load(other) - eliminated * factor).store(other);
      other[k] = factor;
    }
  }
  for (int k = width - 1; k >= 0 && pivoting; --k) {
    if (exchanged[k] == k) continue;
    std::swap_ranges(out + k * kStride, out + (k + 1) * kStride, out + exchanged[k] * kStride);
  }
  return true;
}

}  // namespace

int BlockSparse::width(int position) const {
  const int node = node_at_[at(position)];
  return start_[at(node) + 1] - start_[at(node)];
}

void BlockSparse::analyse(std::span<const int> start, std::span<const std::pair<int, int>> coupled) {
  if (std::equal(start.begin(), start.end(), start_.begin(), start_.end()) &&
      std::equal(coupled.begin(), coupled.end(), coupled_.begin(), coupled_.end())) {
    return;
  }
  start_.assign(start.begin(), start.end());
  coupled_.assign(coupled.begin(), coupled.end());
  order_.find(nodes(), coupled_);
  place_columns();
  plan_updates();
}

/// Columns in the order of elimination, their rows ascending.
void BlockSparse::place_columns() {
  const int count = nodes();
  node_at_.assign(order_.nodes().begin(), order_.nodes().end());
  position_.resize(at(count));
  for (int p = 0; p < count; ++p) position_[at(node_at_[at(p)])] = p;
  column_start_.assign(1, 0);
  row_.clear();
  block_offset_.clear();
  diagonal_offset_.assign(at(count), 0);
  std::size_t offset = 0, diagonal = 0;
  for (int p = 0; p < count; ++p) {
    for (const int node : order_.column(p)) {
      row_.push_back(position_[at(node)]);
      block_offset_.push_back(offset);
      offset += at(width(p) * kStride);
    }
    std::sort(row_.begin() + column_start_.back(), row_.end());
    column_start_.push_back(static_cast<int>(row_.size()));
    diagonal_offset_[at(node_at_[at(p)])] = diagonal;
    diagonal += at(width(p) * kStride);
  }
  for (auto* storage : {&lower_, &eliminated_}) storage->resize(offset);
  for (auto* storage : {&diagonal_, &inverse_}) storage->resize(diagonal);
  x_.assign(at(count * kStride), 0.0);
}

void BlockSparse::plan_updates() {
  update_start_.assign(1, 0);
  update_offset_.clear();
  work_ = 0;
  for (int p = 0; p < nodes(); ++p) {
    const int begin = column_start_[at(p)], end = column_start_[at(p) + 1];
    for (int a = begin; a < end; ++a) {
      const int j = row_[at(a)];
      update_offset_.push_back(diagonal_offset_[at(node_at_[at(j)])]);
      int slot = column_start_[at(j)];
      for (int b = a + 1; b < end; ++b) {
        while (row_[at(slot)] != row_[at(b)]) ++slot;
        update_offset_.push_back(block_offset_[at(slot)]);
      }
      work_ += static_cast<double>((end - a) * kStride * width(j) * width(p));
    }
    work_ += static_cast<double>(kStride * width(p) * width(p) * (end - begin + 2));
    update_start_.push_back(update_offset_.size());
  }
}

BlockSparse::Place BlockSparse::place(int i, int j) const {
  const int p = position_[at(i)], q = position_[at(j)], column = std::min(p, q), row = std::max(p, q);
  const auto begin = row_.begin() + column_start_[at(column)], end = row_.begin() + column_start_[at(column) + 1];
  const auto found = std::lower_bound(begin, end, row);
  return {block_offset_[static_cast<std::size_t>(found - row_.begin())], p < q};
}

void BlockSparse::clear(bool general) {
  if (general) upper_.resize(lower_.size());
  std::fill(diagonal_.begin(), diagonal_.end(), 0.0);
  std::fill(lower_.begin(), lower_.end(), 0.0);
  if (general) std::fill(upper_.begin(), upper_.end(), 0.0);
}

bool BlockSparse::factorize_symmetric() { return factorize(false); }
bool BlockSparse::factorize_general() { return factorize(true); }

/// Right-looking: column p is eliminated, then all that it couples is updated. U^T is kept in the places of L, and for
/// a symmetric matrix U^T before elimination is the lower triangle itself.
bool BlockSparse::factorize(bool general) {
  general_ = general;
  double* upper = general ? upper_.data() : lower_.data();
  for (int p = 0; p < nodes(); ++p) {
    if (p % kLookEvery == kLookEvery - 1 && deadline_.has_passed()) return false;
    const int inner = width(p);
    const std::size_t d = diagonal_offset_[at(node_at_[at(p)])];
    if (!invert(diagonal_.data() + d, inner, general, inverse_.data() + d)) return false;
    const int begin = column_start_[at(p)], end = column_start_[at(p) + 1];
    for (int a = begin; a < end; ++a) {
      multiply(&eliminated_[block_offset_[at(a)]], &lower_[block_offset_[at(a)]], inverse_.data() + d, inner);
    }
    const std::size_t* target = update_offset_.data() + update_start_[at(p)];
    for (int a = begin; a < end; ++a) {
      const int columns = width(row_[at(a)]);
      const std::size_t mine = block_offset_[at(a)];
      subtract_product(&diagonal_[*target++], &eliminated_[mine], upper + mine, columns, inner);
      for (int b = a + 1; b < end; ++b, ++target) {
        const std::size_t other = block_offset_[at(b)];
        subtract_product(&lower_[*target], &eliminated_[other], upper + mine, columns, inner);
        if (general) subtract_product(upper + *target, upper + other, &eliminated_[mine], columns, inner);
      }
    }
  }
  return true;
}

void BlockSparse::solve(std::span<double> x) {
  const double* upper = general_ ? upper_.data() : lower_.data();
  const int count = nodes();
  for (int p = 0; p < count; ++p) {
    const int node = node_at_[at(p)];
    double* out = &x_[at(p * kStride)];
    std::fill_n(out, kStride, 0.0);
    std::copy_n(x.begin() + start_[at(node)], width(p), out);
  }
  for (int p = 0; p < count; ++p) {
    for (int a = column_start_[at(p)]; a < column_start_[at(p) + 1]; ++a) {
      subtract_times(&x_[at(row_[at(a)] * kStride)], &eliminated_[block_offset_[at(a)]], &x_[at(p * kStride)],
                     width(p));
    }
  }
  for (int p = count - 1; p >= 0; --p) {
    double* mine = &x_[at(p * kStride)];
    for (int a = column_start_[at(p)]; a < column_start_[at(p) + 1]; ++a) {
      subtract_transposed_times(mine, upper + block_offset_[at(a)], &x_[at(row_[at(a)] * kStride)], width(p));
    }
    const int node = node_at_[at(p)];
    double right[kStride], result[kStride] = {};
    std::copy_n(mine, kStride, right);
    subtract_times(result, &inverse_[diagonal_offset_[at(node)]], right, width(p));
    for (int k = 0; k < width(p); ++k) x[at(start_[at(node)] + k)] = mine[k] = -result[k];
  }
}

}  // namespace uzawa
