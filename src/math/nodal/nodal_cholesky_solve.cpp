#include <algorithm>

#include "uzawa/base/at.hpp"
#include "uzawa/math/nodal/nodal_cholesky.hpp"

namespace uzawa {

namespace {

/// Three numbers a node: to += from, for nodes picked by `row`.
inline void add_to_rows(double* to, std::span<const int> row, const double* from, int numbers) {
  for (const int p : row) {
    double* x = to + static_cast<std::ptrdiff_t>(p) * numbers;
    for (int k = 0; k < numbers; ++k) x[k] += from[k];
    from += numbers;
  }
}
inline void take_rows(double* to, std::span<const int> row, const double* from, int numbers) {
  for (const int p : row) {
    const double* x = from + static_cast<std::ptrdiff_t>(p) * numbers;
    for (int k = 0; k < numbers; ++k) to[k] = x[k];
    to += numbers;
  }
}

}  // namespace

void NodalCholesky::to_positions(std::span<const double> x) const { take_rows(x_.data(), plan_.node_at, x.data(), 3); }

void NodalCholesky::from_positions(std::span<double> x, int end) const {
  for (int p = 0; p < end; ++p) std::copy_n(&x_[at(3 * p)], 3, &x[at(3 * plan_.node_at[at(p)])]);
}

/// Fronts in turn: x_i := L_ii^-1 x_i, and x_c -= L_ci x_i.
void NodalCholesky::forward() const {
  double *pivot_part = pivot_part_.data()->number, *row_part = row_part_.data()->number;
  for (const NodalFront& front : plan_.fronts) {
    const int pivots = 3 * front.pivots, rows = 3 * front.rows;
    double* x = &x_[at(3 * front.first)];
    if (std::all_of(x, x + pivots, [](double number) { return number == 0; })) continue;
    std::copy_n(x, pivots, pivot_part);
    std::fill_n(row_part, padded_rows(rows), 0.0);
    panel_forward(triangle(front), pivots, rectangle(front), rows, pivot_part, row_part);
    std::copy_n(pivot_part, pivots, x);
    add_to_rows(x_.data(), {plan_.row.data() + front.row_start, at(front.rows)}, row_part, 3);
  }
}

void NodalCholesky::backward() const {
  double *pivot_part = pivot_part_.data()->number, *row_part = row_part_.data()->number;
  for (auto front = plan_.fronts.rbegin(); front != plan_.fronts.rend(); ++front) {
    const int pivots = 3 * front->pivots, rows = 3 * front->rows;
    double* x = &x_[at(3 * front->first)];
    std::copy_n(x, pivots, pivot_part);
    std::fill_n(pivot_part + pivots, kPanelRows, 0.0);
    take_rows(row_part, {plan_.row.data() + front->row_start, at(front->rows)}, x_.data(), 3);
    std::fill_n(row_part + rows, kPanelRows, 0.0);
    panel_backward(triangle(*front), pivots, rectangle(*front), rows, pivot_part, row_part);
    std::copy_n(pivot_part, pivots, x);
  }
}

void NodalCholesky::solve(std::span<double> x) const {
  to_positions(x);
  forward();
  if (plan_.last > 0) {
    const Matrix last{const_cast<double*>(data(last_factor_)), plan_.last_stride};
    const int size = static_cast<int>(schur_size());
    double *own = &x_[at(3 * plan_.leading)], *pivot_part = pivot_part_.data()->number;
    std::copy_n(own, size, pivot_part);
    panel_forward(last, size, {}, 0, pivot_part, nullptr);
    std::fill_n(pivot_part + size, kPanelRows, 0.0);
    panel_backward(last, size, {}, 0, pivot_part, nullptr);
    std::copy_n(pivot_part, size, own);
  }
  backward();
  from_positions(x, nodes());
}

double NodalCholesky::inverse_form(std::span<const double> x) const {
  to_positions(x);
  forward();
  if (plan_.last > 0) {
    const int size = static_cast<int>(schur_size());
    double *own = &x_[at(3 * plan_.leading)], *pivot_part = pivot_part_.data()->number;
    std::copy_n(own, size, pivot_part);
    panel_forward({const_cast<double*>(data(last_factor_)), plan_.last_stride}, size, {}, 0, pivot_part, nullptr);
    std::copy_n(pivot_part, size, own);
  }
  double sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) sum += x_[k] * x_[k];
  return sum;
}

void NodalCholesky::condense(std::span<const double> b, std::span<double> reduced) const {
  to_positions(b);
  forward();
  std::copy_n(x_.begin(), condensed_.size(), condensed_.begin());
  std::copy_n(x_.begin() + 3 * plan_.leading, schur_size(), reduced.begin());
}

void NodalCholesky::expand(std::span<const double> x_last, std::span<double> x) const {
  std::copy(condensed_.begin(), condensed_.end(), x_.begin());
  std::copy_n(x_last.begin(), schur_size(), x_.begin() + 3 * plan_.leading);
  backward();
  from_positions(x, nodes());
}

void NodalCholesky::expand(std::span<const double> b, std::span<const double> x_last, std::span<double> x) const {
  to_positions(b);
  forward();
  std::copy_n(x_last.begin(), schur_size(), x_.begin() + 3 * plan_.leading);
  backward();
  from_positions(x, nodes());
}

void NodalCholesky::forward_many() const {
  double *pivot_part = pivot_part_.data()->number, *row_part = row_part_.data()->number;
  for (const NodalFront& front : plan_.fronts) {
    const int pivots = 3 * front.pivots, rows = 3 * front.rows;
    double* x = &x_[at(24 * front.first)];
    std::copy_n(x, 8 * pivots, pivot_part);
    std::fill_n(row_part, 8 * padded_rows(rows), 0.0);
    panel_forward_many(triangle(front), pivots, rectangle(front), rows, pivot_part, row_part);
    std::copy_n(pivot_part, 8 * pivots, x);
    add_to_rows(x_.data(), {plan_.row.data() + front.row_start, at(front.rows)}, row_part, 24);
  }
}

void NodalCholesky::backward_many() const {
  double *pivot_part = pivot_part_.data()->number, *row_part = row_part_.data()->number;
  for (auto front = plan_.fronts.rbegin(); front != plan_.fronts.rend(); ++front) {
    const int pivots = 3 * front->pivots, rows = 3 * front->rows;
    double* x = &x_[at(24 * front->first)];
    take_rows(row_part, {plan_.row.data() + front->row_start, at(front->rows)}, x_.data(), 24);
    std::copy_n(x, 8 * pivots, pivot_part);
    panel_backward_many(triangle(*front), pivots, rectangle(*front), rows, pivot_part, row_part);
    std::copy_n(pivot_part, 8 * pivots, x);
  }
}

/// Up to eight right sides, interleaved; lanes without one hold zeros.
void NodalCholesky::solve_eight(double* x, int count) const {
  const std::size_t size = at(3 * nodes());
  std::fill(x_.begin(), x_.end(), 0.0);
  const auto for_numbers = [&](auto&& work) {
    for (int p = 0; p < nodes(); ++p) {
      for (int k = 0; k < 3; ++k) {
        for (int r = 0; r < count; ++r)
          work(x_[at(24 * p + 8 * k + r)], x[at(r) * size + at(3 * plan_.node_at[at(p)] + k)]);
      }
    }
  };
  for_numbers([](double& lane, double& number) { lane = number; });
  forward_many();
  if (plan_.last > 0) {
    const Matrix last{const_cast<double*>(data(last_factor_)), plan_.last_stride};
    const int pivots = static_cast<int>(schur_size());
    double *own = &x_[at(24 * plan_.leading)], *pivot_part = pivot_part_.data()->number;
    std::copy_n(own, 8 * pivots, pivot_part);
    panel_forward_many(last, pivots, {}, 0, pivot_part, nullptr);
    panel_backward_many(last, pivots, {}, 0, pivot_part, nullptr);
    std::copy_n(pivot_part, 8 * pivots, own);
  }
  backward_many();
  for_numbers([](double& lane, double& number) { number = lane; });
}

void NodalCholesky::solve_many(std::span<double> x, int count) const {
  const std::size_t size = at(3 * nodes());
  int r = 0;
  for (; count - r >= 3; r += std::min(8, count - r)) solve_eight(x.data() + at(r) * size, std::min(8, count - r));
  for (; r < count; ++r) solve(x.subspan(at(r) * size, size));
}

}  // namespace uzawa
