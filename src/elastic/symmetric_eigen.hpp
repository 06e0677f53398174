#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace uzawa {

template <int kSize>
struct SymmetricEigen {
  std::array<double, kSize> value{};
  /// vector[i][k]: component i of the unit eigenvector of value[k].
  std::array<std::array<double, kSize>, kSize> vector{};
};

/// Eigenvalues, in no order, and eigenvectors of a small symmetric matrix by cyclic Jacobi rotations: accurate to the
/// last digits of the largest eigenvalue, whatever eigenvalues coincide (Golub & Van Loan, Matrix Computations, 8.5).
template <int kSize>
SymmetricEigen<kSize> symmetric_eigen(std::array<std::array<double, kSize>, kSize> a) {
  constexpr int kSweeps = 20;  // five or six are taken; the limit matters for numbers that are not finite
  SymmetricEigen<kSize> out;
  auto& v = out.vector;
  for (std::size_t i = 0; i < kSize; ++i) v[i][i] = 1;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    bool turned = false;
    for (std::size_t p = 0; p + 1 < kSize; ++p) {
      for (std::size_t q = p + 1; q < kSize; ++q) {
        if (!(std::abs(a[p][q]) > 1e-18 * (std::abs(a[p][p]) + std::abs(a[q][q])))) continue;
        turned = true;
        const double ratio = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const double t = (ratio < 0 ? -1 : 1) / (std::abs(ratio) + std::sqrt(ratio * ratio + 1));
        const double c = 1 / std::sqrt(t * t + 1), s = t * c, off = a[p][q];
        a[p][p] -= t * off, a[q][q] += t * off, a[p][q] = a[q][p] = 0;
        for (std::size_t i = 0; i < kSize; ++i) {
          if (i != p && i != q) {
            const double ap = a[i][p], aq = a[i][q];
            a[i][p] = a[p][i] = c * ap - s * aq;
            a[i][q] = a[q][i] = s * ap + c * aq;
          }
          const double vp = v[i][p], vq = v[i][q];
          v[i][p] = c * vp - s * vq;
          v[i][q] = s * vp + c * vq;
        }
      }
    }
    if (!turned) break;
  }
  for (std::size_t i = 0; i < kSize; ++i) out.value[i] = a[i][i];
  return out;
}

}  // namespace uzawa
