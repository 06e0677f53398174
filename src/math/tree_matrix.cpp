#include "uzawa/math/tree_matrix.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

#include "uzawa/math/vec3.hpp"

namespace uzawa {

namespace {

constexpr int kLanes = 4;
int padded(int count) { return (count + kLanes - 1) / kLanes * kLanes; }

/// y[0..count) -= s * x[0..count), in whole registers (see row_start_).
void subtract_scaled(double s, const double* x, double* y, int count) {
  for (int k = 0; k < count; k += kLanes) {
    Lanes a, b;
    std::memcpy(&a, x + k, sizeof a);
    std::memcpy(&b, y + k, sizeof b);
    b -= s * a;
    std::memcpy(y + k, &b, sizeof b);
  }
}

}  // namespace

void TreeMatrix::reset(std::shared_ptr<const TreeTopology> topology) {
  topology_ = std::move(topology);
  row_start_.clear();
  int start = 0;
  for (int i = 0; i < size(); ++i) {
    row_start_.push_back(start);
    start += padded(topology_->depth(i));
  }
  values_.assign(static_cast<std::size_t>(start), 0.0);
  inverse_pivot_.assign(static_cast<std::size_t>(size()), 0.0);
}

void TreeMatrix::set_zero() { std::fill(values_.begin(), values_.end(), 0.0); }

void TreeMatrix::multiply(std::span<const double> x, std::span<double> y) const {
  assert(static_cast<int>(x.size()) == size() && static_cast<int>(y.size()) == size());
  std::fill(y.begin(), y.end(), 0.0);
  for (int i = 0; i < size(); ++i) {
    const std::span<const int> path = topology_->path(i);
    const double* a = row(i);
    const std::size_t last = path.size() - 1;
    const double xi = x[static_cast<std::size_t>(i)];
    double yi = a[last] * xi;
    for (std::size_t k = 0; k < last; ++k) {
      const auto j = static_cast<std::size_t>(path[k]);
      yi += a[k] * x[j];
      y[j] += a[k] * xi;
    }
    y[static_cast<std::size_t>(i)] += yi;
  }
}

void TreeMatrix::to_dense(std::span<double> dense) const {
  const auto n = static_cast<std::size_t>(size());
  assert(dense.size() == n * n);
  std::fill(dense.begin(), dense.end(), 0.0);
  for (int i = 0; i < size(); ++i) {
    const std::span<const int> path = topology_->path(i);
    for (std::size_t k = 0; k < path.size(); ++k) {
      const auto r = static_cast<std::size_t>(i), c = static_cast<std::size_t>(path[k]);
      dense[r * n + c] = dense[c * n + r] = row(i)[k];
    }
  }
}

bool TreeMatrix::factorize(const TreeMatrix& a) {
  assert(a.topology_ == topology_);
  if (&a != this) std::copy(a.values_.begin(), a.values_.end(), values_.begin());
  bool positive = true;
  for (int i = size() - 1; i >= 0; --i) {
    double* row_i = row(i);
    const std::span<const int> path = topology_->path(i);
    const int last = static_cast<int>(path.size()) - 1;
    positive = positive && row_i[last] > 0;
    const double inverse = 1 / row_i[last];
    inverse_pivot_[static_cast<std::size_t>(i)] = inverse;
    for (int k = last - 1; k >= 0; --k) {
      subtract_scaled(row_i[k] * inverse, row_i, row(path[static_cast<std::size_t>(k)]), k + 1);
    }
    for (int k = 0; k < last; ++k) row_i[k] *= inverse;
  }
  return positive;
}

/// x <- L^-T x, from the leaves to the root. The parent comes first in each row: the next dof waits for it.
template <std::size_t N>
void TreeMatrix::solve_transposed(const std::array<double*, N>& x) const {
  for (int i = size() - 1; i >= 0; --i) {
    const auto is_zero = [i](const double* of) { return of[i] == 0; };
    if (std::all_of(x.begin(), x.end(), is_zero)) continue;  // sparse right-hand sides touch one branch only
    const double* l = row(i);
    const std::span<const int> path = topology_->path(i);
    for (std::size_t k = path.size() - 1; k-- > 0;) {
      for (std::size_t n = 0; n < N; ++n) x[n][path[k]] -= l[k] * x[n][i];
    }
  }
}

double TreeMatrix::inverse_form(std::span<double> x) const {
  assert(static_cast<int>(x.size()) == size());
  solve_transposed(std::array{x.data()});
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * x[i] * inverse_pivot_[i];
  return sum;
}

double TreeMatrix::inverse_diagonal(int dof, std::span<double> x) const {
  const std::span<const int> path = topology_->path(dof);
  assert(static_cast<int>(x.size()) >= padded(static_cast<int>(path.size())));
  std::fill_n(x.begin(), path.size() - 1, 0.0);
  x[path.size() - 1] = 1;
  double sum = 0;
  for (std::size_t i = path.size(); i-- > 0;) {
    const double xi = x[i];  // what is at i and beyond is no longer needed: whole registers may write there
    subtract_scaled(xi, row(path[i]), x.data(), static_cast<int>(i));
    sum += xi * xi * inverse_pivot_[static_cast<std::size_t>(path[i])];
  }
  return sum;
}

double TreeMatrix::inverse_trace(int dof, std::span<Vec3> x) const {
  const std::span<const int> path = topology_->path(dof);
  assert(x.size() == path.size());
  Vec3 sum;
  for (std::size_t i = path.size(); i-- > 0;) {
    const double* l = row(path[i]);
    for (std::size_t k = 0; k < i; ++k) x[k] -= x[i] * l[k];
    sum += scaled(x[i], x[i]) * inverse_pivot_[static_cast<std::size_t>(path[i])];
  }
  return sum.x() + sum.y() + sum.z();
}

template <std::size_t N>
void TreeMatrix::solve_all(const std::array<double*, N>& x) const {
  solve_transposed(x);
  // x <- L^-1 D^-1 x, from the root to the leaves.
  for (int i = 0; i < size(); ++i) {
    const double* l = row(i);
    const std::span<const int> path = topology_->path(i);
    std::array<double, N> xi;
    for (std::size_t n = 0; n < N; ++n) xi[n] = x[n][i] * inverse_pivot_[static_cast<std::size_t>(i)];
    for (std::size_t k = 0; k + 1 < path.size(); ++k) {
      for (std::size_t n = 0; n < N; ++n) xi[n] -= l[k] * x[n][path[k]];
    }
    for (std::size_t n = 0; n < N; ++n) x[n][i] = xi[n];
  }
}

void TreeMatrix::solve(std::span<double> x) const {
  assert(static_cast<int>(x.size()) == size());
  solve_all(std::array{x.data()});
}

void TreeMatrix::solve(std::span<double> x, std::span<double> y) const {
  assert(static_cast<int>(x.size()) == size() && static_cast<int>(y.size()) == size());
  solve_all(std::array{x.data(), y.data()});
}

}  // namespace uzawa
