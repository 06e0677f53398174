#pragma once

#include <cstddef>

/// Dense kernels of the nodal Cholesky factor. Matrices are column-major; `stride`s are between columns. Rows are taken
/// eight at a time: a matrix of n rows has room for padded_rows(n), and rows of padding stay what they are, or hold
/// numbers of no meaning that nobody reads. Counts of columns and rows are multiples of three.
namespace uzawa {

constexpr int kPanelRows = 8;

constexpr int padded_rows(int rows) { return (rows + kPanelRows - 1) / kPanelRows * kPanelRows; }

/// Stride of a matrix below the pivots: an odd number of cache lines where it is large, so that a row's entries do not
/// fall into the same set of the cache.
constexpr int rectangle_stride(int rows) {
  const int padded = padded_rows(rows);
  return padded >= 64 && padded % 16 == 0 ? padded + kPanelRows : padded;
}

/// Stride of the pivots' triangle: rows below a block of six pivots are taken eight at a time from there.
constexpr int triangle_stride(int pivots) {
  return pivots <= 6 ? kPanelRows : rectangle_stride(pivots + kPanelRows - 1);
}

struct Matrix {
  double* data = nullptr;
  int stride = 0;

  Matrix from(int row, int column) const { return {data + row + static_cast<std::ptrdiff_t>(column) * stride, stride}; }
};

/// Shape of a product that is subtracted.
struct ProductShape {
  int rows, columns, inner;
  bool lower = false;      ///< nothing above the diagonal is needed
  bool overwrite = false;  ///< C is taken as zero
};

/// C -= A B^T.
void subtract_product(const Matrix& c, const Matrix& a, const Matrix& b, const ProductShape& shape);

/// The Cholesky factor of the triangle, in place, reciprocals on the diagonal; the rectangle of `rows` rows below it
/// becomes R T^-T. False where a pivot is not positive.
bool factorize_panel(const Matrix& triangle, int pivots, const Matrix& rectangle, int rows);

/// x := T^-1 x, then y -= R x, for `rows` rows of y and R.
void panel_forward(const Matrix& triangle, int pivots, const Matrix& rectangle, int rows, double* x, double* y);
/// x := T^-T (x - R^T y). Rows of padding of y are zero.
void panel_backward(const Matrix& triangle, int pivots, const Matrix& rectangle, int rows, double* x, const double* y);

/// The same for kPanelRows right sides at a time: number r of entry i is at 8 i + r.
void panel_forward_many(const Matrix& triangle, int pivots, const Matrix& rectangle, int rows, double* x, double* y);
void panel_backward_many(const Matrix& triangle, int pivots, const Matrix& rectangle, int rows, double* x,
                         const double* y);

}  // namespace uzawa
