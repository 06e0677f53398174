#include "uzawa/math/nodal/panel.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "uzawa/math/vec3_lanes.hpp"

namespace uzawa {

namespace {

/// Registers across the rows of a tile: with six columns they leave just room for a column of A and a number of B.
constexpr int kMostAcross = kWide == 8 ? 4 : 2;
constexpr int kColumns = 6;
/// Inner columns at a time, so that a tile of A stays in the first cache; a multiple of 6 and of 8.
constexpr int kInner = 96;

/// -A B^T of kAcross registers of rows and kWidth columns.
template <int kAcross, int kWidth>
struct Tile {
  WideLanes column[kWidth][kAcross]{};

  void subtract(const double* a, int a_stride, const double* b, int b_stride, int inner) {
    for (int p = 0; p < inner; ++p, a += a_stride, b += b_stride) {
      WideLanes left[kAcross];
#pragma GCC unroll 4
      for (int v = 0; v < kAcross; ++v) left[v] = load_wide(a + v * kWide);
#pragma GCC unroll 6
      for (int j = 0; j < kWidth; ++j) {
        const WideLanes right = broadcast_wide(b[j]);
#pragma GCC unroll 4
        for (int v = 0; v < kAcross; ++v) column[j][v] -= left[v] * right;
      }
    }
  }
  void add(const double* c, int stride) {
#pragma GCC unroll 6
    for (int j = 0; j < kWidth; ++j) {
#pragma GCC unroll 4
      for (int v = 0; v < kAcross; ++v) column[j][v] += load_wide(c + j * stride + v * kWide);
    }
  }
  void store(double* c, int stride) const {
#pragma GCC unroll 6
    for (int j = 0; j < kWidth; ++j) {
#pragma GCC unroll 4
      for (int v = 0; v < kAcross; ++v) store_wide(column[j][v], c + j * stride + v * kWide);
    }
  }
  /// X := X T^-T
  void divide(const double* triangle, int stride) {
#pragma GCC unroll 6
    for (int j = 0; j < kWidth; ++j) {
#pragma GCC unroll 6
      for (int i = 0; i < j; ++i) {
        const WideLanes factor = broadcast_wide(triangle[i * stride + j]);
#pragma GCC unroll 4
        for (int v = 0; v < kAcross; ++v) column[j][v] -= column[i][v] * factor;
      }
      const WideLanes inverse = broadcast_wide(triangle[j * stride + j]);
#pragma GCC unroll 4
      for (int v = 0; v < kAcross; ++v) column[j][v] *= inverse;
    }
  }
};

template <int kAcross, int kWidth>
inline void product_tile(const Matrix& c, const Matrix& a, const Matrix& b, int inner, bool overwrite) {
  Tile<kAcross, kWidth> tile;
  tile.subtract(a.data, a.stride, b.data, b.stride, inner);
  if (!overwrite) tile.add(c.data, c.stride);
  tile.store(c.data, c.stride);
}

/// Calls work(row, std::integral_constant<int, registers>) for tiles of rows, the largest first.
template <typename Work>
inline void for_row_tiles(int rows, Work&& work) {
  int row = 0;
  const int padded = padded_rows(rows);
  for (; row + kMostAcross * kWide <= padded; row += kMostAcross * kWide) {
    work(row, std::integral_constant<int, kMostAcross>());
  }
  if constexpr (kMostAcross > 2) {
    if (row + 2 * kWide <= padded) {
      work(row, std::integral_constant<int, 2>());
      row += 2 * kWide;
    }
    if (row < padded) work(row, std::integral_constant<int, 1>());
  }
}

/// Columns [first, first + kWidth) of a panel, for rows below: inner products with the columns before, then division.
template <int kWidth>
void eliminate_rows(const Matrix& c, int rows, const Matrix& before, const Matrix& multipliers, int inner,
                    const Matrix& pivots) {
  for_row_tiles(rows, [&](int row, auto across) {
    Tile<decltype(across)::value, kWidth> tile;
    tile.subtract(before.data + row, before.stride, multipliers.data, multipliers.stride, inner);
    tile.add(c.data + row, c.stride);
    tile.divide(pivots.data, pivots.stride);
    tile.store(c.data + row, c.stride);
  });
}

/// The triangle of pivots, in place.
template <int kWidth>
bool factorize_small(double (&t)[kWidth][kPanelRows]) {
#pragma GCC unroll 6
  for (int j = 0; j < kWidth; ++j) {
    const double pivot = t[j][j];
    if (!(pivot > 0) || !std::isfinite(pivot)) return false;
    const double inverse = 1 / std::sqrt(pivot);
    t[j][j] = inverse;
#pragma GCC unroll 6
    for (int r = j + 1; r < kWidth; ++r) t[j][r] *= inverse;
#pragma GCC unroll 6
    for (int i = j + 1; i < kWidth; ++i) {
#pragma GCC unroll 6
      for (int r = i; r < kWidth; ++r) t[i][r] -= t[j][r] * t[j][i];
    }
  }
  return true;
}

/// The same within a panel, after inner products with the columns before. The tile has rows that belong to those below.
template <int kWidth>
bool factorize_diagonal(const Matrix& diagonal, const Matrix& multipliers, int inner) {
  alignas(64) double t[kWidth][kPanelRows];
  constexpr int kAcross = kPanelRows / kWide;
  Tile<kAcross, kWidth> tile;
  tile.subtract(multipliers.data, multipliers.stride, multipliers.data, multipliers.stride, inner);
  tile.add(diagonal.data, diagonal.stride);
  tile.store(&t[0][0], kPanelRows);
  if (!factorize_small(t)) return false;
  for (int j = 0; j < kWidth; ++j) {
    for (int r = j; r < kWidth; ++r) diagonal.data[j * diagonal.stride + r] = t[j][r];
  }
  return true;
}

template <int kWidth>
bool factorize_columns(const Matrix& t, int pivots, const Matrix& rectangle, int rows, int first, int before) {
  const Matrix diagonal = t.from(first, first), multipliers = t.from(first, before);
  const int inner = first - before;
  if (!factorize_diagonal<kWidth>(diagonal, multipliers, inner)) return false;
  const int below = pivots - first - kWidth;
  if (below > 0) {
    eliminate_rows<kWidth>(t.from(first + kWidth, first), below, t.from(first + kWidth, before), multipliers, inner,
                           diagonal);
  }
  eliminate_rows<kWidth>(rectangle.from(0, first), rows, rectangle.from(0, before), multipliers, inner, diagonal);
  return true;
}

}  // namespace

void subtract_product(const Matrix& c, const Matrix& a, const Matrix& b, const ProductShape& shape) {
  for (int first = 0; first < shape.inner; first += kInner) {
    const int inner = std::min(kInner, shape.inner - first);
    const bool overwrite = shape.overwrite && first == 0;
    for_row_tiles(shape.rows, [&](int row, auto across) {
      constexpr int kAcross = decltype(across)::value;
      const int columns = shape.lower ? std::min(shape.columns, row + kAcross * kWide) : shape.columns;
      const Matrix left = a.from(row, first);
      int j = 0;
      for (; j + kColumns <= shape.columns && j < columns; j += kColumns) {
        product_tile<kAcross, kColumns>(c.from(row, j), left, b.from(j, first), inner, overwrite);
      }
      if (j < columns) product_tile<kAcross, 3>(c.from(row, j), left, b.from(j, first), inner, overwrite);
    });
  }
}

/// Blocks of kInner pivots; within one, six columns at a time take what the block's columns before give (left-looking);
/// then all later columns take what the block gives (right-looking).
bool factorize_panel(const Matrix& triangle, int pivots, const Matrix& rectangle, int rows) {
  for (int block = 0; block < pivots; block += kInner) {
    const int end = std::min(block + kInner, pivots);
    for (int j = block; j < end; j += kColumns) {
      const bool fine = j + kColumns <= end ? factorize_columns<kColumns>(triangle, pivots, rectangle, rows, j, block)
                                            : factorize_columns<3>(triangle, pivots, rectangle, rows, j, block);
      if (!fine) return false;
    }
    if (end == pivots) break;
    const Matrix multipliers = triangle.from(end, block);
    subtract_product(triangle.from(end, end), multipliers, multipliers,
                     {pivots - end, pivots - end, end - block, true});
    subtract_product(rectangle.from(0, end), rectangle.from(0, block), multipliers, {rows, pivots - end, end - block});
  }
  return true;
}

}  // namespace uzawa
