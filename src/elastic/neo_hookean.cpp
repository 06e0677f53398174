#include "uzawa/elastic/neo_hookean.hpp"

#include <algorithm>

#include "uzawa/base/at.hpp"
#include "uzawa/elastic/nodal_place.hpp"
#include "uzawa/elastic/symmetric_eigen.hpp"

namespace uzawa {

namespace {

/// F = left diag(value) right^T with rotations left and right; a value is negative where F is inverted.
struct SignedSingular {
  Mat3 left, right;
  std::array<double, 3> value;
};

SignedSingular signed_singular(const Mat3& f, const Mat3& rotation) {
  std::array<std::array<double, 3>, 3> s{};
  const Mat3 turned = transpose(rotation) * f;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) s[at(i)][at(j)] = 0.5 * (turned(i, j) + turned(j, i));
  }
  const SymmetricEigen<3> eigen = symmetric_eigen<3>(s);
  SignedSingular out;
  for (int k = 0; k < 3; ++k) {
    out.right.col[k] = {eigen.vector[0][at(k)], eigen.vector[1][at(k)], eigen.vector[2][at(k)]};
    out.value[at(k)] = eigen.value[at(k)];
  }
  out.left = rotation * out.right;
  return out;
}

double root_of_positive(double a) { return std::sqrt(std::max(a, 0.0)); }

}  // namespace

std::array<Mat3, 9> neo_hookean_modes(const Mat3& f, const Mat3& rotation, const NeoHookeanSlopes& slopes) {
  const SignedSingular svd = signed_singular(f, rotation);
  const auto& sigma = svd.value;
  std::array<Mat3, 9> modes;
  const double half = std::sqrt(0.5);
  // Pairs of axes turned with and against each other: J'' has the eigenvalues sigma_k and -sigma_k there.
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const Mat3 ij = outer(svd.left.col[i], svd.right.col[j]), ji = outer(svd.left.col[j], svd.right.col[i]);
    const double change = slopes.pressure * sigma[at(k)];
    modes[at(2 * k)] = (ij + ji * -1.0) * (half * root_of_positive(slopes.stretch + change));
    modes[at(2 * k + 1)] = (ij + ji) * (half * root_of_positive(slopes.stretch - change));
  }
  std::array<std::array<double, 3>, 3> scaling{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const double cofactors = sigma[(i + 1) % 3] * sigma[(i + 2) % 3] * sigma[(j + 1) % 3] * sigma[(j + 2) % 3];
      scaling[i][j] = slopes.stretch_slope * sigma[i] * sigma[j] + slopes.pressure_slope * cofactors +
                      (i == j ? slopes.stretch : slopes.pressure * sigma[3 - i - j]);
    }
  }
  const SymmetricEigen<3> eigen = symmetric_eigen<3>(scaling);
  for (std::size_t m = 0; m < 3; ++m) {
    Mat3 mode;
    for (int i = 0; i < 3; ++i) mode += outer(svd.left.col[i] * eigen.vector[at(i)][m], svd.right.col[i]);
    modes[6 + m] = mode * root_of_positive(eigen.value[m]);
  }
  return modes;
}

}  // namespace uzawa
