#pragma once

#include <span>

#include "uzawa/base/aligned_vector.hpp"
#include "uzawa/math/nodal/nodal_matrix.hpp"

namespace uzawa {

/// A matrix of 3x3 blocks H = L + D + U in the pattern of a soft body, and the two triangular sweeps of symmetric
/// Gauss-Seidel over it. Its preconditioner P = (D + L) D^-1 (D + U) needs no factorisation, cannot break down, and
/// leaves about a third of the iterations that D alone needs.
///
/// Vectors have four numbers a node, so that a node is one register; the fourth has no meaning, and is zero in all
/// results. H need not be symmetric.
class NodalSweeps {
 public:
  static constexpr std::size_t kStride = 4;

  /// `lower`: blocks as in NodalMatrix::value. `upper`: in the same places the transposed blocks of the upper triangle,
  /// which are `lower` again where H is symmetric. Both are looked at in every sweep, and must stay.
  void start(const NodalPattern& pattern, const double* lower, const double* upper);
  /// Adds a 3x3 block, row by row, to the diagonal of a node.
  void add_to_diagonal(int node, std::span<const double, 9> added);
  /// Inverts the diagonal blocks. False where one is singular.
  [[nodiscard]] bool finish();

  int nodes() const { return pattern_ == nullptr ? 0 : pattern_->nodes(); }
  std::size_t size() const { return kStride * static_cast<std::size_t>(nodes()); }

  /// t = (D + U)^-1 p, and ut = U t.
  void backward(const double* p, double* t, double* ut) const;
  /// y = (D + L)^-1 q
  void forward(const double* q, double* y) const;
  /// y = D x
  void multiply_diagonal(const double* x, double* y) const;
  /// y = H x
  void multiply(const double* x, double* y) const;
  /// x^T D^-1 x of one node.
  double inverse_form(int node, std::span<const double, 3> x) const;

  /// Three numbers a node, and four.
  void pad(std::span<const double> plain, double* padded) const;
  void strip(const double* padded, std::span<double> plain) const;

 private:
  const NodalPattern* pattern_ = nullptr;
  const double *lower_ = nullptr, *upper_ = nullptr;
  AlignedVector<double> diagonal_, inverse_;  ///< three columns of four numbers a node
};

}  // namespace uzawa
