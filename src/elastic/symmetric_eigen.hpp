#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <type_traits>

#include "uzawa/math/vec3_lanes.hpp"

namespace uzawa {

template <int kSize, typename T>
using SquareOf = std::array<std::array<T, kSize>, kSize>;

template <int kSize, typename T = double>
struct SymmetricEigen {
  std::array<T, kSize> value{};
  /// vector[i][k]: component i of the unit eigenvector of value[k].
  SquareOf<kSize, T> vector{};
};

namespace eigen_detail {

inline double root(double a) { return std::sqrt(a); }
inline WideLanes root(const WideLanes& a) { return square_root(a); }

/// Whether a is above b in any lane.
inline bool any_above(double a, double b) { return a > b; }
inline bool any_above(const WideLanes& a, const WideLanes& b) {
  const auto above = a > b;
  bool out = false;
  for (int i = 0; i < kWide; ++i) out = out || above[i];
  return out;
}

/// Turns axes p and q so that a[p][q] vanishes.
template <int kSize, typename T>
void turn(std::size_t p, std::size_t q, const T& small, SquareOf<kSize, T>& a, SquareOf<kSize, T>& v) {
  const T zero{}, one = zero + 1.0, off = a[p][q], size = larger(off, T(-off));
  const T ratio = (a[q][q] - a[p][p]) / (size > small ? 2.0 * off : one), steep = larger(ratio, T(-ratio));
  const T shallow = (ratio < zero ? -one : one) / (steep + root(ratio * ratio + 1.0));
  const T t = size > small ? shallow : zero, c = one / root(t * t + 1.0), s = t * c;
  a[p][p] -= t * off;
  a[q][q] += t * off;
  a[p][q] = a[q][p] = size > small ? zero : off;
  for (std::size_t i = 0; i < kSize; ++i) {
    if (i != p && i != q) {
      const T ap = a[i][p], aq = a[i][q];
      a[i][p] = a[p][i] = c * ap - s * aq;
      a[i][q] = a[q][i] = s * ap + c * aq;
    }
    const T vp = v[i][p], vq = v[i][q];
    v[i][p] = c * vp - s * vq;
    v[i][q] = s * vp + c * vq;
  }
}

}  // namespace eigen_detail

/// Eigenvalues, in no order, and eigenvectors of a small symmetric matrix, or of one a lane, by cyclic Jacobi
/// rotations: accurate to the last digits of the largest eigenvalue, whatever eigenvalues coincide (Golub & Van Loan,
/// Matrix Computations, 8.5).
template <int kSize, typename T = double>
SymmetricEigen<kSize, T> symmetric_eigen(SquareOf<kSize, T> a) {
  constexpr int kSweeps = 20;  // five or six are taken; the limit matters for numbers that are not finite
  SymmetricEigen<kSize, T> out;
  for (std::size_t i = 0; i < kSize; ++i) out.vector[i][i] += 1.0;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    T largest{}, off{};
    for (std::size_t i = 0; i < kSize; ++i) {
      largest = larger(largest, larger(a[i][i], T(-a[i][i])));
      for (std::size_t j = 0; j < i; ++j) off = larger(off, larger(a[i][j], T(-a[i][j])));
    }
    const T small = 1e-17 * (largest + off);
    if (!eigen_detail::any_above(off, small)) break;
    for (std::size_t p = 0; p + 1 < kSize; ++p) {
      for (std::size_t q = p + 1; q < kSize; ++q) eigen_detail::turn<kSize, T>(p, q, small, a, out.vector);
    }
  }
  for (std::size_t i = 0; i < kSize; ++i) out.value[i] = a[i][i];
  return out;
}

}  // namespace uzawa
