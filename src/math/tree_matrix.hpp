#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "uzawa/math/tree.hpp"
#include "uzawa/math/vec3.hpp"

/// Symmetric positive definite matrix with the sparsity of a kinematic tree, and its L^T D L factorisation
/// (Featherstone, Rigid Body Dynamics Algorithms, section 6.5).
///
///        root                Row i holds the entries (i, j) for j on the path root -> i, in that order:
///         |                  its ancestors first, its diagonal last. Because the path of an ancestor j is a
///         j                  prefix of the path of i, row j lines up with the head of row i, and eliminating
///        / \                 dof i from row j is one contiguous axpy: no index lists, no fill-in.
///       i   k
namespace uzawa {

class TreeMatrix {
 public:
  TreeMatrix() = default;
  /// A zero matrix; `topology` is shared, not copied.
  explicit TreeMatrix(std::shared_ptr<const TreeTopology> topology) { reset(std::move(topology)); }
  /// Another zero matrix; allocates only where it is larger than any before.
  void reset(std::shared_ptr<const TreeTopology> topology);

  int size() const { return topology_ ? topology_->dofs() : 0; }
  const TreeTopology& topology() const { return *topology_; }
  void set_zero();

  /// Entries (i, j) for j on path(i): root first, diagonal last.
  double* row(int i) { return values_.data() + row_start_[static_cast<std::size_t>(i)]; }
  const double* row(int i) const { return values_.data() + row_start_[static_cast<std::size_t>(i)]; }
  double& diagonal(int i) { return row(i)[topology_->depth(i) - 1]; }
  double diagonal(int i) const { return row(i)[topology_->depth(i) - 1]; }

  /// y = A x. `y` and `x` must not overlap.
  void multiply(std::span<const double> x, std::span<double> y) const;
  /// Column-major dense copy, size() x size(); for tests, logs and small dense solvers.
  void to_dense(std::span<double> dense) const;

  /// Writes the factors of `a` into this matrix: A = L^T D L with L unit lower triangular (strictly lower part of
  /// the rows), D on the diagonal, 1/D kept beside it. Returns false where a pivot is not positive (then A is not
  /// positive definite to working precision, and the factors must not be used). `a` may be *this.
  [[nodiscard]] bool factorize(const TreeMatrix& a);
  /// In factorised form: x <- A^-1 x.
  void solve(std::span<double> x) const;
  /// The same for two right-hand sides at once, in little more time than for one.
  void solve(std::span<double> x, std::span<double> y) const;
  /// In factorised form: x^T A^-1 x; visits only branches with non-zero x. Overwrites x.
  double inverse_form(std::span<double> x) const;
  /// In factorised form: (A^-1)_dd. `x`: memory for depth(dof) numbers, rounded up to a multiple of four.
  double inverse_diagonal(int dof, std::span<double> x) const;
  /// The sum of x^T A^-1 x over three vectors at once that are zero but on path(dof): x[k] holds their entries at its
  /// k-th dof. Overwrites x.
  double inverse_trace(int dof, std::span<Vec3> x) const;

 private:
  template <std::size_t N>
  void solve_transposed(const std::array<double*, N>& x) const;
  template <std::size_t N>
  void solve_all(const std::array<double*, N>& x) const;

  std::shared_ptr<const TreeTopology> topology_;
  /// Rows start at multiples of four, so that an axpy runs in whole registers: it may spill into the padding of its
  /// row, which is never read as a value.
  std::vector<int> row_start_;
  std::vector<double> values_;
  std::vector<double> inverse_pivot_;
};

}  // namespace uzawa
