#include "uzawa/math/eight.hpp"
#include "uzawa/math/nodal/panel.hpp"

namespace uzawa {

namespace {

/// y -= columns times x.
template <int kWidth>
inline void subtract_columns(const Matrix& columns, int rows, const double* x, double* y) {
  for (int row = 0; row < rows; row += kPanelRows) {
    const double* entry = columns.data + row;
    Eight rest = Eight::load(y + row);
#pragma GCC unroll 6
    for (int j = 0; j < kWidth; ++j) rest -= Eight::load(entry + j * columns.stride) * x[j];
    rest.store(y + row);
  }
}

/// x -= columns^T times y.
template <int kWidth>
inline void subtract_dots(const Matrix& columns, int rows, const double* y, double* x) {
  Eight sums[kWidth];
  for (int row = 0; row < rows; row += kPanelRows) {
    const double* entry = columns.data + row;
    const Eight part = Eight::load(y + row);
#pragma GCC unroll 6
    for (int j = 0; j < kWidth; ++j) sums[j] += Eight::load(entry + j * columns.stride) * part;
  }
#pragma GCC unroll 6
  for (int j = 0; j < kWidth; ++j) x[j] -= sum(sums[j]);
}

/// Three pivots: x := T^-1 x, and below x := T^-T x, for one right side (double) or eight (Eight).
template <typename X>
inline void divide_three(const Matrix& t, X& x0, X& x1, X& x2) {
  const double *c0 = t.data, *c1 = c0 + t.stride, *c2 = c1 + t.stride;
  x0 = x0 * c0[0];
  x1 = (x1 - x0 * c0[1]) * c1[1];
  x2 = (x2 - x0 * c0[2] - x1 * c1[2]) * c2[2];
}
template <typename X>
inline void divide_three_transposed(const Matrix& t, X& x0, X& x1, X& x2) {
  const double *c0 = t.data, *c1 = c0 + t.stride, *c2 = c1 + t.stride;
  x2 = x2 * c2[2];
  x1 = (x1 - x2 * c1[2]) * c1[1];
  x0 = (x0 - x1 * c0[1] - x2 * c0[2]) * c0[0];
}

/// y -= A x for eight right sides, eight rows at a time.
void subtract_columns_many(const Matrix& a, int rows, int columns, const double* x, double* y) {
  for (int row = 0; row < rows; row += kPanelRows) {
    Eight rest[kPanelRows];
    for (int r = 0; r < kPanelRows; ++r) rest[r] = Eight::load(y + 8 * (row + r));
    for (int j = 0; j < columns; ++j) {
      const double* entry = a.data + row + static_cast<std::ptrdiff_t>(j) * a.stride;
      const Eight xj = Eight::load(x + 8 * j);
#pragma GCC unroll 8
      for (int r = 0; r < kPanelRows; ++r) rest[r] -= xj * entry[r];
    }
    for (int r = 0; r < kPanelRows; ++r) rest[r].store(y + 8 * (row + r));
  }
}

/// x -= A^T y for eight right sides and three columns.
void subtract_dots_many(const Matrix& a, int rows, const double* y, double* x) {
  const double *c0 = a.data, *c1 = c0 + a.stride, *c2 = c1 + a.stride;
  Eight x0 = Eight::load(x), x1 = Eight::load(x + 8), x2 = Eight::load(x + 16);
  for (int r = 0; r < rows; ++r) {
    const Eight yr = Eight::load(y + 8 * r);
    x0 -= yr * c0[r], x1 -= yr * c1[r], x2 -= yr * c2[r];
  }
  x0.store(x), x1.store(x + 8), x2.store(x + 16);
}

}  // namespace

void panel_forward(const Matrix& triangle, int pivots, const Matrix& rectangle, int rows, double* x, double* y) {
  for (int j = 0; j < pivots; j += 3) {
    divide_three(triangle.from(j, j), x[j], x[j + 1], x[j + 2]);
    subtract_columns<3>(triangle.from(j + 3, j), pivots - j - 3, x + j, x + j + 3);
  }
  int j = 0;
  for (; j + 6 <= pivots; j += 6) subtract_columns<6>(rectangle.from(0, j), rows, x + j, y);
  if (j < pivots) subtract_columns<3>(rectangle.from(0, j), rows, x + j, y);
}

void panel_backward(const Matrix& triangle, int pivots, const Matrix& rectangle, int rows, double* x, const double* y) {
  int first = 0;
  for (; first + 6 <= pivots; first += 6) subtract_dots<6>(rectangle.from(0, first), rows, y, x + first);
  if (first < pivots) subtract_dots<3>(rectangle.from(0, first), rows, y, x + first);
  for (int j = pivots - 3; j >= 0; j -= 3) {
    subtract_dots<3>(triangle.from(j + 3, j), pivots - j - 3, x + j + 3, x + j);
    divide_three_transposed(triangle.from(j, j), x[j], x[j + 1], x[j + 2]);
  }
}

void panel_forward_many(const Matrix& triangle, int pivots, const Matrix& rectangle, int rows, double* x, double* y) {
  for (int j = 0; j < pivots; j += 3) {
    double* xj = x + 8 * j;
    Eight x0 = Eight::load(xj), x1 = Eight::load(xj + 8), x2 = Eight::load(xj + 16);
    divide_three(triangle.from(j, j), x0, x1, x2);
    x0.store(xj), x1.store(xj + 8), x2.store(xj + 16);
    subtract_columns_many(triangle.from(j + 3, j), pivots - j - 3, 3, xj, xj + 24);
  }
  subtract_columns_many(rectangle, rows, pivots, x, y);
}

void panel_backward_many(const Matrix& triangle, int pivots, const Matrix& rectangle, int rows, double* x,
                         const double* y) {
  for (int j = pivots - 3; j >= 0; j -= 3) {
    double* xj = x + 8 * j;
    subtract_dots_many(rectangle.from(0, j), rows, y, xj);
    subtract_dots_many(triangle.from(j + 3, j), pivots - j - 3, xj + 24, xj);
    Eight x0 = Eight::load(xj), x1 = Eight::load(xj + 8), x2 = Eight::load(xj + 16);
    divide_three_transposed(triangle.from(j, j), x0, x1, x2);
    x0.store(xj), x1.store(xj + 8), x2.store(xj + 16);
  }
}

}  // namespace uzawa
