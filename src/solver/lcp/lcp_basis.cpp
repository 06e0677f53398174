#include "uzawa/solver/lcp/lcp_basis.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

// Problems come scaled: entries of M and q are about 1.
constexpr double kSingular = 1e-13;       // of the largest entry of K
constexpr double kDependent = 1e-9;       // Schur complement of a constraint that the others imply
constexpr double kExact = 1e-14;          // relative error of an answer that needs no correction
constexpr double kUnusable = 1e-9;        // the same after a correction: K has to be inverted anew, or is singular
constexpr int kUpdatesPerInversion = 50;  // errors of the inverse grow with each

double largest(std::span<const double> x) {
  double most = 0;
  for (const double entry : x) most = std::max(most, std::abs(entry));
  return most;
}

}  // namespace

/// Splitmix64.
std::uint64_t LcpBasis::key(int i, bool is_missing) {
  std::uint64_t x = (static_cast<std::uint64_t>(i) * 2 + (is_missing ? 1 : 0) + 1) * 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

void LcpBasis::attach(const LcpMatrix& matrix, std::span<const double> q, std::span<const LcpRole> roles) {
  matrix_ = &matrix;
  q_ = q;
  roles_ = roles;
  const std::size_t n = at(size());
  capacity_ = std::min(n, at(matrix.largest_basis())) + 2;  // z0, and a pivot that is one too many
  inverse_.reserve(static_cast<int>(capacity_));
  basic_.assign(n, 0);
  cover_.assign(n, 0.0);
  for (auto* x : {&value_, &direction_, &product_, &column_}) x->assign(n, 0.0);
  for (auto* x : {&rhs_, &x_, &fix_, &line_, &z_values_}) x->resize(capacity_);
  if (k_.size() < capacity_ * capacity_) k_.resize(capacity_ * capacity_);
  for (auto* x : {&rows_, &columns_, &z_columns_}) x->reserve(capacity_);
  place_of_row_.assign(n, -1);
  place_of_column_.assign(n + 1, -1);
  inversions_ = 0;
}

double LcpBasis::entry(int row, int column) const {
  return column == size() ? cover_[at(row)] : matrix_->entry(row, column);
}

void LcpBasis::list_basis() {
  rows_.clear();
  columns_.clear();
  std::fill(place_of_row_.begin(), place_of_row_.end(), -1);
  std::fill(place_of_column_.begin(), place_of_column_.end(), -1);
  hash_ = missing_ >= 0 ? key(missing_, true) : 0;
  for (int i = 0; i < size(); ++i) {
    if (basic_[at(i)] == 0) continue;
    hash_ ^= key(i, false);
    append(i, i);
  }
  if (missing_ >= 0) append(missing_, size());
}

void LcpBasis::append(int row, int column) {
  place_of_row_[at(row)] = static_cast<int>(rows_.size());
  place_of_column_[at(column)] = static_cast<int>(columns_.size());
  rows_.push_back(row);
  columns_.push_back(column);
}

/// As UpdatedInverse::shrink has it: the last take their places.
void LcpBasis::remove(int row, int column) {
  const int r = place_of_row_[at(row)], c = place_of_column_[at(column)];
  place_of_row_[at(rows_.back())] = r;
  place_of_column_[at(columns_.back())] = c;
  rows_[at(r)] = rows_.back();
  columns_[at(c)] = columns_.back();
  place_of_row_[at(row)] = place_of_column_[at(column)] = -1;
  rows_.pop_back();
  columns_.pop_back();
}

void LcpBasis::swap_row(int from, int to) {
  const int r = place_of_row_[at(from)];
  place_of_row_[at(from)] = -1;
  place_of_row_[at(to)] = r;
  rows_[at(r)] = to;
}

void LcpBasis::swap_column(int from, int to) {
  const int c = place_of_column_[at(from)];
  place_of_column_[at(from)] = -1;
  place_of_column_[at(to)] = c;
  columns_[at(c)] = to;
}

bool LcpBasis::invert() {
  const std::size_t k = rows_.size();
  if (k > capacity_) return false;  // more than the rank of M
  for (std::size_t r = 0; r < k; ++r) {
    for (std::size_t c = 0; c < k; ++c) k_[r * k + c] = entry(rows_[r], columns_[c]);
  }
  updates_ = 0;
  ++inversions_;
  return inverse_.invert(k_, static_cast<int>(k), kSingular);
}

bool LcpBasis::clear() {
  missing_ = -1;
  std::fill(basic_.begin(), basic_.end(), char{0});
  for (int i = 0; i < size(); ++i) basic_[at(i)] = roles_[at(i)] == LcpRole::Free ? 1 : 0;
  list_basis();
  return invert();
}

bool LcpBasis::try_add(int i) {
  const std::size_t k = rows_.size();
  if (basic_[at(i)] != 0 || k + 2 >= capacity_) return false;
  for (std::size_t p = 0; p < k; ++p) {
    rhs_[p] = entry(rows_[p], i);
    fix_[p] = entry(i, columns_[p]);
  }
  inverse_.solve(rhs_, x_);
  double pivot = entry(i, i);
  for (std::size_t p = 0; p < k; ++p) pivot -= fix_[p] * x_[p];
  if (!(std::abs(pivot) > kDependent)) return false;
  inverse_.solve_transposed(fix_, line_);
  inverse_.grow(x_, line_, pivot);
  append(i, i);
  basic_[at(i)] = 1;
  hash_ ^= key(i, false);
  return true;
}

bool LcpBasis::load(std::span<const char> basic) { return load(basic, -1); }

bool LcpBasis::load(std::span<const char> basic, int missing) {
  std::copy(basic.begin(), basic.end(), basic_.begin());
  missing_ = missing;
  list_basis();
  return invert() && refresh();
}

void LcpBasis::multiply_basis(std::span<const double> x) {
  z_columns_.clear();
  std::size_t count = 0;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (columns_[c] == size()) {
      for (std::size_t i = 0; i < product_.size(); ++i) product_[i] += cover_[i] * x[c];
    } else {
      z_columns_.push_back(columns_[c]);
      z_values_[count++] = x[c];
    }
  }
  matrix_->add_product(z_columns_, {z_values_.data(), count}, product_);
}

bool LcpBasis::solve_corrected(std::span<const double> offset) {
  const std::size_t k = rows_.size();
  inverse_.solve(rhs_, x_);
  double before = 0;
  for (int attempt = 0; attempt < 3; ++attempt) {
    std::copy(offset.begin(), offset.end(), product_.begin());
    multiply_basis({x_.data(), k});
    double error = 0, scale = 1;
    for (std::size_t p = 0; p < k; ++p) {
      fix_[p] = rhs_[p] + offset[at(rows_[p])] - product_[at(rows_[p])];
      error = std::max(error, std::abs(fix_[p]));
    }
    scale = std::max(scale, largest({x_.data(), k}));
    if (error <= kExact * scale || (attempt > 0 && error > 0.5 * before)) return error <= kUnusable * scale;
    before = error;
    inverse_.solve(fix_, line_);
    for (std::size_t p = 0; p < k; ++p) x_[p] += line_[p];
  }
  std::copy(offset.begin(), offset.end(), product_.begin());
  multiply_basis({x_.data(), k});
  return true;
}

void LcpBasis::set_values(std::span<double> out) const {
  for (int i = 0; i < size(); ++i) {
    const int c = i == missing_ ? place_of_column_[at(size())] : place_of_column_[at(i)];
    out[at(i)] = c >= 0 ? x_[at(c)] : product_[at(i)];
  }
}

bool LcpBasis::refresh() {
  for (int attempt = 0; attempt < 2; ++attempt) {
    for (std::size_t p = 0; p < rows_.size(); ++p) rhs_[p] = -q_[at(rows_[p])];
    if (solve_corrected(q_)) {
      set_values(value_);
      return true;
    }
    if (updates_ == 0 || !invert()) return false;
  }
  return false;
}

bool LcpBasis::enter_cover(std::span<const double> spread) {
  // c such that every basic variable but the free z grows at its rate of 1 (times `spread`) with z0.
  int least = -1;
  double bound = 0;
  for (int i = 0; i < size(); ++i) {
    const bool counts = roles_[at(i)] == LcpRole::Complementary;
    const double rate = !counts ? 0.0 : spread.empty() ? 1.0 : spread[at(i)];
    direction_[at(i)] = rate;
    if (counts && (least < 0 || value_[at(i)] / rate < bound)) bound = value_[at(least = i)] / rate;
  }
  for (std::size_t c = 0; c < columns_.size(); ++c) x_[c] = direction_[at(columns_[c])];
  std::fill(product_.begin(), product_.end(), 0.0);
  multiply_basis({x_.data(), columns_.size()});
  for (int i = 0; i < size(); ++i) {
    cover_[at(i)] = (basic_[at(i)] != 0 ? 0.0 : direction_[at(i)]) - product_[at(i)];
  }
  // z0 enters, pair `least` becomes the missing one; K^-1 c is minus the rates of the basic z.
  const bool leaving_is_z = basic_[at(least)] != 0;
  for (std::size_t p = 0; p < columns_.size(); ++p) line_[p] = -x_[p];
  const double step = -bound;
  for (int i = 0; i < size(); ++i) value_[at(i)] += step * direction_[at(i)];
  if (leaving_is_z) {
    inverse_.replace_column(place_of_column_[at(least)], line_);
    swap_column(least, size());
    hash_ ^= key(least, false);
  } else {
    for (std::size_t p = 0; p < columns_.size(); ++p) rhs_[p] = entry(least, columns_[p]);
    inverse_.solve_transposed(rhs_, fix_);
    inverse_.grow(line_, fix_, direction_[at(least)]);
    append(least, size());
  }
  basic_[at(least)] = 0;
  missing_ = least;
  hash_ ^= key(least, true);
  value_[at(least)] = step;
  ++updates_;
  return leaving_is_z;
}

bool LcpBasis::find_direction(bool driver_is_z) {
  if (rows_.size() >= capacity_) return false;  // more than the rank of M: an error let the last pivot pass
  driver_is_z_ = driver_is_z;
  const int m = missing_;
  std::fill(column_.begin(), column_.end(), 0.0);
  const double unit = 1;
  if (driver_is_z) matrix_->add_product({&m, 1}, {&unit, 1}, column_);
  if (updates_ >= kUpdatesPerInversion && (!invert() || !refresh())) return false;
  for (int attempt = 0; attempt < 2; ++attempt) {
    for (std::size_t p = 0; p < rows_.size(); ++p) {
      const double own = !driver_is_z && rows_[p] == m ? 1.0 : 0.0;
      rhs_[p] = own - column_[at(rows_[p])];
    }
    if (solve_corrected(column_)) {
      set_values(direction_);
      return true;
    }
    if (updates_ == 0 || !invert() || !refresh()) return false;
  }
  return false;
}

void LcpBasis::pivot(int i, double step) {
  const int m = missing_;
  const bool leaving_is_z = i == m || basic_[at(i)] != 0;
  for (std::size_t k = 0; k < value_.size(); ++k) value_[k] += step * direction_[k];
  update_inverse(i == m ? size() : i, leaving_is_z);
  hash_ ^= key(m, true);
  if (i != m) {
    if (leaving_is_z) hash_ ^= key(i, false);
    hash_ ^= key(i, true);
    basic_[at(i)] = 0;
  }
  basic_[at(m)] = driver_is_z_ ? 1 : 0;
  if (driver_is_z_) hash_ ^= key(m, false);
  missing_ = i == m ? -1 : i;
  if (i != m) value_[at(i)] = value_[at(m)];  // z0's
  value_[at(m)] = step;
  ++updates_;
}

void LcpBasis::update_inverse(int leaving, bool leaving_is_z) {
  const int m = missing_;
  const std::size_t k = columns_.size();
  if (!leaving_is_z) {
    for (std::size_t p = 0; p < k; ++p) fix_[p] = entry(leaving, columns_[p]);
    inverse_.solve_transposed(fix_, line_);
  }
  if (driver_is_z_) {
    for (std::size_t p = 0; p < k; ++p) rhs_[p] = -x_[p];  // K^-1 times the new column
    if (leaving_is_z) {
      inverse_.replace_column(place_of_column_[at(leaving)], rhs_);
      swap_column(leaving, m);
    } else {
      inverse_.grow(rhs_, line_, direction_[at(leaving)]);
      append(leaving, m);
    }
  } else if (leaving_is_z) {
    inverse_.shrink(place_of_column_[at(leaving)], place_of_row_[at(m)]);
    remove(m, leaving);
  } else {
    inverse_.replace_row(place_of_row_[at(m)], line_);
    swap_row(m, leaving);
  }
}

double LcpBasis::error() {
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    x_[c] = value_[at(columns_[c] == size() ? missing_ : columns_[c])];
  }
  std::copy(q_.begin(), q_.end(), product_.begin());
  multiply_basis({x_.data(), columns_.size()});
  double sum = 0;
  for (int i = 0; i < size(); ++i) {
    const bool w_is_basic = i != missing_ && basic_[at(i)] == 0;
    const double difference = (w_is_basic ? value_[at(i)] : 0.0) - product_[at(i)];
    sum += difference * difference;
  }
  return std::sqrt(sum);
}

void LcpBasis::solution(std::span<double> z) const {
  for (int i = 0; i < size(); ++i) {
    const double value = i != missing_ && basic_[at(i)] != 0 ? value_[at(i)] : 0;
    z[at(i)] = roles_[at(i)] == LcpRole::Free ? value : std::max(0.0, value);
  }
}

}  // namespace uzawa
